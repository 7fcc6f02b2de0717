package io.github.libfar.concurrent;

import java.util.function.IntBinaryOperator;
import java.util.function.IntUnaryOperator;

/**
 * java.util.concurrent.atomic.AtomicIntegerArray, over ranks: pieces of an array, each with a
 * monitor, so that what one element costs does not grow with the array.
 */
public class AtomicIntegerArray {
  private static final int PIECE = 64;

  private final int length;
  private final int[][] pieces;

  public AtomicIntegerArray(int length) {
    this.length = length;
    pieces = new int[(length + PIECE - 1) / PIECE][];
    for (int k = 0; k < pieces.length; k++) {
      pieces[k] = new int[Math.min(PIECE, length - k * PIECE)];
    }
  }

  public AtomicIntegerArray(int[] from) {
    this(from.length);
    for (int k = 0; k < length; k++) pieces[k / PIECE][k % PIECE] = from[k];
  }

  private int[] piece(int at) {
    if (at < 0 || at >= length) throw new IndexOutOfBoundsException("index " + at);
    return pieces[at / PIECE];
  }

  public final int length() {
    return length;
  }

  public final int get(int at) {
    final int[] piece = piece(at);
    synchronized (piece) {
      return piece[at % PIECE];
    }
  }

  public final void set(int at, int to) {
    final int[] piece = piece(at);
    synchronized (piece) {
      piece[at % PIECE] = to;
    }
  }

  public final boolean compareAndSet(int at, int expected, int to) {
    final int[] piece = piece(at);
    synchronized (piece) {
      final int old = piece[at % PIECE];
      if (!(old == expected)) return false;
      piece[at % PIECE] = to;
      return true;
    }
  }

  public final int getAndUpdate(int at, IntUnaryOperator f) {
    final int[] piece = piece(at);
    synchronized (piece) {
      final int old = piece[at % PIECE];
      piece[at % PIECE] = f.applyAsInt(old);
      return old;
    }
  }

  public final int updateAndGet(int at, IntUnaryOperator f) {
    final int[] piece = piece(at);
    synchronized (piece) {
      final int now = f.applyAsInt(piece[at % PIECE]);
      piece[at % PIECE] = now;
      return now;
    }
  }

  public final int getAndSet(int at, int to) {
    return getAndUpdate(at, old -> to);
  }

  public final int getAndAccumulate(int at, int x, IntBinaryOperator f) {
    return getAndUpdate(at, old -> f.applyAsInt(old, x));
  }

  public final int accumulateAndGet(int at, int x, IntBinaryOperator f) {
    return updateAndGet(at, old -> f.applyAsInt(old, x));
  }

  public final int getAndAdd(int at, int n) {
    return getAndUpdate(at, old -> old + n);
  }

  public final int addAndGet(int at, int n) {
    return updateAndGet(at, old -> old + n);
  }

  public final int getAndIncrement(int at) {
    return getAndAdd(at, 1);
  }

  public final int getAndDecrement(int at) {
    return getAndAdd(at, -1);
  }

  public final int incrementAndGet(int at) {
    return addAndGet(at, 1);
  }

  public final int decrementAndGet(int at) {
    return addAndGet(at, -1);
  }

  public final int getPlain(int at) {
    return get(at);
  }

  public final int getOpaque(int at) {
    return get(at);
  }

  public final int getAcquire(int at) {
    return get(at);
  }

  public final void lazySet(int at, int to) {
    set(at, to);
  }

  public final void setPlain(int at, int to) {
    set(at, to);
  }

  public final void setOpaque(int at, int to) {
    set(at, to);
  }

  public final void setRelease(int at, int to) {
    set(at, to);
  }

  public final boolean weakCompareAndSet(int at, int expected, int to) {
    return compareAndSet(at, expected, to);
  }

  public final boolean weakCompareAndSetPlain(int at, int expected, int to) {
    return compareAndSet(at, expected, to);
  }

  public final boolean weakCompareAndSetVolatile(int at, int expected, int to) {
    return compareAndSet(at, expected, to);
  }

  public final boolean weakCompareAndSetAcquire(int at, int expected, int to) {
    return compareAndSet(at, expected, to);
  }

  public final boolean weakCompareAndSetRelease(int at, int expected, int to) {
    return compareAndSet(at, expected, to);
  }

  public final int compareAndExchange(int at, int expected, int to) {
    return getAndUpdate(at, old -> old == expected ? to : old);
  }

  public final int compareAndExchangeAcquire(int at, int expected, int to) {
    return compareAndExchange(at, expected, to);
  }

  public final int compareAndExchangeRelease(int at, int expected, int to) {
    return compareAndExchange(at, expected, to);
  }

  @Override
  public String toString() {
    final StringBuilder text = new StringBuilder("[");
    for (int k = 0; k < length; k++) text.append(k == 0 ? "" : ", ").append(get(k));
    return text.append(']').toString();
  }
}
