package io.github.libfar.concurrent;

import java.util.Collection;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/** One whose threads wait for elements, or for room. */
abstract class MonitorBlockingQueue<E> extends MonitorQueue<E> implements BlockingQueue<E> {
  /** Threads that wait for an element. */
  private int consumers;

  MonitorBlockingQueue(Queue<E> items, int capacity) {
    super(items, capacity);
  }

  @Override
  public synchronized void put(E e) throws InterruptedException {
    if (Thread.interrupted()) throw new InterruptedException();
    while (!offer(e)) wait();
  }

  @Override
  public synchronized boolean offer(E e, long time, TimeUnit unit) throws InterruptedException {
    if (Thread.interrupted()) throw new InterruptedException();
    final Deadline deadline = new Deadline(time, unit);
    while (!offer(e)) {
      if (!deadline.await(this)) return false;
    }
    return true;
  }

  @Override
  public synchronized E take() throws InterruptedException {
    return take(null);
  }

  @Override
  public synchronized E poll(long time, TimeUnit unit) throws InterruptedException {
    return take(new Deadline(time, unit));
  }

  private E take(Deadline deadline) throws InterruptedException {
    if (Thread.interrupted()) throw new InterruptedException();
    for (;;) {
      final E first = poll();
      if (first != null) return first;
      consumers++;
      try {
        if (deadline == null) {
          wait();
        } else if (!deadline.await(this)) {
          return null;
        }
      } finally {
        consumers--;
      }
    }
  }

  final synchronized int consumers() {
    return consumers;
  }

  @Override
  public synchronized int remainingCapacity() {
    return capacity == Integer.MAX_VALUE ? capacity : capacity - items.size();
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
    for (; n < max && !items.isEmpty(); n++) to.add(poll());
    return n;
  }
}
