package io.github.libfar.concurrent;

import java.util.AbstractQueue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.Objects;
import java.util.Queue;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Predicate;

/** A queue of another one's elements, all in the monitor of this object. */
abstract class MonitorQueue<E> extends AbstractQueue<E> {
  final Queue<E> items;
  final int capacity;

  MonitorQueue(Queue<E> items, int capacity) {
    if (capacity <= 0) throw new IllegalArgumentException();
    this.items = items;
    this.capacity = capacity;
  }

  @Override
  public synchronized boolean offer(E e) {
    if (e == null) throw new NullPointerException();
    if (items.size() >= capacity) return false;
    items.add(e);
    notifyAll();
    return true;
  }

  @Override
  public synchronized E poll() {
    final E first = items.poll();
    if (first != null) removed();
    return first;
  }

  /** In the monitor, after an element has been removed. */
  void removed() {
    if (capacity < Integer.MAX_VALUE) notifyAll();
  }

  @Override
  public synchronized E peek() {
    return items.peek();
  }

  @Override
  public Spliterator<E> spliterator() {
    return Spliterators.spliteratorUnknownSize(
        iterator(), Spliterator.ORDERED | Spliterator.NONNULL);  // of a copy
  }

  @Override
  public synchronized int size() {
    return items.size();
  }

  @Override
  public synchronized boolean contains(Object o) {
    return items.contains(o);
  }

  @Override
  public synchronized boolean remove(Object o) {
    if (!items.remove(o)) return false;
    removed();
    return true;
  }

  @Override
  public boolean removeAll(Collection<?> c) {
    return removeIf(c::contains);
  }

  @Override
  public boolean retainAll(Collection<?> c) {
    Objects.requireNonNull(c);
    return removeIf(e -> !c.contains(e));
  }

  @Override
  public synchronized boolean removeIf(Predicate<? super E> filter) {
    final int before = items.size();
    if (!items.removeIf(filter)) return false;
    for (int k = items.size(); k < before; k++) removed();
    return true;
  }

  @Override
  public synchronized void clear() {
    while (poll() != null) {
    }
  }

  @Override
  public synchronized Object[] toArray() {
    return items.toArray();
  }

  @Override
  public synchronized <T> T[] toArray(T[] to) {
    return items.toArray(to);
  }

  @Override
  public synchronized String toString() {
    return items.toString();
  }

  /** Of the elements as they are now. */
  @Override
  public synchronized Iterator<E> iterator() {
    return new Snapshot<>(this, new ArrayList<>(items));
  }
}
