/**
 * The PostgreSQL that comes with Fairlane: unpacked, initialised, started, watched and stopped by the server itself.
 *
 * <h2>What it promises</h2>
 *
 * <ul>
 *   <li>Data stays. A home folder is initialised once and every later start finds it again, whoever was killed in
 *       between: commits are durable (fsync, full page writes, checksums), and recovery is PostgreSQL's own.
 *   <li>One owner. A lock file held by the JVM lets one server use a home at a time; a second one is told so.
 *   <li>Nobody else gets in. SCRAM with a random password that only the owner can read, listening on the loopback
 *       address alone.
 *   <li>It is never mistaken. A running PostgreSQL is ours only if the process named in {@code postmaster.pid} is a
 *       {@code postgres} whose working folder <em>is</em> our data folder. A port that answers proves nothing.
 * </ul>
 *
 * <h2>A home folder</h2>
 *
 * <pre>
 * home/
 *   lock              held by the JVM that owns the home
 *   password          of the superuser, readable by its owner only
 *   port              the last port, taken again while it is free
 *   start.log         what PostgreSQL said before its own log began (data/log, one file per weekday)
 *   binaries/18.6.0/  unpacked once per version
 *   data/             the PostgreSQL cluster; fairlane.conf in it is rewritten at every start,
 *                     postgresql.conf is the operator's and wins
 * </pre>
 *
 * Folders that take time to fill (binaries, data) are filled under another name and renamed when complete, so a kill at
 * any moment leaves either nothing or the whole.
 *
 * <h2>Who dies, and what then</h2>
 *
 * <table>
 * <caption>Faults and answers</caption>
 * <tr><th>killed</th><th>what happens</th></tr>
 * <tr><td>a backend</td><td>PostgreSQL restarts its processes by itself; connections break and come back</td></tr>
 * <tr><td>the postmaster</td><td>the watchdog kills what is left of it (a backend deep in a query would keep the shared
 *     memory, and with it the folder, busy) and starts it again on the same port</td></tr>
 * <tr><td>the JVM</td><td>PostgreSQL lives on as an orphan, in a session of its own. The next start adopts it if it runs
 *     the same binaries with the same settings and answers; otherwise it stops it and starts afresh</td></tr>
 * <tr><td>all of them, or the machine</td><td>the next start recovers. A {@code postmaster.pid} whose number now belongs
 *     to another program is removed; PostgreSQL alone would refuse to start</td></tr>
 * </table>
 *
 * <h2>Root</h2>
 *
 * PostgreSQL refuses to run as root. See {@link dev.fairlane.journal.postgres.embedded.RunAs} for how root is left, and
 * why the owner of the data folder decides it.
 */
@NullMarked
package dev.fairlane.journal.postgres.embedded;

import org.jspecify.annotations.NullMarked;
