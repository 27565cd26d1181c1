/**
 * The API in JSON over HTTP. Nothing here knows a single call: routes come from the table, messages are mapped by their descriptors.
 *
 * <p>{@link dev.fairlane.server.rest.JsonForm} is the only place that says how a message looks in JSON; reader, writer and the OpenAPI
 * document follow it. Fields keep their snake_case names. Times ({@code …_micros}) are RFC 3339 without the suffix. Bytes with a content
 * type stand there as JSON when they are JSON and as {@code …_base64} otherwise. Reading is strict, so that a misspelled field is an
 * error and never a default.
 */
@NullMarked
package dev.fairlane.server.rest;

import org.jspecify.annotations.NullMarked;
