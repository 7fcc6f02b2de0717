package io.github.libfar.concurrent;

import java.util.AbstractQueue;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/** java.util.concurrent.LinkedBlockingQueue, over ranks. */
public class LinkedBlockingQueue<E> extends AbstractQueue<E> implements BlockingQueue<E> {
  private final ArrayDeque<E> items = new ArrayDeque<>();
  private final int capacity;

  public LinkedBlockingQueue() {
    this(Integer.MAX_VALUE);
  }

  public LinkedBlockingQueue(int capacity) {
    if (capacity <= 0) throw new IllegalArgumentException();
    this.capacity = capacity;
  }

  @Override
  public synchronized boolean offer(E e) {
    if (items.size() >= capacity) return false;
    items.addLast(e);
    notifyAll();
    return true;
  }

  @Override
  public synchronized void put(E e) throws InterruptedException {
    while (!offer(e)) wait();
  }

  @Override
  public synchronized boolean offer(E e, long time, TimeUnit unit) throws InterruptedException {
    final long end = System.nanoTime() + unit.toNanos(time);
    while (!offer(e)) {
      final long left = end - System.nanoTime();
      if (left <= 0) return false;
      wait(left / 1_000_000 + 1);
    }
    return true;
  }

  @Override
  public synchronized E poll() {
    final E first = items.pollFirst();
    if (first != null) notifyAll();
    return first;
  }

  @Override
  public synchronized E take() throws InterruptedException {
    while (items.isEmpty()) wait();
    return poll();
  }

  @Override
  public synchronized E poll(long time, TimeUnit unit) throws InterruptedException {
    final long end = System.nanoTime() + unit.toNanos(time);
    while (items.isEmpty()) {
      final long left = end - System.nanoTime();
      if (left <= 0) return null;
      wait(left / 1_000_000 + 1);
    }
    return poll();
  }

  @Override
  public synchronized E peek() {
    return items.peekFirst();
  }

  @Override
  public synchronized int size() {
    return items.size();
  }

  @Override
  public synchronized int remainingCapacity() {
    return capacity - items.size();
  }

  @Override
  public int drainTo(Collection<? super E> to) {
    return drainTo(to, Integer.MAX_VALUE);
  }

  @Override
  public synchronized int drainTo(Collection<? super E> to, int max) {
    int n = 0;
    for (; n < max && !items.isEmpty(); n++) to.add(poll());
    return n;
  }

  @Override
  public synchronized boolean remove(Object o) {
    final boolean removed = items.remove(o);
    if (removed) notifyAll();
    return removed;
  }

  /** Of the elements as they are now. */
  @Override
  public synchronized Iterator<E> iterator() {
    return new ArrayList<>(items).iterator();
  }
}
