package dev.fairlane.core.model;

/**
 * Who asks for a change that is written down, and in which call. Never a secret.
 *
 * @param keyId public part of the key
 * @param keyName what people call the key
 * @param role of the key
 * @param request the call's own id, given by the caller; empty for none
 * @param trace id of the trace the call belongs to
 * @param digest SHA-256 of what was asked, in hexadecimal; empty where there was no message
 */
public record Author(String keyId, String keyName, String role, String request, String trace, String digest) {}
