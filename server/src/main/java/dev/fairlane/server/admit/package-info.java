/**
 * The shape of what comes in, checked before a node hears of it (semantics §3: credential, then size, then shape). What passes here
 * can be stored: bounded, and free of characters PostgreSQL cannot keep. Written for 50,000 jobs a second: no tree, no pattern, no map
 * for a job that is all right.
 */
@NullMarked
package dev.fairlane.server.admit;

import org.jspecify.annotations.NullMarked;
