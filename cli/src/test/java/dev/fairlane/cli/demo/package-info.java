@NullMarked
package dev.fairlane.cli.demo;

import org.jspecify.annotations.NullMarked;
