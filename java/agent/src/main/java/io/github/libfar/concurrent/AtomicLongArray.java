package io.github.libfar.concurrent;

import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;

/**
 * java.util.concurrent.atomic.AtomicLongArray, over ranks: pieces of an array, each with a
 * monitor, so that what one element costs does not grow with the array.
 */
public class AtomicLongArray {
  private static final int PIECE = 64;

  private final int length;
  private final long[][] pieces;

  public AtomicLongArray(int length) {
    this.length = length;
    pieces = new long[(length + PIECE - 1) / PIECE][];
    for (int k = 0; k < pieces.length; k++) {
      pieces[k] = new long[Math.min(PIECE, length - k * PIECE)];
    }
  }

  public AtomicLongArray(long[] from) {
    this(from.length);
    for (int k = 0; k < length; k++) pieces[k / PIECE][k % PIECE] = from[k];
  }

  private long[] piece(int at) {
    if (at < 0 || at >= length) throw new IndexOutOfBoundsException("index " + at);
    return pieces[at / PIECE];
  }

  public final int length() {
    return length;
  }

  public final long get(int at) {
    final long[] piece = piece(at);
    synchronized (piece) {
      return piece[at % PIECE];
    }
  }

  public final void set(int at, long to) {
    final long[] piece = piece(at);
    synchronized (piece) {
      piece[at % PIECE] = to;
    }
  }

  public final boolean compareAndSet(int at, long expected, long to) {
    final long[] piece = piece(at);
    synchronized (piece) {
      final long old = piece[at % PIECE];
      if (!(old == expected)) return false;
      piece[at % PIECE] = to;
      return true;
    }
  }

  public final long getAndUpdate(int at, LongUnaryOperator f) {
    final long[] piece = piece(at);
    synchronized (piece) {
      final long old = piece[at % PIECE];
      piece[at % PIECE] = f.applyAsLong(old);
      return old;
    }
  }

  public final long updateAndGet(int at, LongUnaryOperator f) {
    final long[] piece = piece(at);
    synchronized (piece) {
      final long now = f.applyAsLong(piece[at % PIECE]);
      piece[at % PIECE] = now;
      return now;
    }
  }

  public final long getAndSet(int at, long to) {
    return getAndUpdate(at, old -> to);
  }

  public final long getAndAccumulate(int at, long x, LongBinaryOperator f) {
    return getAndUpdate(at, old -> f.applyAsLong(old, x));
  }

  public final long accumulateAndGet(int at, long x, LongBinaryOperator f) {
    return updateAndGet(at, old -> f.applyAsLong(old, x));
  }

  public final long getAndAdd(int at, long n) {
    return getAndUpdate(at, old -> old + n);
  }

  public final long addAndGet(int at, long n) {
    return updateAndGet(at, old -> old + n);
  }

  public final long getAndIncrement(int at) {
    return getAndAdd(at, 1);
  }

  public final long getAndDecrement(int at) {
    return getAndAdd(at, -1);
  }

  public final long incrementAndGet(int at) {
    return addAndGet(at, 1);
  }

  public final long decrementAndGet(int at) {
    return addAndGet(at, -1);
  }

  public final long getPlain(int at) {
    return get(at);
  }

  public final long getOpaque(int at) {
    return get(at);
  }

  public final long getAcquire(int at) {
    return get(at);
  }

  public final void lazySet(int at, long to) {
    set(at, to);
  }

  public final void setPlain(int at, long to) {
    set(at, to);
  }

  public final void setOpaque(int at, long to) {
    set(at, to);
  }

  public final void setRelease(int at, long to) {
    set(at, to);
  }

  public final boolean weakCompareAndSet(int at, long expected, long to) {
    return compareAndSet(at, expected, to);
  }

  public final boolean weakCompareAndSetPlain(int at, long expected, long to) {
    return compareAndSet(at, expected, to);
  }

  public final boolean weakCompareAndSetVolatile(int at, long expected, long to) {
    return compareAndSet(at, expected, to);
  }

  public final boolean weakCompareAndSetAcquire(int at, long expected, long to) {
    return compareAndSet(at, expected, to);
  }

  public final boolean weakCompareAndSetRelease(int at, long expected, long to) {
    return compareAndSet(at, expected, to);
  }

  public final long compareAndExchange(int at, long expected, long to) {
    return getAndUpdate(at, old -> old == expected ? to : old);
  }

  public final long compareAndExchangeAcquire(int at, long expected, long to) {
    return compareAndExchange(at, expected, to);
  }

  public final long compareAndExchangeRelease(int at, long expected, long to) {
    return compareAndExchange(at, expected, to);
  }

  @Override
  public String toString() {
    final StringBuilder text = new StringBuilder("[");
    for (int k = 0; k < length; k++) text.append(k == 0 ? "" : ", ").append(get(k));
    return text.append(']').toString();
  }
}
