package io.github.libfar.concurrent;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.concurrent.TimeUnit;

/** java.util.concurrent.Semaphore, over ranks: by the monitor of this object. */
public class Semaphore {
  private final boolean fair;
  private final ArrayDeque<Thread> queue = new ArrayDeque<>();
  private int permits;

  public Semaphore(int permits) {
    this(permits, false);
  }

  public Semaphore(int permits, boolean fair) {
    this.permits = permits;
    this.fair = fair;
  }

  private static void check(int n) {
    if (n < 0) throw new IllegalArgumentException();
  }

  private boolean take(int n, boolean barging) {
    if (permits < n) return false;
    if (!barging && !queue.isEmpty() && queue.peekFirst() != Thread.currentThread()) return false;
    permits -= n;
    return true;
  }

  private synchronized boolean acquire(int n, boolean interruptible, Deadline deadline)
      throws InterruptedException {
    check(n);
    if (interruptible && Thread.interrupted()) throw new InterruptedException();
    if (take(n, !fair)) return true;
    final Thread me = Thread.currentThread();
    boolean interrupted = false;
    queue.addLast(me);
    try {
      // Of those that wait, the first one is served first: so one that wants many is, too.
      while (!take(n, false)) {
        try {
          if (deadline == null) {
            wait();
          } else if (!deadline.await(this)) {
            return false;
          }
        } catch (InterruptedException e) {
          if (interruptible) throw e;
          interrupted = true;
        }
      }
      return true;
    } finally {
      queue.remove(me);
      if (permits > 0) notifyAll();
      if (interrupted) me.interrupt();
    }
  }

  public void acquire() throws InterruptedException {
    acquire(1);
  }

  public void acquire(int n) throws InterruptedException {
    acquire(n, true, null);
  }

  public void acquireUninterruptibly() {
    acquireUninterruptibly(1);
  }

  public void acquireUninterruptibly(int n) {
    try {
      acquire(n, false, null);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public boolean tryAcquire() {
    return tryAcquire(1);
  }

  public synchronized boolean tryAcquire(int n) {
    check(n);
    return take(n, true);
  }

  public boolean tryAcquire(long time, TimeUnit unit) throws InterruptedException {
    return tryAcquire(1, time, unit);
  }

  public boolean tryAcquire(int n, long time, TimeUnit unit) throws InterruptedException {
    return acquire(n, true, new Deadline(time, unit));
  }

  public void release() {
    release(1);
  }

  public synchronized void release(int n) {
    check(n);
    permits += n;
    notifyAll();
  }

  public synchronized int availablePermits() {
    return permits;
  }

  public synchronized int drainPermits() {
    final int all = permits;
    permits = 0;
    return all;
  }

  protected synchronized void reducePermits(int n) {
    check(n);
    permits -= n;
  }

  public boolean isFair() {
    return fair;
  }

  public final synchronized boolean hasQueuedThreads() {
    return !queue.isEmpty();
  }

  public final synchronized int getQueueLength() {
    return queue.size();
  }

  protected synchronized Collection<Thread> getQueuedThreads() {
    return new ArrayList<>(queue);
  }

  @Override
  public String toString() {
    return getClass().getName() + "@" + Integer.toHexString(hashCode()) + "[Permits = "
        + availablePermits() + "]";
  }
}
