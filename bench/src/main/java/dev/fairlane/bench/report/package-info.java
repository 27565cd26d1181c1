/** What a benchmark found, with what it takes to repeat it: machine, versions, commit, settings. */
@NullMarked
package dev.fairlane.bench.report;

import org.jspecify.annotations.NullMarked;
