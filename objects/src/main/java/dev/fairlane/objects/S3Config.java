package dev.fairlane.objects;

/**
 * Where an S3-compatible store is.
 *
 * @param endpoint its address; empty: Amazon's own for the region
 * @param prefix put before every name, so that a bucket can be shared; empty for none
 * @param pathStyle the bucket stands in the path instead of the host name, as most S3-compatible servers want it
 * @param accessKey empty: what the environment offers (variables, files, roles)
 */
public record S3Config(
        String endpoint,
        String region,
        String bucket,
        String prefix,
        boolean pathStyle,
        String accessKey,
        String secretKey,
        int partBytes) {
    /** The smallest part S3 takes. */
    public static final int LEAST_PART_BYTES = 5 << 20;

    public static final int PART_BYTES = 8 << 20;

    public S3Config {
        if (partBytes < LEAST_PART_BYTES) {
            throw new IllegalArgumentException(
                    "expected parts of at least " + LEAST_PART_BYTES + " bytes, but got " + partBytes);
        }
    }

    /** Says nothing of the keys. */
    @Override
    public String toString() {
        return "S3Config[" + (endpoint.isEmpty() ? region : endpoint) + ", " + bucket + "/" + prefix + "]";
    }
}
