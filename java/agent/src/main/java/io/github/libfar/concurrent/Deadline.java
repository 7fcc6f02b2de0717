package io.github.libfar.concurrent;

import java.util.concurrent.TimeUnit;

/** The end of a timed wait, by the clock of this rank: no field of a shared object may be one. */
final class Deadline {
  private static final long MAX_MILLIS = 1L << 40;

  private final long begin = System.nanoTime();
  private final long nanos;

  Deadline(long time, TimeUnit unit) {
    this(unit.toNanos(time));
  }

  Deadline(long nanos) {
    this.nanos = Math.max(0, nanos);  // Long.MIN_VALUE less the time that has passed is above 0
  }

  /** Nanoseconds; 0 or less: the time has passed. */
  long left() {
    return nanos - (System.nanoTime() - begin);
  }

  /** Waits in a monitor that the thread is in. Returns false, at once, if the time has passed. */
  boolean await(Object monitor) throws InterruptedException {
    if (Thread.interrupted()) throw new InterruptedException();
    final long left = left();
    if (left <= 0) return false;
    monitor.wait(Math.min(left / 1_000_000 + 1, MAX_MILLIS));
    return true;
  }
}
