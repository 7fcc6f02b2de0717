package io.github.libfar.concurrent;

import java.util.AbstractCollection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedList;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Predicate;

/** java.util.concurrent.ConcurrentLinkedDeque, over ranks: by the monitor of this object. */
public class ConcurrentLinkedDeque<E> extends AbstractCollection<E> implements Deque<E> {
  private final LinkedList<E> items = new LinkedList<>();

  public ConcurrentLinkedDeque() {}

  public ConcurrentLinkedDeque(Collection<? extends E> from) {
    this();
    for (E e : from) addLast(e);
  }

  private E changed(E removed) {
    if (removed != null) notifyAll();
    return removed;
  }

  private static <E> E found(E e) {
    if (e == null) throw new NoSuchElementException();
    return e;
  }

  @Override
  public synchronized boolean offerFirst(E e) {
    if (e == null) throw new NullPointerException();
    items.addFirst(e);
    notifyAll();
    return true;
  }

  @Override
  public void addFirst(E e) {
    offerFirst(e);
  }

  @Override
  public synchronized E pollFirst() {
    return changed(items.pollFirst());
  }

  @Override
  public E removeFirst() {
    return found(pollFirst());
  }

  @Override
  public synchronized E peekFirst() {
    return items.peekFirst();
  }

  @Override
  public E getFirst() {
    return found(peekFirst());
  }

  @Override
  public synchronized boolean removeFirstOccurrence(Object o) {
    if (o == null) throw new NullPointerException();
    final boolean removed = items.removeFirstOccurrence(o);
    if (removed) notifyAll();
    return removed;
  }

  @Override
  public synchronized boolean offerLast(E e) {
    if (e == null) throw new NullPointerException();
    items.addLast(e);
    notifyAll();
    return true;
  }

  @Override
  public void addLast(E e) {
    offerLast(e);
  }

  @Override
  public synchronized E pollLast() {
    return changed(items.pollLast());
  }

  @Override
  public E removeLast() {
    return found(pollLast());
  }

  @Override
  public synchronized E peekLast() {
    return items.peekLast();
  }

  @Override
  public E getLast() {
    return found(peekLast());
  }

  @Override
  public synchronized boolean removeLastOccurrence(Object o) {
    if (o == null) throw new NullPointerException();
    final boolean removed = items.removeLastOccurrence(o);
    if (removed) notifyAll();
    return removed;
  }

  @Override
  public boolean add(E e) {
    addLast(e);
    return true;
  }

  @Override
  public boolean offer(E e) {
    return offerLast(e);
  }

  @Override
  public void push(E e) {
    addFirst(e);
  }

  @Override
  public E pop() {
    return removeFirst();
  }

  @Override
  public E poll() {
    return pollFirst();
  }

  @Override
  public E remove() {
    return removeFirst();
  }

  @Override
  public E peek() {
    return peekFirst();
  }

  @Override
  public E element() {
    return getFirst();
  }

  @Override
  public boolean remove(Object o) {
    return removeFirstOccurrence(o);
  }

  @Override
  public synchronized boolean removeIf(Predicate<? super E> filter) {
    final boolean removed = items.removeIf(filter);
    if (removed) notifyAll();
    return removed;
  }

  @Override
  public boolean removeAll(Collection<?> c) {
    return removeIf(c::contains);
  }

  @Override
  public boolean retainAll(Collection<?> c) {
    return removeIf(e -> !c.contains(e));
  }

  @Override
  public synchronized void clear() {
    items.clear();
    notifyAll();
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
  public synchronized Object[] toArray() {
    return items.toArray();
  }

  @Override
  public synchronized <T> T[] toArray(T[] to) {
    return items.toArray(to);
  }

  /** Of the elements as they are now. */
  @Override
  public synchronized Iterator<E> iterator() {
    return new Snapshot<>(this, new ArrayList<>(items));
  }

  @Override
  public boolean addAll(Collection<? extends E> from) {
    if (from == this) throw new IllegalArgumentException();
    return super.addAll(from);
  }

  @Override
  public Spliterator<E> spliterator() {
    return Spliterators.spliteratorUnknownSize(
        iterator(), Spliterator.ORDERED | Spliterator.NONNULL);  // of a copy
  }

  @Override
  public synchronized Iterator<E> descendingIterator() {
    final ArrayList<E> reversed = new ArrayList<>(items);
    Collections.reverse(reversed);
    return new Snapshot<>(this, reversed);
  }
}
