package io.github.libfar.concurrent;

import io.github.libfar.shared.VolatileField;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;

/**
 * java.util.concurrent.atomic.AtomicReferenceFieldUpdater, over ranks. Strings and numbers are
 * compared by value.
 */
public abstract class AtomicReferenceFieldUpdater<T, V> {
  protected AtomicReferenceFieldUpdater() {}

  public static <U, W> AtomicReferenceFieldUpdater<U, W> newUpdater(Class<U> owner, Class<W> type,
      String field) {
    return new OfField<>(new VolatileField(owner, field, type));
  }

  private static final class OfField<T, V> extends AtomicReferenceFieldUpdater<T, V> {
    private final VolatileField field;

    OfField(VolatileField field) {
      this.field = field;
    }

    @Override
    @SuppressWarnings("unchecked")
    public V get(T o) {
      return (V) field.getReference(o);
    }

    @Override
    public void set(T o, V to) {
      field.setReference(o, to);
    }

    @Override
    public void lazySet(T o, V to) {
      field.setReference(o, to);
    }

    @Override
    public boolean compareAndSet(T o, V expected, V to) {
      return field.replaceReference(o, expected, to);
    }

    @Override
    public boolean weakCompareAndSet(T o, V expected, V to) {
      return field.replaceReference(o, expected, to);
    }
  }

  public abstract V get(T o);

  public abstract void set(T o, V to);

  public abstract void lazySet(T o, V to);

  public abstract boolean compareAndSet(T o, V expected, V to);

  public abstract boolean weakCompareAndSet(T o, V expected, V to);

  public V getAndSet(T o, V to) {
    return getAndUpdate(o, old -> to);
  }

  public final V getAndUpdate(T o, UnaryOperator<V> f) {
    for (;;) {
      final V old = get(o);
      if (compareAndSet(o, old, f.apply(old))) return old;
    }
  }

  public final V updateAndGet(T o, UnaryOperator<V> f) {
    for (;;) {
      final V old = get(o);
      final V to = f.apply(old);
      if (compareAndSet(o, old, to)) return to;
    }
  }

  public final V getAndAccumulate(T o, V x, BinaryOperator<V> f) {
    return getAndUpdate(o, old -> f.apply(old, x));
  }

  public final V accumulateAndGet(T o, V x, BinaryOperator<V> f) {
    return updateAndGet(o, old -> f.apply(old, x));
  }
}
