package io.github.libfar;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/** A handle of libfar_c, until it is closed. */
final class Handle {
  private final AtomicLong value;
  private final String what;
  private final LongConsumer drop;

  /**
   * A handle.
   *
   * @param what "the map"
   */
  Handle(long value, String what, LongConsumer drop) {
    this.value = new AtomicLong(value);
    this.what = what;
    this.drop = drop;
  }

  long get() {
    long now = value.getPlain();
    if (now == 0) throw new IllegalStateException(what + " has been closed");
    return now;
  }

  /** Does not communicate; a no-op the second time, and after the job. */
  void close() {
    long now = value.getAndSet(0);
    if (now == 0 || Native.size() == 0) return;
    drop.accept(now);
  }
}
