package io.github.libfar.concurrent;

import io.github.libfar.shared.Inheritable;

/**
 * java.lang.InheritableThreadLocal, which ranks can share. A new thread takes the value of the
 * thread that makes it along to its rank.
 */
public class InheritableThreadLocal<T> extends ThreadLocal<T> implements Inheritable {
  protected T childValue(T value) {
    return value;
  }

  @Override
  @SuppressWarnings("unchecked")
  public final Object valueOfChild(Object value) {
    return childValue((T) value);
  }
}
