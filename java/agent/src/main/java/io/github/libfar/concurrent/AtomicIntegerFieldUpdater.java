package io.github.libfar.concurrent;

import io.github.libfar.shared.VolatileField;
import java.util.function.IntBinaryOperator;
import java.util.function.IntUnaryOperator;

/** java.util.concurrent.atomic.AtomicIntegerFieldUpdater, over ranks: the value is at its home. */
public abstract class AtomicIntegerFieldUpdater<T> {
  protected AtomicIntegerFieldUpdater() {}

  public static <U> AtomicIntegerFieldUpdater<U> newUpdater(Class<U> owner, String field) {
    return new OfField<>(new VolatileField(owner, field, int.class));
  }

  private static final class OfField<T> extends AtomicIntegerFieldUpdater<T> {
    private final VolatileField field;

    OfField(VolatileField field) {
      this.field = field;
    }

    @Override
    public int get(T o) {
      return (int) field.getNumber(o);
    }

    @Override
    public void set(T o, int to) {
      field.setNumber(o, to);
    }

    @Override
    public void lazySet(T o, int to) {
      field.setNumber(o, to);
    }

    @Override
    public boolean compareAndSet(T o, int expected, int to) {
      return field.replaceNumber(o, expected, to);
    }

    @Override
    public boolean weakCompareAndSet(T o, int expected, int to) {
      return field.replaceNumber(o, expected, to);
    }
  }

  public abstract int get(T o);

  public abstract void set(T o, int to);

  public abstract void lazySet(T o, int to);

  public abstract boolean compareAndSet(T o, int expected, int to);

  public abstract boolean weakCompareAndSet(T o, int expected, int to);

  public int getAndSet(T o, int to) {
    return getAndUpdate(o, old -> to);
  }

  public int getAndAdd(T o, int n) {
    return getAndUpdate(o, old -> old + n);
  }

  public int addAndGet(T o, int n) {
    return getAndAdd(o, n) + n;
  }

  public int getAndIncrement(T o) {
    return getAndAdd(o, 1);
  }

  public int getAndDecrement(T o) {
    return getAndAdd(o, -1);
  }

  public int incrementAndGet(T o) {
    return addAndGet(o, 1);
  }

  public int decrementAndGet(T o) {
    return addAndGet(o, -1);
  }

  public final int getAndUpdate(T o, IntUnaryOperator f) {
    for (;;) {
      final int old = get(o);
      if (compareAndSet(o, old, f.applyAsInt(old))) return old;
    }
  }

  public final int updateAndGet(T o, IntUnaryOperator f) {
    for (;;) {
      final int old = get(o);
      final int to = f.applyAsInt(old);
      if (compareAndSet(o, old, to)) return to;
    }
  }

  public final int getAndAccumulate(T o, int x, IntBinaryOperator f) {
    return getAndUpdate(o, old -> f.applyAsInt(old, x));
  }

  public final int accumulateAndGet(T o, int x, IntBinaryOperator f) {
    return updateAndGet(o, old -> f.applyAsInt(old, x));
  }
}
