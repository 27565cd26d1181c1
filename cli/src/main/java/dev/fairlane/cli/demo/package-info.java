/**
 * {@code ./fairlane demo}: a whole Fairlane that comes and goes. A server of its own on a throw-away home, a worker inside this
 * process, three tenants that all want more than there is, and a view of who gets what.
 *
 * <pre>
 * DemoCommand   one run: start, show, sum up, clean up
 *  ├ DemoServer     the server process; it cannot outlive this one
 *  ├ DemoLoad       tenants that submit, a worker that works, and what both measure
 *  └ DemoView       measurements → lines of text; knows nothing of time or servers
 * </pre>
 */
@NullMarked
package dev.fairlane.cli.demo;

import org.jspecify.annotations.NullMarked;
