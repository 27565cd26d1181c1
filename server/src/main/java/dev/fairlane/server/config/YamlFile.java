package dev.fairlane.server.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLParser;

/** A YAML file as dotted names and the text of their values. Plain YAML only: what points elsewhere in the file is refused. */
final class YamlFile {
    private static final long BYTES_MAX = 1 << 20;
    private static final YAMLFactory FACTORY = YAMLFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(8).build())
            .build();

    private final Path file;
    private final Map<String, String> values = new LinkedHashMap<>();

    private YamlFile(Path file) {
        this.file = file;
    }

    /** @throws CannotStart if it cannot be read or is not plain YAML */
    static Map<String, String> read(Path file) {
        YamlFile reading = new YamlFile(file);
        try {
            if (Files.size(file) > BYTES_MAX) {
                throw new CannotStart(file + " is larger than 1 MiB, which no configuration is");
            }
            try (YAMLParser parser =
                    (YAMLParser) FACTORY.createParser(ObjectReadContext.empty(), Files.readString(file))) {
                if (reading.next(parser) == null) {
                    return Map.of(); // nothing but comments
                }
                reading.object(parser, "");
                if (parser.nextToken() != null) {
                    throw new CannotStart(file + ": expected one document, but there are more");
                }
            }
        } catch (IOException e) {
            throw new CannotStart("cannot read " + file + ": " + e.getMessage(), e);
        } catch (JacksonException e) {
            throw new CannotStart(file + " is not plain YAML: " + e.getOriginalMessage() + at(e), e);
        }
        return reading.values;
    }

    private void object(YAMLParser parser, String prefix) {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            throw new CannotStart(file + ": expected keys" + under(prefix) + ", but there is something else");
        }
        while (next(parser) != JsonToken.END_OBJECT) {
            String name = prefix.isEmpty() ? parser.currentName() : prefix + "." + parser.currentName();
            JsonToken token = next(parser);
            if (token == JsonToken.START_OBJECT) {
                object(parser, name);
            } else if (token == JsonToken.START_ARRAY) {
                values.put(name, list(parser, name));
            } else {
                values.put(name, token == JsonToken.VALUE_NULL ? "" : parser.getString());
            }
        }
    }

    private String list(YAMLParser parser, String name) {
        List<String> items = new ArrayList<>();
        while (next(parser) != JsonToken.END_ARRAY) {
            if (!parser.currentToken().isScalarValue()) {
                throw new CannotStart(file + ": expected plain values in " + name);
            }
            items.add(parser.getString());
        }
        return "[" + String.join(", ", items) + "]";
    }

    private @Nullable JsonToken next(YAMLParser parser) {
        JsonToken token = parser.nextToken();
        if (token != null && (parser.isCurrentAlias() || parser.getObjectId() != null)) {
            throw new CannotStart(file + ": anchors and aliases (& and *) are not allowed" + " (line "
                    + parser.currentTokenLocation().getLineNr() + ")");
        }
        return token;
    }

    private static String under(String prefix) {
        return prefix.isEmpty() ? "" : " under " + prefix;
    }

    private static String at(JacksonException e) {
        return e.getLocation() == null ? "" : " (line " + e.getLocation().getLineNr() + ")";
    }
}
