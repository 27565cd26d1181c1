/** The in-memory journal against the contract, and its steps one by one. */
@NullMarked
package dev.fairlane.journal.memory;

import org.jspecify.annotations.NullMarked;
