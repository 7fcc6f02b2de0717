package io.github.libfar.concurrent;

import java.util.function.LongBinaryOperator;

/** java.util.concurrent.atomic.LongAccumulator, over ranks: by the monitor of this object. */
public class LongAccumulator extends Number {
  private final LongBinaryOperator function;
  private final long identity;
  private long value;

  public LongAccumulator(LongBinaryOperator function, long identity) {
    this.function = function;
    this.identity = identity;
    value = identity;
  }

  public synchronized void accumulate(long x) {
    value = function.applyAsLong(value, x);
  }

  public synchronized long get() {
    return value;
  }

  public synchronized void reset() {
    value = identity;
  }

  public synchronized long getThenReset() {
    final long old = value;
    value = identity;
    return old;
  }

  @Override
  public int intValue() {
    return (int) get();
  }

  @Override
  public long longValue() {
    return get();
  }

  @Override
  public float floatValue() {
    return get();
  }

  @Override
  public double doubleValue() {
    return get();
  }

  @Override
  public String toString() {
    return String.valueOf(get());
  }
}
