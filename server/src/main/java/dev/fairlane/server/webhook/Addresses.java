package dev.fairlane.server.webhook;

import java.net.Inet4Address;
import java.net.InetAddress;

/** Which addresses are the open internet's. */
final class Addresses {
    private Addresses() {}

    /** False for everything that may lead to this machine, its networks, or nowhere (RFC 6890 and its registries). */
    static boolean isPublic(InetAddress address) {
        if (address.isAnyLocalAddress()
                || address.isLoopbackAddress()
                || address.isLinkLocalAddress()
                || address.isSiteLocalAddress()
                || address.isMulticastAddress()) {
            return false;
        }
        byte[] bytes = address.getAddress();
        return address instanceof Inet4Address ? isPublic4(bytes, 0) : isPublic6(bytes);
    }

    private static boolean isPublic4(byte[] bytes, int at) {
        int a = bytes[at] & 0xFF;
        int b = bytes[at + 1] & 0xFF;
        int c = bytes[at + 2] & 0xFF;
        boolean shared = a == 100 && b >= 64 && b < 128;
        boolean privateNet = a == 10 || a == 172 && b >= 16 && b < 32 || a == 192 && b == 168;
        boolean special = a == 192 && b == 0 && (c == 0 || c == 2)
                || a == 198 && (b == 18 || b == 19)
                || a == 198 && b == 51 && c == 100
                || a == 203 && b == 0 && c == 113;
        boolean local = a == 0 || a == 127 || a == 169 && b == 254;
        return !shared && !privateNet && !special && !local && a < 224;
    }

    private static boolean isPublic6(byte[] bytes) {
        int first = (bytes[0] & 0xFF) << 8 | bytes[1] & 0xFF;
        int second = (bytes[2] & 0xFF) << 8 | bytes[3] & 0xFF;
        if (first == 0x2002) {
            return isPublic4(bytes, 2); // 6to4 carries an IPv4 address
        }
        if (first == 0x64 && second == 0xFF9B) {
            return isPublic4(bytes, 12); // so does NAT64
        }
        // Only 2000::/3 is given out; of it, 2001::/23 is for protocols and 2001:db8::/32 for documents.
        return first >= 0x2000 && first < 0x4000 && !(first == 0x2001 && (second < 0x200 || second == 0xDB8));
    }
}
