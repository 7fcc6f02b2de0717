package io.github.libfar.concurrent;

import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TransferQueue;

/** java.util.concurrent.LinkedTransferQueue, over ranks. */
public class LinkedTransferQueue<E> extends MonitorBlockingQueue<E> implements TransferQueue<E> {
  /** How many elements have been removed: who transfers one waits until all before it have. */
  private long gone;

  public LinkedTransferQueue() {
    super(new ChunkQueue<>(), Integer.MAX_VALUE);
  }

  public LinkedTransferQueue(Collection<? extends E> from) {
    this();
    addAll(from);
  }

  @Override
  void removed() {
    gone++;
    notifyAll();
  }

  @Override
  public synchronized void transfer(E e) throws InterruptedException {
    offer(e);
    final long mine = gone + items.size();
    while (gone < mine) wait();
  }

  @Override
  public synchronized boolean tryTransfer(E e) {
    if (e == null) throw new NullPointerException();
    if (consumers() <= items.size()) return false;
    return offer(e);
  }

  @Override
  public synchronized boolean tryTransfer(E e, long time, TimeUnit unit)
      throws InterruptedException {
    final Deadline deadline = new Deadline(time, unit);
    offer(e);
    final long mine = gone + items.size();
    while (gone < mine) {
      if (!deadline.await(this)) return !remove(e);
    }
    return true;
  }

  @Override
  public boolean hasWaitingConsumer() {
    return consumers() > 0;
  }

  @Override
  public int getWaitingConsumerCount() {
    return consumers();
  }
}
