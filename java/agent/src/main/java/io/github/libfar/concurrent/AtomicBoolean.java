package io.github.libfar.concurrent;

/** java.util.concurrent.atomic.AtomicBoolean, over ranks. */
public class AtomicBoolean {
  private final AtomicInteger value;

  public AtomicBoolean() {
    this(false);
  }

  public AtomicBoolean(boolean initial) {
    value = new AtomicInteger(number(initial));
  }

  private static int number(boolean b) {
    return b ? 1 : 0;
  }

  public final boolean get() {
    return value.get() != 0;
  }

  public final void set(boolean to) {
    value.set(number(to));
  }

  public final void lazySet(boolean to) {
    set(to);
  }

  public final boolean getAndSet(boolean to) {
    return value.getAndSet(number(to)) != 0;
  }

  public final boolean compareAndSet(boolean expected, boolean to) {
    return value.compareAndSet(number(expected), number(to));
  }

  public final boolean getPlain() {
    return get();
  }

  public final boolean getOpaque() {
    return get();
  }

  public final boolean getAcquire() {
    return get();
  }

  public final void setPlain(boolean to) {
    set(to);
  }

  public final void setOpaque(boolean to) {
    set(to);
  }

  public final void setRelease(boolean to) {
    set(to);
  }

  public boolean weakCompareAndSet(boolean expected, boolean to) {
    return compareAndSet(expected, to);
  }

  public boolean weakCompareAndSetPlain(boolean expected, boolean to) {
    return compareAndSet(expected, to);
  }

  public boolean weakCompareAndSetVolatile(boolean expected, boolean to) {
    return compareAndSet(expected, to);
  }

  public final boolean weakCompareAndSetAcquire(boolean expected, boolean to) {
    return compareAndSet(expected, to);
  }

  public final boolean weakCompareAndSetRelease(boolean expected, boolean to) {
    return compareAndSet(expected, to);
  }

  public final boolean compareAndExchange(boolean expected, boolean to) {
    return value.compareAndExchange(number(expected), number(to)) != 0;
  }

  public final boolean compareAndExchangeAcquire(boolean expected, boolean to) {
    return compareAndExchange(expected, to);
  }

  public final boolean compareAndExchangeRelease(boolean expected, boolean to) {
    return compareAndExchange(expected, to);
  }

  @Override
  public String toString() {
    return String.valueOf(get());
  }
}
