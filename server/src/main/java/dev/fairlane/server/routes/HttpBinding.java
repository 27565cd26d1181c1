package dev.fairlane.server.routes;

import com.google.api.HttpRule;

/**
 * How REST offers an RPC.
 *
 * @param method GET, POST, PUT, PATCH or DELETE
 * @param body name of the field the body is, {@code *} for all fields that are not in the path, or empty for no body
 */
public record HttpBinding(String method, PathTemplate path, String body) {

    static HttpBinding of(HttpRule rule) {
        return switch (rule.getPatternCase()) {
            case GET -> new HttpBinding("GET", PathTemplate.parse(rule.getGet()), rule.getBody());
            case POST -> new HttpBinding("POST", PathTemplate.parse(rule.getPost()), rule.getBody());
            case PUT -> new HttpBinding("PUT", PathTemplate.parse(rule.getPut()), rule.getBody());
            case PATCH -> new HttpBinding("PATCH", PathTemplate.parse(rule.getPatch()), rule.getBody());
            case DELETE -> new HttpBinding("DELETE", PathTemplate.parse(rule.getDelete()), rule.getBody());
            default -> throw new IllegalStateException("REST does not offer " + rule.getPatternCase() + ": " + rule);
        };
    }

    public boolean hasBody() {
        return !body.isEmpty();
    }

    /** Whether a field may stand in the query: it is neither in the path nor in the body. */
    public boolean inQuery(String field) {
        return !body.equals("*") && !body.equals(field) && !path.variables().contains(field);
    }
}
