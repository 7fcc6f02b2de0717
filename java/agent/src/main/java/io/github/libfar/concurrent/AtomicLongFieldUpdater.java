package io.github.libfar.concurrent;

import io.github.libfar.shared.VolatileField;
import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;

/** java.util.concurrent.atomic.AtomicLongFieldUpdater, over ranks: the value is at its home. */
public abstract class AtomicLongFieldUpdater<T> {
  protected AtomicLongFieldUpdater() {}

  public static <U> AtomicLongFieldUpdater<U> newUpdater(Class<U> owner, String field) {
    return new OfField<>(new VolatileField(owner, field, long.class));
  }

  private static final class OfField<T> extends AtomicLongFieldUpdater<T> {
    private final VolatileField field;

    OfField(VolatileField field) {
      this.field = field;
    }

    @Override
    public long get(T o) {
      return field.getNumber(o);
    }

    @Override
    public void set(T o, long to) {
      field.setNumber(o, to);
    }

    @Override
    public void lazySet(T o, long to) {
      field.setNumber(o, to);
    }

    @Override
    public boolean compareAndSet(T o, long expected, long to) {
      return field.replaceNumber(o, expected, to);
    }

    @Override
    public boolean weakCompareAndSet(T o, long expected, long to) {
      return field.replaceNumber(o, expected, to);
    }
  }

  public abstract long get(T o);

  public abstract void set(T o, long to);

  public abstract void lazySet(T o, long to);

  public abstract boolean compareAndSet(T o, long expected, long to);

  public abstract boolean weakCompareAndSet(T o, long expected, long to);

  public long getAndSet(T o, long to) {
    return getAndUpdate(o, old -> to);
  }

  public long getAndAdd(T o, long n) {
    return getAndUpdate(o, old -> old + n);
  }

  public long addAndGet(T o, long n) {
    return getAndAdd(o, n) + n;
  }

  public long getAndIncrement(T o) {
    return getAndAdd(o, 1);
  }

  public long getAndDecrement(T o) {
    return getAndAdd(o, -1);
  }

  public long incrementAndGet(T o) {
    return addAndGet(o, 1);
  }

  public long decrementAndGet(T o) {
    return addAndGet(o, -1);
  }

  public final long getAndUpdate(T o, LongUnaryOperator f) {
    for (;;) {
      final long old = get(o);
      if (compareAndSet(o, old, f.applyAsLong(old))) return old;
    }
  }

  public final long updateAndGet(T o, LongUnaryOperator f) {
    for (;;) {
      final long old = get(o);
      final long to = f.applyAsLong(old);
      if (compareAndSet(o, old, to)) return to;
    }
  }

  public final long getAndAccumulate(T o, long x, LongBinaryOperator f) {
    return getAndUpdate(o, old -> f.applyAsLong(old, x));
  }

  public final long accumulateAndGet(T o, long x, LongBinaryOperator f) {
    return updateAndGet(o, old -> f.applyAsLong(old, x));
  }
}
