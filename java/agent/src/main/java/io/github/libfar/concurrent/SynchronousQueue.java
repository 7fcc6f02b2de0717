package io.github.libfar.concurrent;

import java.util.AbstractQueue;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/** java.util.concurrent.SynchronousQueue, over ranks: by the monitor of this object. */
public class SynchronousQueue<E> extends AbstractQueue<E> implements BlockingQueue<E> {
  private static final class Offer<E> {
    private final E item;
    private boolean taken;

    Offer(E item) {
      this.item = item;
    }
  }

  private final ArrayDeque<Offer<E>> offers = new ArrayDeque<>();
  private int consumers;

  public SynchronousQueue() {}

  /** Threads are served in their order in any case. */
  public SynchronousQueue(boolean fair) {}

  private boolean put(E e, Deadline deadline) throws InterruptedException {
    if (e == null) throw new NullPointerException();
    if (Thread.interrupted()) throw new InterruptedException();
    final Offer<E> mine = new Offer<>(e);
    offers.add(mine);
    notifyAll();
    try {
      while (!mine.taken) {
        if (deadline == null) {
          wait();
        } else if (!deadline.await(this)) {
          break;
        }
      }
    } finally {
      if (!mine.taken) offers.remove(mine);
    }
    return mine.taken;
  }

  @Override
  public synchronized void put(E e) throws InterruptedException {
    put(e, null);
  }

  @Override
  public synchronized boolean offer(E e, long time, TimeUnit unit) throws InterruptedException {
    return put(e, new Deadline(time, unit));
  }

  /** Only to a thread that waits already. */
  @Override
  public synchronized boolean offer(E e) {
    if (e == null) throw new NullPointerException();
    if (consumers <= offers.size()) return false;
    offers.add(new Offer<>(e));
    notifyAll();
    return true;
  }

  @Override
  public synchronized E poll() {
    final Offer<E> first = offers.poll();
    if (first == null) return null;
    first.taken = true;
    notifyAll();
    return first.item;
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

  @Override
  public synchronized E take() throws InterruptedException {
    return take(null);
  }

  @Override
  public synchronized E poll(long time, TimeUnit unit) throws InterruptedException {
    return take(new Deadline(time, unit));
  }

  @Override
  public E peek() {
    return null;
  }

  @Override
  public int size() {
    return 0;
  }

  @Override
  public int remainingCapacity() {
    return 0;
  }

  @Override
  public Iterator<E> iterator() {
    return Collections.emptyIterator();
  }

  @Override
  public int drainTo(Collection<? super E> to) {
    return drainTo(to, Integer.MAX_VALUE);
  }

  @Override
  public int drainTo(Collection<? super E> to, int max) {
    Objects.requireNonNull(to);
    int n = 0;
    for (E e; n < max && (e = poll()) != null; n++) to.add(e);
    return n;
  }
}
