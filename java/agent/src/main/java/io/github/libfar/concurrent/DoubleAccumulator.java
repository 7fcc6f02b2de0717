package io.github.libfar.concurrent;

import java.util.function.DoubleBinaryOperator;

/** java.util.concurrent.atomic.DoubleAccumulator, over ranks: by the monitor of this object. */
public class DoubleAccumulator extends Number {
  private final DoubleBinaryOperator function;
  private final double identity;
  private double value;

  public DoubleAccumulator(DoubleBinaryOperator function, double identity) {
    this.function = function;
    this.identity = identity;
    value = identity;
  }

  public synchronized void accumulate(double x) {
    value = function.applyAsDouble(value, x);
  }

  public synchronized double get() {
    return value;
  }

  public synchronized void reset() {
    value = identity;
  }

  public synchronized double getThenReset() {
    final double old = value;
    value = identity;
    return old;
  }

  @Override
  public int intValue() {
    return (int) get();
  }

  @Override
  public long longValue() {
    return (long) get();
  }

  @Override
  public float floatValue() {
    return (float) get();
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
