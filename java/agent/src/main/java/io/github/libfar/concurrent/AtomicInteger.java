package io.github.libfar.concurrent;

import io.github.libfar.shared.Volatiles;
import java.util.function.IntBinaryOperator;
import java.util.function.IntUnaryOperator;

/** java.util.concurrent.atomic.AtomicInteger, over ranks: its value is at its home. */
public class AtomicInteger extends Number {
  private volatile int value;

  public AtomicInteger() {}

  public AtomicInteger(int initial) {
    value = initial;
  }

  public final int get() {
    return value;
  }

  public final int getPlain() {
    return value;
  }

  public final int getAcquire() {
    return value;
  }

  public final int getOpaque() {
    return value;
  }

  public final void set(int to) {
    value = to;
  }

  public final void lazySet(int to) {
    value = to;
  }

  public final void setRelease(int to) {
    value = to;
  }

  public final void setPlain(int to) {
    value = to;
  }

  public final boolean compareAndSet(int expected, int to) {
    return Volatiles.compareAndSet(this, "value", expected, to);
  }

  public final boolean weakCompareAndSetPlain(int expected, int to) {
    return compareAndSet(expected, to);
  }

  public final boolean weakCompareAndSetVolatile(int expected, int to) {
    return compareAndSet(expected, to);
  }

  public final boolean weakCompareAndSet(int expected, int to) {
    return compareAndSet(expected, to);
  }

  public final boolean weakCompareAndSetAcquire(int expected, int to) {
    return compareAndSet(expected, to);
  }

  public final boolean weakCompareAndSetRelease(int expected, int to) {
    return compareAndSet(expected, to);
  }

  public final int compareAndExchange(int expected, int to) {
    for (;;) {
      final int old = value;
      if (old != expected || compareAndSet(old, to)) return old;
    }
  }

  public final int compareAndExchangeAcquire(int expected, int to) {
    return compareAndExchange(expected, to);
  }

  public final int compareAndExchangeRelease(int expected, int to) {
    return compareAndExchange(expected, to);
  }

  public final void setOpaque(int to) {
    value = to;
  }

  public final int getAndAdd(int n) {
    return Volatiles.getAndAdd(this, "value", n);
  }

  public final int addAndGet(int n) {
    return getAndAdd(n) + n;
  }

  public final int getAndIncrement() {
    return getAndAdd(1);
  }

  public final int getAndDecrement() {
    return getAndAdd(-1);
  }

  public final int incrementAndGet() {
    return getAndAdd(1) + 1;
  }

  public final int decrementAndGet() {
    return getAndAdd(-1) - 1;
  }

  public final int getAndSet(int to) {
    return getAndUpdate(old -> to);
  }

  public final int getAndUpdate(IntUnaryOperator f) {
    for (;;) {
      final int old = value;
      if (compareAndSet(old, f.applyAsInt(old))) return old;
    }
  }

  public final int updateAndGet(IntUnaryOperator f) {
    for (;;) {
      final int old = value;
      final int now = f.applyAsInt(old);
      if (compareAndSet(old, now)) return now;
    }
  }

  public final int getAndAccumulate(int x, IntBinaryOperator f) {
    return getAndUpdate(old -> f.applyAsInt(old, x));
  }

  public final int accumulateAndGet(int x, IntBinaryOperator f) {
    return updateAndGet(old -> f.applyAsInt(old, x));
  }

  @Override
  public int intValue() {
    return value;
  }

  @Override
  public long longValue() {
    return value;
  }

  @Override
  public float floatValue() {
    return value;
  }

  @Override
  public double doubleValue() {
    return value;
  }

  @Override
  public String toString() {
    return String.valueOf(value);
  }
}
