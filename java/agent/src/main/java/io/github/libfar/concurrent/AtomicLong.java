package io.github.libfar.concurrent;

import io.github.libfar.shared.Volatiles;
import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;

/** java.util.concurrent.atomic.AtomicLong, over ranks: its value is at its home. */
public class AtomicLong extends Number {
  private volatile long value;

  public AtomicLong() {}

  public AtomicLong(long initial) {
    value = initial;
  }

  public final long get() {
    return value;
  }

  public final long getPlain() {
    return value;
  }

  public final long getAcquire() {
    return value;
  }

  public final long getOpaque() {
    return value;
  }

  public final void set(long to) {
    value = to;
  }

  public final void lazySet(long to) {
    value = to;
  }

  public final void setRelease(long to) {
    value = to;
  }

  public final void setPlain(long to) {
    value = to;
  }

  public final boolean compareAndSet(long expected, long to) {
    return Volatiles.compareAndSet(this, "value", expected, to);
  }

  public final boolean weakCompareAndSetPlain(long expected, long to) {
    return compareAndSet(expected, to);
  }

  public final boolean weakCompareAndSetVolatile(long expected, long to) {
    return compareAndSet(expected, to);
  }

  public final boolean weakCompareAndSet(long expected, long to) {
    return compareAndSet(expected, to);
  }

  public final boolean weakCompareAndSetAcquire(long expected, long to) {
    return compareAndSet(expected, to);
  }

  public final boolean weakCompareAndSetRelease(long expected, long to) {
    return compareAndSet(expected, to);
  }

  public final long compareAndExchange(long expected, long to) {
    for (;;) {
      final long old = value;
      if (old != expected || compareAndSet(old, to)) return old;
    }
  }

  public final long compareAndExchangeAcquire(long expected, long to) {
    return compareAndExchange(expected, to);
  }

  public final long compareAndExchangeRelease(long expected, long to) {
    return compareAndExchange(expected, to);
  }

  public final void setOpaque(long to) {
    value = to;
  }

  public final long getAndAdd(long n) {
    return Volatiles.getAndAdd(this, "value", n);
  }

  public final long addAndGet(long n) {
    return getAndAdd(n) + n;
  }

  public final long getAndIncrement() {
    return getAndAdd(1);
  }

  public final long getAndDecrement() {
    return getAndAdd(-1);
  }

  public final long incrementAndGet() {
    return getAndAdd(1) + 1;
  }

  public final long decrementAndGet() {
    return getAndAdd(-1) - 1;
  }

  public final long getAndSet(long to) {
    return getAndUpdate(old -> to);
  }

  public final long getAndUpdate(LongUnaryOperator f) {
    for (;;) {
      final long old = value;
      if (compareAndSet(old, f.applyAsLong(old))) return old;
    }
  }

  public final long updateAndGet(LongUnaryOperator f) {
    for (;;) {
      final long old = value;
      final long now = f.applyAsLong(old);
      if (compareAndSet(old, now)) return now;
    }
  }

  public final long getAndAccumulate(long x, LongBinaryOperator f) {
    return getAndUpdate(old -> f.applyAsLong(old, x));
  }

  public final long accumulateAndGet(long x, LongBinaryOperator f) {
    return updateAndGet(old -> f.applyAsLong(old, x));
  }

  @Override
  public int intValue() {
    return (int) value;
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
