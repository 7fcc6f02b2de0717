package io.github.libfar.concurrent;

/** java.util.concurrent.atomic.DoubleAdder, over ranks: by the monitor of this object. */
public class DoubleAdder extends Number {
  private double sum;

  public synchronized void add(double n) {
    sum += n;
  }

  public synchronized double sum() {
    return sum;
  }

  public synchronized void reset() {
    sum = 0;
  }

  public synchronized double sumThenReset() {
    final double old = sum;
    sum = 0;
    return old;
  }

  @Override
  public int intValue() {
    return (int) sum();
  }

  @Override
  public long longValue() {
    return (long) sum();
  }

  @Override
  public float floatValue() {
    return (float) sum();
  }

  @Override
  public double doubleValue() {
    return sum();
  }

  @Override
  public String toString() {
    return String.valueOf(sum());
  }
}
