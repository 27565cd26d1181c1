/** What travels between clients, workers and nodes: generated messages, stubs and the error catalogue. */
module dev.fairlane.protocol {
    requires static org.jspecify;
    requires transitive com.google.protobuf;
    requires transitive io.grpc;
    requires transitive io.grpc.protobuf;
    requires transitive io.grpc.stub;
    requires transitive proto.google.common.protos;
    requires com.google.common;
    requires com.google.common.util.concurrent.internal;

    exports dev.fairlane.protocol;
    exports dev.fairlane.protocol.v1;
}
