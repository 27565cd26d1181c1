package dev.fairlane.cli;

import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLParser;

/** YAML as {@link Json} has it: one document, no aliases, no name twice. Apart, so that its library is loaded only when it is needed. */
final class Yaml {
    private static final int DEPTH_MAX = 64;

    private Yaml() {}

    /** @param most characters the library is to take; it takes fewer by itself */
    static @Nullable Object parse(byte[] yaml, int most) {
        YAMLFactory factory = YAMLFactory.builder()
                .loadSettings(LoadSettings.builder().setCodePointLimit(most).build())
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(DEPTH_MAX)
                        .build())
                .build();
        try (JsonParser parser = factory.createParser(ObjectReadContext.empty(), yaml)) {
            return Json.parse(new WithoutAliases(parser));
        }
    }

    /** An alias would stand for something else than it says. */
    private static final class WithoutAliases extends tools.jackson.core.util.JsonParserDelegate {
        WithoutAliases(JsonParser parser) {
            super(parser);
        }

        @Override
        public JsonToken nextToken() {
            JsonToken token = super.nextToken();
            if (delegate instanceof YAMLParser yaml && yaml.isCurrentAlias()) {
                throw new Json.MalformedJson("expected no aliases (*name)");
            }
            return token;
        }
    }
}
