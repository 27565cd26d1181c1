/**
 * The OpenAPI 3.1 document. It is generated from the route table, the JSON forms and the comments of the .proto files, kept in the
 * repository so that clients can be generated from it and changes are seen in review, and checked by a test to be what the code says.
 */
@NullMarked
package dev.fairlane.server.openapi;

import org.jspecify.annotations.NullMarked;
