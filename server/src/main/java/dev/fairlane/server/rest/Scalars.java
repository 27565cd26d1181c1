package dev.fairlane.server.rest;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.UnsafeByteOperations;
import dev.fairlane.protocol.ErrorCode;
import dev.fairlane.server.fault.Refused;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/** Single values as text, of a JSON document or a query. */
final class Scalars {
    private static final BigInteger UNSIGNED_MAX = BigInteger.TWO.pow(64).subtract(BigInteger.ONE);

    private Scalars() {}

    /** An {@code Integer} or {@code Long}, as the field wants it. */
    static Object integer(FieldDescriptor field, String text) {
        try {
            if (text.length() > 20) {
                throw new NumberFormatException("too long");
            }
            BigInteger value = new BigInteger(text);
            return switch (field.getType()) {
                case INT32, SINT32, SFIXED32 -> value.intValueExact();
                case INT64, SINT64, SFIXED64 -> value.longValueExact();
                case UINT64, FIXED64 -> {
                    if (value.signum() < 0 || value.compareTo(UNSIGNED_MAX) > 0) {
                        throw new ArithmeticException("out of range");
                    }
                    yield value.longValue();
                }
                default -> throw new IllegalStateException("no whole number: " + field.getFullName());
            };
        } catch (NumberFormatException e) {
            throw Refused.of(ErrorCode.WRONG_TYPE, "expected a whole number");
        } catch (ArithmeticException e) {
            throw Refused.of(ErrorCode.INVALID_ARGUMENT, "the number is out of range");
        }
    }

    static boolean bool(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw Refused.of(ErrorCode.WRONG_TYPE, "expected true or false");
        };
    }

    static EnumValueDescriptor enumOf(FieldDescriptor field, String name) {
        EnumValueDescriptor value = field.getEnumType().findValueByName(name);
        if (value == null || value.getNumber() == 0) {
            throw Refused.of(
                    ErrorCode.INVALID_ARGUMENT,
                    "expected one of "
                            + field.getEnumType().getValues().stream()
                                    .filter(known -> known.getNumber() != 0)
                                    .map(EnumValueDescriptor::getName)
                                    .toList());
        }
        return value;
    }

    /** RFC 3339 to microseconds since the epoch; finer parts are cut off. */
    static long time(String text) {
        try {
            Instant instant = OffsetDateTime.parse(text).toInstant();
            return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), 1_000_000L), instant.getNano() / 1_000);
        } catch (DateTimeException | ArithmeticException e) {
            throw Refused.of(ErrorCode.INVALID_ARGUMENT, "expected a time like 2026-11-15T08:30:00Z");
        }
    }

    static String timeText(long micros) {
        return Instant.ofEpochSecond(Math.floorDiv(micros, 1_000_000L), Math.floorMod(micros, 1_000_000L) * 1_000L)
                .toString();
    }

    static ByteString base64(String text) {
        try {
            return UnsafeByteOperations.unsafeWrap(Base64.getDecoder().decode(text));
        } catch (IllegalArgumentException e) {
            throw Refused.of(ErrorCode.INVALID_ARGUMENT, "expected base64");
        }
    }

    static String nameOf(@Nullable JsonToken token) {
        return switch (token) {
            case null -> "nothing";
            case START_OBJECT -> "an object";
            case START_ARRAY -> "an array";
            case VALUE_STRING -> "a string";
            case VALUE_NUMBER_INT -> "a whole number";
            case VALUE_NUMBER_FLOAT -> "a fraction";
            case VALUE_TRUE, VALUE_FALSE -> "true or false";
            case VALUE_NULL -> "null";
            default -> "something else";
        };
    }
}
