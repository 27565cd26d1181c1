/**
 * Where large things lie: checkpoints of long jobs, payloads and results that are too large for the journal.
 *
 * <p>{@link dev.fairlane.objects.ObjectStore} is the port: immutable bytes under a name. An object is there whole or not at all, and
 * who reads it while it is replaced reads the old or the new one. Nothing here knows jobs; what a name means, who may read it and when
 * it goes is decided by whoever uses the port, and the journal alone says which object counts: an object nobody points to is rubbish
 * that a sweep removes.
 *
 * <p>{@link dev.fairlane.objects.LocalDisk} is the default. {@link dev.fairlane.objects.S3Store} speaks to anything with the API of S3.
 * Both pass the same contract suite.
 */
@NullMarked
package dev.fairlane.objects;

import org.jspecify.annotations.NullMarked;
