package io.github.libfar.concurrent;

import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;

/**
 * java.util.concurrent.atomic.AtomicReferenceArray, over ranks: pieces of an array, each with a
 * monitor, so that what one element costs does not grow with the array.
 */
public class AtomicReferenceArray<E> {
  private static final int PIECE = 64;

  private final int length;
  private final Object[][] pieces;

  public AtomicReferenceArray(int length) {
    this.length = length;
    pieces = new Object[(length + PIECE - 1) / PIECE][];
    for (int k = 0; k < pieces.length; k++) {
      pieces[k] = new Object[Math.min(PIECE, length - k * PIECE)];
    }
  }

  public AtomicReferenceArray(E[] from) {
    this(from.length);
    for (int k = 0; k < length; k++) pieces[k / PIECE][k % PIECE] = from[k];
  }

  private Object[] piece(int at) {
    if (at < 0 || at >= length) throw new IndexOutOfBoundsException("index " + at);
    return pieces[at / PIECE];
  }

  public final int length() {
    return length;
  }

  @SuppressWarnings("unchecked")
  public final E get(int at) {
    final Object[] piece = piece(at);
    synchronized (piece) {
      return (E) piece[at % PIECE];
    }
  }

  public final void set(int at, E to) {
    final Object[] piece = piece(at);
    synchronized (piece) {
      piece[at % PIECE] = to;
    }
  }

  @SuppressWarnings("unchecked")
  public final boolean compareAndSet(int at, E expected, E to) {
    final Object[] piece = piece(at);
    synchronized (piece) {
      final E old = (E) piece[at % PIECE];
      if (!(AtomicReference.isSame(old, expected))) return false;
      piece[at % PIECE] = to;
      return true;
    }
  }

  @SuppressWarnings("unchecked")
  public final E getAndUpdate(int at, UnaryOperator<E> f) {
    final Object[] piece = piece(at);
    synchronized (piece) {
      final E old = (E) piece[at % PIECE];
      piece[at % PIECE] = f.apply(old);
      return old;
    }
  }

  @SuppressWarnings("unchecked")
  public final E updateAndGet(int at, UnaryOperator<E> f) {
    final Object[] piece = piece(at);
    synchronized (piece) {
      final E now = f.apply((E) piece[at % PIECE]);
      piece[at % PIECE] = now;
      return now;
    }
  }

  public final E getAndSet(int at, E to) {
    return getAndUpdate(at, old -> to);
  }

  public final E getAndAccumulate(int at, E x, BinaryOperator<E> f) {
    return getAndUpdate(at, old -> f.apply(old, x));
  }

  public final E accumulateAndGet(int at, E x, BinaryOperator<E> f) {
    return updateAndGet(at, old -> f.apply(old, x));
  }

  public final E getPlain(int at) {
    return get(at);
  }

  public final E getOpaque(int at) {
    return get(at);
  }

  public final E getAcquire(int at) {
    return get(at);
  }

  public final void lazySet(int at, E to) {
    set(at, to);
  }

  public final void setPlain(int at, E to) {
    set(at, to);
  }

  public final void setOpaque(int at, E to) {
    set(at, to);
  }

  public final void setRelease(int at, E to) {
    set(at, to);
  }

  public final boolean weakCompareAndSet(int at, E expected, E to) {
    return compareAndSet(at, expected, to);
  }

  public final boolean weakCompareAndSetPlain(int at, E expected, E to) {
    return compareAndSet(at, expected, to);
  }

  public final boolean weakCompareAndSetVolatile(int at, E expected, E to) {
    return compareAndSet(at, expected, to);
  }

  public final boolean weakCompareAndSetAcquire(int at, E expected, E to) {
    return compareAndSet(at, expected, to);
  }

  public final boolean weakCompareAndSetRelease(int at, E expected, E to) {
    return compareAndSet(at, expected, to);
  }

  public final E compareAndExchange(int at, E expected, E to) {
    return getAndUpdate(at, old -> AtomicReference.isSame(old, expected) ? to : old);
  }

  public final E compareAndExchangeAcquire(int at, E expected, E to) {
    return compareAndExchange(at, expected, to);
  }

  public final E compareAndExchangeRelease(int at, E expected, E to) {
    return compareAndExchange(at, expected, to);
  }

  @Override
  public String toString() {
    final StringBuilder text = new StringBuilder("[");
    for (int k = 0; k < length; k++) text.append(k == 0 ? "" : ", ").append(get(k));
    return text.append(']').toString();
  }
}
