package io.github.libfar.concurrent;

import io.github.libfar.shared.Volatiles;
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
    if (!isSame(old, expected)) return false;
    value = to;
    return true;
  }

  /** Whether it is one object: what travels by value is another one on each rank. */
  static boolean isSame(Object a, Object b) {
    return Volatiles.isSame(a, b);
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

  public final V getPlain() {
    return value;
  }

  public final V getOpaque() {
    return value;
  }

  public final V getAcquire() {
    return value;
  }

  public final void setPlain(V to) {
    set(to);
  }

  public final void setOpaque(V to) {
    set(to);
  }

  public final void setRelease(V to) {
    set(to);
  }

  public final boolean weakCompareAndSet(V expected, V to) {
    return compareAndSet(expected, to);
  }

  public final boolean weakCompareAndSetPlain(V expected, V to) {
    return compareAndSet(expected, to);
  }

  public final boolean weakCompareAndSetVolatile(V expected, V to) {
    return compareAndSet(expected, to);
  }

  public final boolean weakCompareAndSetAcquire(V expected, V to) {
    return compareAndSet(expected, to);
  }

  public final boolean weakCompareAndSetRelease(V expected, V to) {
    return compareAndSet(expected, to);
  }

  public final synchronized V compareAndExchange(V expected, V to) {
    final V old = value;
    if (isSame(old, expected)) value = to;
    return old;
  }

  public final V compareAndExchangeAcquire(V expected, V to) {
    return compareAndExchange(expected, to);
  }

  public final V compareAndExchangeRelease(V expected, V to) {
    return compareAndExchange(expected, to);
  }

  @Override
  public String toString() {
    return String.valueOf(get());
  }
}
