/**
 * Objects in an S3-compatible store, once per job although jobs run at least once: {@link dev.fairlane.sdk.objects.ObjectOnce} puts under
 * a name made of the job's effect key, and only if nothing is there.
 */
@NullMarked
package dev.fairlane.sdk.objects;

import org.jspecify.annotations.NullMarked;
