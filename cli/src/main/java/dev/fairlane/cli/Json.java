package dev.fairlane.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;

/**
 * JSON as maps, lists, strings, numbers, booleans and null. Uses the streaming half of Jackson alone: binding to classes would double
 * the time a command takes to start.
 */
final class Json {
    private static final JsonFactory FACTORY = new JsonFactory();

    private Json() {}

    /** One document. @throws JacksonException if it is not well-formed, or not alone */
    static @Nullable Object parse(byte[] json) {
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), json)) {
            return parse(parser);
        }
    }

    /** One document in whatever form the parser reads. */
    static @Nullable Object parse(JsonParser parser) {
        if (parser.nextToken() == null) {
            throw new MalformedJson("expected a document, but got nothing");
        }
        Object value = value(parser);
        if (parser.nextToken() != null) {
            throw new MalformedJson("expected one document, but got more");
        }
        return value;
    }

    @SuppressWarnings("unchecked")
    static Map<String, @Nullable Object> object(@Nullable Object value) {
        return value instanceof Map<?, ?> map ? (Map<String, @Nullable Object>) map : Map.of();
    }

    static List<Map<String, @Nullable Object>> objects(@Nullable Object value) {
        return value instanceof List<?> list ? list.stream().map(Json::object).toList() : List.of();
    }

    /** A member as text; empty when it is not there. */
    static String text(Map<String, @Nullable Object> object, String name) {
        Object value = object.get(name);
        return value == null ? "" : value instanceof String string ? string : compact(value);
    }

    static long number(Map<String, @Nullable Object> object, String name) {
        return object.get(name) instanceof Number number ? number.longValue() : 0;
    }

    static String compact(@Nullable Object value) {
        java.io.StringWriter text = new java.io.StringWriter();
        try (JsonGenerator generator = FACTORY.createGenerator(ObjectWriteContext.empty(), text)) {
            write(value, generator);
        }
        return text.toString();
    }

    static void print(@Nullable Object value, boolean pretty, OutputStream out) {
        print(value, FACTORY, pretty ? new Indented() : ObjectWriteContext.empty(), out);
        try {
            out.write('\n');
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    static void print(@Nullable Object value, TokenStreamFactory format, ObjectWriteContext context, OutputStream out) {
        try (JsonGenerator generator = format.createGenerator(context, new Unclosed(out))) {
            write(value, generator);
        }
    }

    private static @Nullable Object value(JsonParser parser) {
        JsonToken token = parser.currentToken();
        return switch (token) {
            case START_OBJECT -> {
                Map<String, @Nullable Object> object = new LinkedHashMap<>();
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    String name = parser.currentName();
                    parser.nextToken();
                    object.put(name, value(parser));
                }
                yield object;
            }
            case START_ARRAY -> {
                List<@Nullable Object> array = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    array.add(value(parser));
                }
                yield array;
            }
            case VALUE_STRING -> parser.getString();
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT ->
                token == JsonToken.VALUE_NUMBER_INT ? parser.getNumberValue() : parser.getDecimalValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            default -> throw new MalformedJson("unexpected " + token);
        };
    }

    // No pattern switch: the class it makes at run time is not in the AOT cache and costs more than all of this.
    private static void write(@Nullable Object value, JsonGenerator generator) {
        if (value == null) {
            generator.writeNull();
        } else if (value instanceof Map<?, ?> object) {
            generator.writeStartObject();
            for (Map.Entry<?, ?> member : object.entrySet()) {
                generator.writeName(String.valueOf(member.getKey()));
                write(member.getValue(), generator);
            }
            generator.writeEndObject();
        } else if (value instanceof List<?> array) {
            generator.writeStartArray();
            for (Object element : array) {
                write(element, generator);
            }
            generator.writeEndArray();
        } else if (value instanceof Boolean bool) {
            generator.writeBoolean(bool);
        } else if (value instanceof Number number) {
            writeNumber(number, generator);
        } else {
            generator.writeString(value.toString());
        }
    }

    private static void writeNumber(Number number, JsonGenerator generator) {
        if (number instanceof BigDecimal decimal) {
            generator.writeNumber(decimal);
        } else if (number instanceof BigInteger integer) {
            generator.writeNumber(integer);
        } else {
            generator.writeNumber(number.longValue());
        }
    }

    /** Text that is not one JSON document. */
    static final class MalformedJson extends JacksonException {
        private static final long serialVersionUID = 1L;

        MalformedJson(String message) {
            super(message);
        }
    }

    private static final class Indented extends ObjectWriteContext.Base {
        @Override
        public PrettyPrinter getPrettyPrinter() {
            return new DefaultPrettyPrinter().withArrayIndenter(DefaultIndenter.SYSTEM_LINEFEED_INSTANCE);
        }
    }

    /** A generator closes what it writes to; stdout stays open. */
    private static final class Unclosed extends java.io.FilterOutputStream {
        Unclosed(OutputStream out) {
            super(out);
        }

        @Override
        public void write(byte[] bytes, int from, int count) throws IOException {
            out.write(bytes, from, count);
        }

        @Override
        public void close() throws IOException {
            flush();
        }
    }
}
