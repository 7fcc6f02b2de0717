package io.github.libfar.concurrent;

import io.github.libfar.shared.ThreadValues;
import java.util.function.Supplier;

/** java.lang.ThreadLocal, which ranks can share: a thread's value stays on the thread's rank. */
public class ThreadLocal<T> {
  private final Supplier<? extends T> initial;

  public ThreadLocal() {
    this(null);
  }

  private ThreadLocal(Supplier<? extends T> initial) {
    this.initial = initial;
  }

  public static <S> ThreadLocal<S> withInitial(Supplier<? extends S> supplier) {
    if (supplier == null) throw new NullPointerException();
    return new ThreadLocal<>(supplier);
  }

  protected T initialValue() {
    return initial == null ? null : initial.get();
  }

  @SuppressWarnings("unchecked")
  public T get() {
    if (ThreadValues.contains(this)) return (T) ThreadValues.get(this);
    final T value = initialValue();
    set(value);
    return value;
  }

  public void set(T value) {
    ThreadValues.set(this, value);
  }

  public void remove() {
    ThreadValues.remove(this);
  }
}
