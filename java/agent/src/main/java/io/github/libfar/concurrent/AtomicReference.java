package io.github.libfar.concurrent;

import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;

/**
 * java.util.concurrent.atomic.AtomicReference, over ranks. Strings and numbers are compared by
 * value.
 */
public class AtomicReference<V> {
  private volatile V value;

  public AtomicReference() {}

  public AtomicReference(V initial) {
    value = initial;
  }

  public final V get() {
    return value;
  }

  public final synchronized void set(V to) {
    value = to;
  }

  public final void lazySet(V to) {
    set(to);
  }

  public final synchronized V getAndSet(V to) {
    final V old = value;
    value = to;
    return old;
  }

  public final synchronized boolean compareAndSet(V expected, V to) {
    final V old = value;
    if (old != expected && !isEqualValue(old, expected)) return false;
    value = to;
    return true;
  }

  /** What travels by value is another object on each rank. */
  private static boolean isEqualValue(Object a, Object b) {
    return (a instanceof String || a instanceof Number) && b != null && a.getClass() == b.getClass()
        && a.equals(b);
  }

  public final synchronized V getAndUpdate(UnaryOperator<V> f) {
    final V old = value;
    value = f.apply(old);
    return old;
  }

  public final synchronized V updateAndGet(UnaryOperator<V> f) {
    value = f.apply(value);
    return value;
  }

  public final V getAndAccumulate(V x, BinaryOperator<V> f) {
    return getAndUpdate(old -> f.apply(old, x));
  }

  public final V accumulateAndGet(V x, BinaryOperator<V> f) {
    return updateAndGet(old -> f.apply(old, x));
  }

  @Override
  public String toString() {
    return String.valueOf(get());
  }
}
