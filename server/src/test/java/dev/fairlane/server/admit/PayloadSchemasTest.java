package dev.fairlane.server.admit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.fairlane.core.model.Payload;
import dev.fairlane.protocol.ErrorCode;
import dev.fairlane.server.fault.Refused;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PayloadSchemasTest {
    private static final String MAIL = """
            {"type": "object", "required": ["to"],
             "properties": {"to": {"type": "string"}, "copies": {"type": "array", "items": {"type": "string"}}}}""";

    private final PayloadSchemas schemas = new PayloadSchemas();

    private static Payload json(String text) {
        return new Payload(text.getBytes(StandardCharsets.UTF_8), Payload.JSON);
    }

    @Test
    void aPayloadThatObeysPasses() {
        schemas.requireSchema("payload_schema", MAIL);
        schemas.check(MAIL, json("{\"to\":\"a@example.com\",\"copies\":[]}"));
    }

    @Test
    void theFirstPlaceThatDoesNotObeyIsNamed() {
        Refused refused = catchThrowableOfType(
                Refused.class, () -> schemas.check(MAIL, json("{\"to\":\"a\",\"copies\":[\"b\",7]}")));
        assertThat(refused.code()).isEqualTo(ErrorCode.SCHEMA_MISMATCH);
        assertThat(refused.field()).isEqualTo("payload");
        assertThat(refused.getMessage()).contains("/copies/1");
        assertThat(catchThrowableOfType(Refused.class, () -> schemas.check(MAIL, json("{}")))
                        .getMessage())
                .contains("to");
        assertThat(catchThrowableOfType(Refused.class, () -> schemas.check(MAIL, Payload.EMPTY)))
                .isNotNull();
        assertThat(catchThrowableOfType(
                        Refused.class, () -> schemas.check(MAIL, new Payload(new byte[] {1}, "image/png"))))
                .isNotNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "7",
                "{\"type\": \"thing\"}",
                "{\"properties\": 3}",
                "{\"$ref\": \"#/$defs/missing\"}",
                "{\"$ref\": \"http://localhost:1/schema.json\"}",
                "{\"$ref\": \"file:///etc/passwd\"}"
            })
    void whatIsNoSchemaIsRefusedWhenTheTypeIsPut(String text) {
        assertThat(catchThrowableOfType(Refused.class, () -> schemas.requireSchema("payload_schema", text)))
                .isNotNull();
    }
}
