package io.github.libfar.concurrent;

import java.util.ArrayDeque;
import java.util.Date;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/** java.util.concurrent.locks.ReentrantLock, over ranks: by the monitor of this object. */
public class ReentrantLock implements Lock {
  private Thread owner;
  private int holds;

  public ReentrantLock() {}

  /** Threads come as the monitor lets them. */
  public ReentrantLock(boolean fair) {}

  @Override
  public void lock() {
    boolean interrupted = false;
    synchronized (this) {
      while (!take(1)) {
        try {
          wait();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) Thread.currentThread().interrupt();
  }

  @Override
  public synchronized void lockInterruptibly() throws InterruptedException {
    while (!take(1)) wait();
  }

  @Override
  public synchronized boolean tryLock() {
    return take(1);
  }

  @Override
  public synchronized boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
    final long end = System.nanoTime() + unit.toNanos(time);
    while (!take(1)) {
      final long left = end - System.nanoTime();
      if (left <= 0) return false;
      wait(left / 1_000_000 + 1);
    }
    return true;
  }

  /** In the monitor. */
  private boolean take(int times) {
    final Thread me = Thread.currentThread();
    if (owner != null && owner != me) return false;
    owner = me;
    holds += times;
    return true;
  }

  @Override
  public synchronized void unlock() {
    checkHeld();
    if (--holds > 0) return;
    owner = null;
    notifyAll();
  }

  private void checkHeld() {
    if (owner != Thread.currentThread()) throw new IllegalMonitorStateException();
  }

  public synchronized boolean isLocked() {
    return owner != null;
  }

  public synchronized boolean isHeldByCurrentThread() {
    return owner == Thread.currentThread();
  }

  public synchronized int getHoldCount() {
    return owner == Thread.currentThread() ? holds : 0;
  }

  public boolean isFair() {
    return false;
  }

  @Override
  public Condition newCondition() {
    return new Waiters(this);
  }

  private static final class Waiter {
    private boolean signalled;
  }

  /** Those who wait for a condition; all in the lock's monitor. */
  private static final class Waiters implements Condition {
    private final ReentrantLock lock;
    private final ArrayDeque<Waiter> queue = new ArrayDeque<>();

    Waiters(ReentrantLock lock) {
      this.lock = lock;
    }

    /** Returns false if the time has passed first. {@code nanos} 0: there is none. */
    private boolean await(long nanos, boolean interruptible) throws InterruptedException {
      InterruptedException interrupt = null;
      final Waiter me = new Waiter();
      synchronized (lock) {
        lock.checkHeld();
        final int times = lock.holds;
        lock.holds = 0;
        lock.owner = null;
        lock.notifyAll();
        queue.add(me);
        final long end = System.nanoTime() + nanos;
        while (!me.signalled && interrupt == null) {
          final long left = end - System.nanoTime();
          if (nanos != 0 && left <= 0) break;
          try {
            lock.wait(nanos == 0 ? 0 : left / 1_000_000 + 1);
          } catch (InterruptedException e) {
            if (interruptible) interrupt = e;
          }
        }
        queue.remove(me);
        while (!lock.take(times)) {
          try {
            lock.wait();
          } catch (InterruptedException e) {
            if (interruptible && interrupt == null) interrupt = e;
          }
        }
        if (interrupt != null && !me.signalled) throw interrupt;
        return me.signalled;
      }
    }

    @Override
    public void await() throws InterruptedException {
      await(0, true);
    }

    @Override
    public void awaitUninterruptibly() {
      try {
        await(0, false);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public long awaitNanos(long nanos) throws InterruptedException {
      final long end = System.nanoTime() + nanos;
      if (nanos > 0) await(nanos, true);
      return end - System.nanoTime();
    }

    @Override
    public boolean await(long time, TimeUnit unit) throws InterruptedException {
      return time > 0 && await(unit.toNanos(time), true);
    }

    @Override
    public boolean awaitUntil(Date deadline) throws InterruptedException {
      return await(deadline.getTime() - System.currentTimeMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void signal() {
      synchronized (lock) {
        lock.checkHeld();
        final Waiter first = queue.poll();
        if (first != null) first.signalled = true;
        lock.notifyAll();
      }
    }

    @Override
    public void signalAll() {
      synchronized (lock) {
        lock.checkHeld();
        for (Waiter w : queue) w.signalled = true;
        queue.clear();
        lock.notifyAll();
      }
    }
  }
}
