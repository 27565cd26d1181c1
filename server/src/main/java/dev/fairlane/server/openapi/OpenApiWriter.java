package dev.fairlane.server.openapi;

import dev.fairlane.protocol.ErrorCode;
import dev.fairlane.protocol.v1.RawBody;
import dev.fairlane.server.auth.Role;
import dev.fairlane.server.rest.JsonForm;
import dev.fairlane.server.rest.JsonForm.Member;
import dev.fairlane.server.routes.HttpBinding;
import dev.fairlane.server.routes.Repeating;
import dev.fairlane.server.routes.RouteTable;
import dev.fairlane.server.routes.Rpc;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Locale;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Writes the document from what the code does. */
final class OpenApiWriter {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final String NDJSON = "application/x-ndjson";
    private static final String BYTES = "application/octet-stream";

    private final RouteTable table;
    private final ProtoComments comments = ProtoComments.read();
    private final Schemas schemas = new Schemas(comments);

    private OpenApiWriter(RouteTable table) {
        this.table = table;
    }

    static String write(RouteTable table) {
        return JsonMapper.builder()
                        .enable(SerializationFeature.INDENT_OUTPUT)
                        .build()
                        .writeValueAsString(new OpenApiWriter(table).document())
                + "\n";
    }

    private ObjectNode document() {
        ObjectNode document = NODES.objectNode().put("openapi", "3.1.0");
        document.putObject("info")
                .put("title", "Fairlane")
                .put("version", "v1")
                .put(
                        "description",
                        "Jobs that go in, run, and are never lost. Delivery is at least once. The same API is offered as gRPC on the"
                                + " same port; errors are listed in docs/reference/errors.md.");
        document.putArray("security").addObject().putArray("key");
        ObjectNode paths = document.putObject("paths");
        for (Rpc rpc : table.rpcs()) {
            for (HttpBinding binding : rpc.bindings()) {
                String path = binding.path().toString();
                ObjectNode item = paths.has(path) ? (ObjectNode) paths.get(path) : paths.putObject(path);
                item.set(binding.method().toLowerCase(Locale.ROOT), operation(rpc, binding));
            }
        }
        plainPaths(paths);
        ObjectNode components = document.putObject("components");
        components
                .putObject("securitySchemes")
                .putObject("key")
                .put("type", "http")
                .put("scheme", "bearer")
                .put("description", "An API key, flk_<id>_<secret>.");
        problem(components);
        ObjectNode all = components.putObject("schemas");
        schemas.all().forEach(all::set);
        all.set("ProblemDetails", problemDetails());
        return document;
    }

    private ObjectNode operation(Rpc rpc, HttpBinding binding) {
        String service = rpc.method().getService().getName();
        ObjectNode operation = NODES.objectNode();
        operation.putArray("tags").add(service);
        operation.put(
                "operationId",
                binding.equals(rpc.bindings().getFirst())
                        ? service + "_" + rpc.method().getName()
                        : service + "_" + rpc.method().getName() + "_" + binding.method());
        Schemas.describe(operation, comments.of(rpc.method().getFullName()));
        ArrayNode roles = operation.putArray("x-roles");
        rpc.roles().stream().map(Role::text).sorted().forEach(roles::add);
        ArrayNode parameters = operation.putArray("parameters");
        for (Member member : JsonForm.of(rpc.method().getInputType()).members()) {
            String field = member.field().getName();
            if (binding.path().variables().contains(field)) {
                parameters.add(parameter("path", member).put("required", true));
            } else if (member.isPlain() && binding.inQuery(field)) {
                parameters.add(parameter("query", member));
            }
        }
        headers(rpc, parameters);
        if (binding.hasBody()) {
            body(rpc, binding, operation);
        }
        ObjectNode responses = operation.putObject("responses");
        answer(rpc, responses);
        responses.putObject("default").put("$ref", "#/components/responses/Problem");
        return operation;
    }

    private ObjectNode parameter(String in, Member member) {
        ObjectNode parameter = NODES.objectNode().put("name", member.name()).put("in", in);
        Schemas.describe(parameter, comments.of(member.field().getFullName()));
        parameter.set("schema", schemas.parameter(member));
        return parameter;
    }

    private static void headers(Rpc rpc, ArrayNode parameters) {
        header(parameters, "Fairlane-Tenant", "For keys that see all tenants: the tenant this call is about.");
        if (rpc.method().getName().equals("Submit")) {
            header(parameters, "Idempotency-Key", "The same as idempotency_key of the job.");
        } else if (Repeating.KEPT_WITH_JOBS.contains(rpc.name())) {
            header(parameters, "Idempotency-Key", "Stands for a key of each job that has none of its own.");
        } else if (Repeating.REMEMBERED.contains(rpc.name())) {
            header(parameters, "Idempotency-Key", "The same key and body within 24 h gets the first answer again.");
        } else if (rpc.method().getName().equals("Watch")) {
            header(parameters, "Last-Event-ID", "The last event seen; it is not sent again.");
        }
    }

