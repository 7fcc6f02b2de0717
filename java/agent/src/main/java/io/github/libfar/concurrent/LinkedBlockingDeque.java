package io.github.libfar.concurrent;

import java.util.AbstractQueue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedList;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** java.util.concurrent.LinkedBlockingDeque, over ranks: by the monitor of this object. */
public class LinkedBlockingDeque<E> extends AbstractQueue<E> implements BlockingDeque<E> {
  private final LinkedList<E> items = new LinkedList<>();
  private final int capacity;

  public LinkedBlockingDeque() {
    this(Integer.MAX_VALUE);
  }

  public LinkedBlockingDeque(int capacity) {
    if (capacity <= 0) throw new IllegalArgumentException();
    this.capacity = capacity;
  }

  public LinkedBlockingDeque(Collection<? extends E> from) {
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
    if (items.size() >= capacity) return false;
    items.addFirst(e);
    notifyAll();
    return true;
  }

  @Override
  public void addFirst(E e) {
    if (!offerFirst(e)) throw new IllegalStateException("Deque full");
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
    final boolean removed = items.removeFirstOccurrence(o);
    if (removed) notifyAll();
    return removed;
  }

  @Override
  public synchronized void putFirst(E e) throws InterruptedException {
    while (!offerFirst(e)) wait();
  }

  @Override
  public synchronized boolean offerFirst(E e, long time, TimeUnit unit)
      throws InterruptedException {
    final Deadline deadline = new Deadline(time, unit);
    while (!offerFirst(e)) {
      if (!deadline.await(this)) return false;
    }
    return true;
  }

  @Override
  public synchronized E takeFirst() throws InterruptedException {
    while (items.isEmpty()) wait();
    return pollFirst();
  }

  @Override
  public synchronized E pollFirst(long time, TimeUnit unit) throws InterruptedException {
    final Deadline deadline = new Deadline(time, unit);
    while (items.isEmpty()) {
      if (!deadline.await(this)) return null;
    }
    return pollFirst();
  }

  @Override
  public synchronized boolean offerLast(E e) {
    if (e == null) throw new NullPointerException();
    if (items.size() >= capacity) return false;
    items.addLast(e);
    notifyAll();
    return true;
  }

  @Override
  public void addLast(E e) {
    if (!offerLast(e)) throw new IllegalStateException("Deque full");
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
    final boolean removed = items.removeLastOccurrence(o);
    if (removed) notifyAll();
    return removed;
  }

  @Override
  public synchronized void putLast(E e) throws InterruptedException {
    while (!offerLast(e)) wait();
  }

  @Override
  public synchronized boolean offerLast(E e, long time, TimeUnit unit)
      throws InterruptedException {
    final Deadline deadline = new Deadline(time, unit);
    while (!offerLast(e)) {
      if (!deadline.await(this)) return false;
    }
    return true;
  }

  @Override
  public synchronized E takeLast() throws InterruptedException {
    while (items.isEmpty()) wait();
    return pollLast();
  }

  @Override
  public synchronized E pollLast(long time, TimeUnit unit) throws InterruptedException {
    final Deadline deadline = new Deadline(time, unit);
    while (items.isEmpty()) {
      if (!deadline.await(this)) return null;
    }
    return pollLast();
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
  public void put(E e) throws InterruptedException {
    putLast(e);
  }

  @Override
  public boolean offer(E e, long time, TimeUnit unit) throws InterruptedException {
    return offerLast(e, time, unit);
  }

  @Override
  public E take() throws InterruptedException {
    return takeFirst();
  }

  @Override
  public E poll(long time, TimeUnit unit) throws InterruptedException {
    return pollFirst(time, unit);
  }

  @Override
  public int drainTo(Collection<? super E> to) {
    return drainTo(to, Integer.MAX_VALUE);
  }

  @Override
  public synchronized int drainTo(Collection<? super E> to, int max) {
    Objects.requireNonNull(to);
    if (to == this) throw new IllegalArgumentException();
    int n = 0;
    for (; n < max && !items.isEmpty(); n++) to.add(pollFirst());
    return n;
  }

  @Override
  public synchronized int remainingCapacity() {
    return capacity == Integer.MAX_VALUE ? capacity : capacity - items.size();
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
