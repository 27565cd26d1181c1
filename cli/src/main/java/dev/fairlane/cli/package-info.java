/**
 * The command line: what a person types to see and steer a server.
 *
 * <p>Every command is one or a few calls of the REST API over the JDK's own connection, because a client of gRPC alone takes longer
 * to start than a whole command may (docs/adr/0006-cli-transport.md). For the same reason only the commands that were asked for are
 * built, and libraries are touched only by the output that needs them.
 *
 * <p>Data goes to stdout and messages to stderr. Exit codes: 0 ok, 1 failed, 2 usage, 3 not found, 4 auth, 5 conflict, 6 unreachable,
 * 124 wait timed out.
 */
@NullMarked
package dev.fairlane.cli;

import org.jspecify.annotations.NullMarked;
