package io.github.libfar.concurrent;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TransferQueue;
import java.util.function.Predicate;

/** java.util.concurrent.LinkedTransferQueue, over ranks. */
public class LinkedTransferQueue<E> extends MonitorBlockingQueue<E> implements TransferQueue<E> {
  /** An element whose thread waits until it is taken. */
  private static final class Transfer {
    /** The elements before it. */
    int ahead;
    boolean taken;
  }

  private final ArrayList<Transfer> transfers = new ArrayList<>();

  public LinkedTransferQueue() {
    super(new ChunkQueue<>(), Integer.MAX_VALUE);
  }

  public LinkedTransferQueue(Collection<? extends E> from) {
    this();
    addAll(from);
  }

  @Override
  void removed() {
    removed(0);
  }

  /** In the monitor, after the k-th element has been removed. */
  private void removed(int k) {
    for (Iterator<Transfer> i = transfers.iterator(); i.hasNext();) {
      final Transfer t = i.next();
      if (t.ahead < k) continue;
      if (t.ahead-- > k) continue;
      t.taken = true;
      i.remove();
      notifyAll();
    }
  }

  @Override
  public synchronized boolean remove(Object o) {
    return remove(e -> e.equals(o), 0, false);
  }

  @Override
  public synchronized boolean removeIf(Predicate<? super E> filter) {
    return remove(Objects.requireNonNull(filter), 0, true);
  }

  private boolean remove(Predicate<? super E> filter, int from, boolean all) {
    boolean any = false;
    int k = 0;
    for (Iterator<E> i = items.iterator(); i.hasNext() && (all || !any);) {
      final E e = i.next();
      if (k < from || !filter.test(e)) {
        k++;
      } else {
        i.remove();
        removed(k);
        any = true;
      }
    }
    return any;
  }

  // What there is, a thread gets even if it has been interrupted.

  @Override
  public synchronized E take() throws InterruptedException {
    final E first = poll();
    return first != null ? first : super.take();
  }

  @Override
  public synchronized E poll(long time, TimeUnit unit) throws InterruptedException {
    final E first = poll();
    return first != null ? first : super.poll(time, unit);
  }

  @Override
  public void transfer(E e) throws InterruptedException {
    transfer(e, null);
  }

  @Override
  public boolean tryTransfer(E e, long time, TimeUnit unit) throws InterruptedException {
    return transfer(e, new Deadline(time, unit));
  }

  /** Waits until the element is taken; removes it again if that takes too long. */
  private synchronized boolean transfer(E e, Deadline deadline) throws InterruptedException {
    final Transfer mine = new Transfer();
    mine.ahead = items.size();
    offer(e);
    transfers.add(mine);
    try {
      while (!mine.taken) {
        if (deadline == null) {
          wait();
        } else if (!deadline.await(this)) {
          return false;
        }
      }
      return true;
    } finally {
      if (!mine.taken) remove(any -> true, mine.ahead, false);
    }
  }

  @Override
  public synchronized boolean tryTransfer(E e) {
    if (e == null) throw new NullPointerException();
    return hasWaitingConsumer() && offer(e);
  }

  @Override
  public boolean hasWaitingConsumer() {
    return getWaitingConsumerCount() > 0;
  }

  @Override
  public synchronized int getWaitingConsumerCount() {
    return Math.max(0, consumers() - items.size());
  }
}
