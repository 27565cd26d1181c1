@org.jspecify.annotations.NullMarked
package dev.fairlane.sdk.jdbc;
