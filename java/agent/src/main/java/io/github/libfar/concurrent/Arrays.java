package io.github.libfar.concurrent;

import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;

/** Methods of java.util.Arrays whose results ranks can share. */
public final class Arrays {
  /** A list of the elements, which are those of the array. */
  @SafeVarargs
  public static <T> List<T> asList(T... elements) {
    return new ArrayAsList<>(elements);
  }

  private static final class ArrayAsList<T> extends AbstractList<T> implements RandomAccess {
    private final T[] elements;

    ArrayAsList(T[] elements) {
      if (elements == null) throw new NullPointerException();
      this.elements = elements;
    }

    @Override
    public int size() {
      return elements.length;
    }

    @Override
    public T get(int at) {
      return elements[at];
    }

    @Override
    public T set(int at, T to) {
      final T old = elements[at];
      elements[at] = to;
      return old;
    }

    @Override
    public Object[] toArray() {
      final Object[] copy = new Object[elements.length];
      System.arraycopy(elements, 0, copy, 0, copy.length);
      return copy;
    }

    @Override
    public void sort(java.util.Comparator<? super T> order) {
      java.util.Arrays.sort(elements, order);
    }
  }

  private Arrays() {}
}
