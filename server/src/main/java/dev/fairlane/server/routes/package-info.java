/**
 * The one table of what can be called. Every RPC of the .proto files has a row: who may call it, and under which method and path REST
 * offers it, as its {@code google.api.http} annotation says. gRPC, REST, the OpenAPI document and the hostile-input tests all come from
 * this table; an RPC without a row keeps the server from starting.
 */
@NullMarked
package dev.fairlane.server.routes;

import org.jspecify.annotations.NullMarked;
