package io.github.libfar.concurrent;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

/** Those who wait for a condition of a lock, the first one first; all in the lock's monitor. */
final class LockCondition implements Condition {
  private static final class Waiter {
    private final Thread thread = Thread.currentThread();
    private boolean signalled;
  }

  private final Exclusive lock;
  private final ArrayDeque<Waiter> queue = new ArrayDeque<>();

  LockCondition(Exclusive lock) {
    this.lock = lock;
  }

  /** The condition, if it is of that lock. */
  static LockCondition of(Exclusive lock, Condition condition) {
    if (condition == null) throw new NullPointerException();
    if (condition instanceof LockCondition c && c.lock == lock) return c;
    throw new IllegalArgumentException("not owner");
  }

  /** Returns false if the time has passed first. */
  private boolean await(Deadline deadline, boolean interruptible) throws InterruptedException {
    InterruptedException interrupt = null;
    boolean interrupted = false;
    final Waiter me = new Waiter();
    synchronized (lock) {
      lock.checkHeld();
      if (interruptible && Thread.interrupted()) throw new InterruptedException();
      final int times = lock.releaseAll();
      queue.add(me);
      while (!me.signalled && interrupt == null) {
        try {
          if (deadline == null) {
            lock.wait();
          } else if (!deadline.await(lock)) {
            break;
          }
        } catch (InterruptedException e) {
          if (interruptible) interrupt = e;
          interrupted = true;
        }
      }
      queue.remove(me);
      lock.takeAgain(times);
      if (interrupt != null && !me.signalled) throw interrupt;
    }
    // Signalled first, then interrupted: it has not been thrown.
    if (interrupted) Thread.currentThread().interrupt();
    return me.signalled;
  }

  @Override
  public void await() throws InterruptedException {
    await(null, true);
  }

  @Override
  public void awaitUninterruptibly() {
    try {
      await(null, false);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public long awaitNanos(long nanos) throws InterruptedException {
    final Deadline deadline = new Deadline(nanos);
    await(deadline, true);
    return deadline.left();
  }

  @Override
  public boolean await(long time, TimeUnit unit) throws InterruptedException {
    return await(new Deadline(time, unit), true);
  }

  @Override
  public boolean awaitUntil(Date deadline) throws InterruptedException {
    return await(deadline.getTime() - System.currentTimeMillis(), TimeUnit.MILLISECONDS);
  }

  private void signal(Waiter w) {
    w.signalled = true;
    lock.enqueue(w.thread);
  }

  @Override
  public void signal() {
    synchronized (lock) {
      lock.checkHeld();
      final Waiter first = queue.poll();
      if (first == null) return;
      signal(first);
      lock.notifyAll();
    }
  }

  @Override
  public void signalAll() {
    synchronized (lock) {
      lock.checkHeld();
      if (queue.isEmpty()) return;
      for (Waiter w : queue) signal(w);
      queue.clear();
      lock.notifyAll();
    }
  }

  Collection<Thread> waiting() {
    final Collection<Thread> threads = new ArrayList<>();
    synchronized (lock) {
      lock.checkHeld();
      for (Waiter w : queue) threads.add(w.thread);
    }
    return threads;
  }
}
