package dev.fairlane.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.net.InetAddresses;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressesTest {
    @ParameterizedTest
    @ValueSource(
            strings = {"93.184.216.34", "8.8.8.8", "100.128.0.1", "172.32.0.1", "2606:4700::1111", "2002:808:808::1"})
    void addressesOfTheInternetArePublic(String address) {
        assertThat(Addresses.isPublic(InetAddresses.forString(address))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "127.9.9.9",
                "0.0.0.0",
                "0.1.2.3",
                "10.1.2.3",
                "172.16.0.1",
                "172.31.255.255",
                "192.168.1.1",
                "169.254.169.254",
                "100.64.0.1",
                "192.0.0.1",
                "192.0.2.1",
                "198.18.0.1",
                "198.51.100.7",
                "203.0.113.9",
                "224.0.0.1",
                "255.255.255.255",
                "240.0.0.1",
                "::",
                "::1",
                "fe80::1",
                "fc00::1",
                "fd12::1",
                "ff02::1",
                "2001:db8::1",
                "2001::1",
                "2002:7f00:1::1",
                "64:ff9b::7f00:1",
                "::ffff:127.0.0.1",
                "::7f00:1"
            })
    void everythingElseIsNot(String address) {
        assertThat(Addresses.isPublic(InetAddresses.forString(address))).isFalse();
    }
}
