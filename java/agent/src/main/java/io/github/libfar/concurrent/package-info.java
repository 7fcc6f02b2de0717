/**
 * What a program gets in place of classes of java.util.concurrent that work by compare-and-swap on
 * the JVM's own memory. These work by monitors and volatile fields, so the agent rewrites them as
 * it rewrites the program, and ranks can share their objects.
 */
package io.github.libfar.concurrent;
