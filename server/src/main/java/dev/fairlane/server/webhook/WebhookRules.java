package dev.fairlane.server.webhook;

import com.google.common.net.InetAddresses;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.server.config.ServerConfig;
import dev.fairlane.server.fault.Refused;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;

/** Where webhooks may go. */
public final class WebhookRules {
    private static final String FIELD = "webhook";

    private final ServerConfig.Webhooks config;

    public WebhookRules(ServerConfig.Webhooks config) {
        this.config = config;
    }

    /** The job, if its webhook (or that it has none) is allowed here. */
    public NewJob check(NewJob job) {
        String webhook = job.terms().webhook();
        if (!webhook.isEmpty()) {
            if (!config.enabled()) {
                throw Refused.invalid(FIELD, "webhooks are switched off on this server (webhooks.enabled)");
            }
            check(webhook);
        }
        return job;
    }

    private void check(String text) {
        URI address;
        try {
            address = read(text);
        } catch (URISyntaxException e) {
            throw Refused.invalid(FIELD, "expected an address like https://example.com/hook, but " + e.getReason());
        }
        if (address.getScheme().equals("http") && !config.allowHttp()) {
            throw Refused.invalid(FIELD, "expected https; plain http is not allowed here (webhooks.allow_http)");
        }
        String host = host(address);
        boolean local = host.equals("localhost") || host.endsWith(".localhost");
        boolean literal = InetAddresses.isInetAddress(host);
        if (local && !config.allowPrivate() || literal && !permits(InetAddresses.forString(host))) {
            throw Refused.invalid(
                    FIELD, "expected a public address; private ones are not allowed here (webhooks.allow_private)");
        }
    }

    /** @throws URISyntaxException if it is not the address of a page on the web */
    static URI read(String text) throws URISyntaxException {
        URI address = new URI(text);
        String scheme = address.getScheme() == null ? "" : address.getScheme();
        if (!scheme.equals("https") && !scheme.equals("http")) {
            throw new URISyntaxException(text, "it begins with neither https:// nor http://");
        }
        if (address.getHost() == null || address.getHost().isEmpty() || address.getPort() > 65_535) {
            throw new URISyntaxException(text, "it names no host");
        }
        if (address.getRawUserInfo() != null || address.getRawFragment() != null) {
            throw new URISyntaxException(text, "it has a user or a fragment");
        }
        return address;
    }

    /** The host in lower case, an IPv6 address without its brackets. */
    static String host(URI address) {
        String host = address.getHost().toLowerCase(Locale.ROOT);
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    /** Whether a connection may go there. */
    boolean permits(InetAddress address) {
        return config.allowPrivate() || Addresses.isPublic(address);
    }

    boolean permitsHttp() {
        return config.allowHttp();
    }
}
