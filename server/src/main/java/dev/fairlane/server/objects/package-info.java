/**
 * Large things at the edge: bytes that stream between a caller and the object store, and the rules which of them count.
 *
 * <p>Bytes are written first and pointed to afterwards: a checkpoint is put under a name of its own, and only then the node is asked to
 * move the job's pointer, which it does under the token of the present lease alone. What nobody points to (a zombie's bytes, the
 * checkpoints of ended jobs, what a killed server left) is removed by whoever made it or by {@link dev.fairlane.server.objects.Sweep}.
 */
@NullMarked
package dev.fairlane.server.objects;

import org.jspecify.annotations.NullMarked;
