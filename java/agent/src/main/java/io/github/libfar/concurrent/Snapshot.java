package io.github.libfar.concurrent;

import java.util.Collection;
import java.util.Iterator;
import java.util.List;

/** Iterates over a collection's elements as they were; what it removes is removed from there. */
final class Snapshot<E> implements Iterator<E> {
  private final Collection<?> of;
  private final List<E> elements;
  private int next;
  private boolean mayRemove;

  Snapshot(Collection<?> of, List<E> elements) {
    this.of = of;
    this.elements = elements;
  }

  @Override
  public boolean hasNext() {
    return next < elements.size();
  }

  @Override
  public E next() {
    if (!hasNext()) throw new java.util.NoSuchElementException();
    mayRemove = true;
    return elements.get(next++);
  }

  @Override
  public void remove() {
    if (!mayRemove) throw new IllegalStateException();
    mayRemove = false;
    of.remove(elements.get(next - 1));
  }
}
