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

  @Override
  public String toString() {
    return String.valueOf(get());
  }
}
