package io.github.libfar.shared;

/**
 * Keeps twins of objects after a release, so that the next write need not make a new copy. Together
 * they may take a part of the JVM's memory.
 *
 * <p>Threads: all methods are called under Space's lock.
 */
final class Twins {
  private final long maxBytes;
  private long bytes;

  Twins(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** Whether to keep an object's twin. */
  boolean keeps(Mirror m, long size) {
    if (m.keptTwin != 0) return true;
    if (m.twin == null || bytes + size > maxBytes) return false;
    bytes += size;
    m.keptTwin = size;
    return true;
  }

  /** The object is gone. */
  void forget(Mirror m) {
    bytes -= m.keptTwin;
    m.keptTwin = 0;
  }
}