    private static void header(ArrayNode parameters, String name, String about) {
        ObjectNode header =
                parameters.addObject().put("name", name).put("in", "header").put("description", about);
        header.putObject("schema").put("type", "string");
    }

    private void body(Rpc rpc, HttpBinding binding, ObjectNode operation) {
        ObjectNode body = operation.putObject("requestBody").put("required", true);
        ObjectNode content = body.putObject("content");
        if (rpc.raw()) {
            binary(content.putObject(BYTES));
        } else if (rpc.method().isClientStreaming()) {
            body.put("description", "One job a line.");
            content.putObject(NDJSON)
                    .set(
                            "schema",
                            schemas.request(
                                    rpc.method()
                                            .getInputType()
                                            .findFieldByName("jobs")
                                            .getMessageType(),
                                    new HashSet<>()));
        } else if (binding.body().equals("*")) {
            content.putObject("application/json")
                    .set(
                            "schema",
                            schemas.request(
                                    rpc.method().getInputType(),
                                    new HashSet<>(binding.path().variables())));
        } else {
            content.putObject("application/json")
                    .set(
                            "schema",
                            schemas.request(
                                    rpc.method()
                                            .getInputType()
                                            .findFieldByName(binding.body())
                                            .getMessageType(),
                                    new HashSet<>()));
        }
    }

    private void answer(Rpc rpc, ObjectNode responses) {
        String name = rpc.method().getName();
        boolean creates = name.equals("Submit") || name.equals("CreateKey");
        if (name.equals("Submit")) {
            content(
                    responses.putObject("200").put("description", "The job was already there"),
                    "application/json",
                    rpc);
        }
        ObjectNode success = responses.putObject(creates ? "201" : "200");
        if (rpc.method().getOutputType().equals(RawBody.getDescriptor())) {
            success.put("description", "The bytes");
            binary(success.putObject("content").putObject(BYTES));
        } else if (rpc.method().isClientStreaming()) {
            success.put("description", "One answer a line, in the order of the jobs");
            success.putObject("content")
                    .putObject(NDJSON)
                    .set(
                            "schema",
                            schemas.answer(rpc.method()
                                    .getOutputType()
                                    .findFieldByName("items")
                                    .getMessageType()));
        } else if (rpc.method().isServerStreaming()) {
            success.put("description", "An event named job for every image, until its end");
            content(success, "text/event-stream", rpc);
        } else {
            content(success.put("description", creates ? "Made" : "Done"), "application/json", rpc);
            if (creates) {
                success.putObject("headers")
                        .putObject("Location")
                        .putObject("schema")
                        .put("type", "string");
            }
        }
    }

    private static void binary(ObjectNode content) {
        content.putObject("schema").put("type", "string").put("format", "binary");
    }

    private void content(ObjectNode response, String type, Rpc rpc) {
        response.putObject("content")
                .putObject(type)
                .set("schema", schemas.answer(rpc.method().getOutputType()));
    }

    private static void plainPaths(ObjectNode paths) {
        plain(paths, "/healthz", "The process is alive.", false);
        plain(paths, "/readyz", "The node takes calls; 503 while it does not.", false);
        plain(paths, "/metrics", "Metrics in the text format of Prometheus.", true);
        plain(paths, "/openapi.json", "This document.", false);
    }

    private static void plain(ObjectNode paths, String path, String about, boolean needsKey) {
        ObjectNode get = paths.putObject(path).putObject("get").put("description", about);
        get.putArray("tags").add("Operations");
        if (!needsKey) {
            get.putArray("security");
        }
        get.putObject("responses").putObject("200").put("description", "It is so");
    }

    private static void problem(ObjectNode components) {
        ObjectNode problem = components.putObject("responses").putObject("Problem");
        problem.put("description", "Refused");
        problem.putObject("headers")
                .putObject("Retry-After")
                .putObject("schema")
                .put("type", "integer");
        problem.putObject("content")
                .putObject("application/problem+json")
                .set("schema", Schemas.pointer("ProblemDetails"));
    }

    private static ObjectNode problemDetails() {
        ObjectNode schema = NODES.objectNode().put("type", "object").put("description", "RFC 9457.");
        ObjectNode properties = schema.putObject("properties");
        properties.putObject("type").put("type", "string").put("format", "uri-reference");
        properties.putObject("title").put("type", "string");
        properties.putObject("status").put("type", "integer");
        properties.putObject("detail").put("type", "string");
        ArrayNode codes = properties.putObject("code").put("type", "string").putArray("enum");
        Arrays.stream(ErrorCode.values()).map(ErrorCode::name).forEach(codes::add);
        properties.putObject("field").put("type", "string");
        properties.putObject("trace_id").put("type", "string");
        properties.putObject("retry_after").put("type", "integer").put("description", "Seconds.");
        properties
                .putObject("limit")
                .put("type", "integer")
                .put("description", "What was reached, where it is a number; the detail names the unit.");
        properties.putObject("present").put("type", "integer").put("description", "What there was of it.");
        ArrayNode required = schema.putArray("required");
        for (String name : new String[] {"type", "title", "status", "detail", "code", "trace_id"}) {
            required.add(name);
        }
        return schema;
    }
}
