package io.github.libfar.concurrent;

import java.util.concurrent.TimeUnit;

/** java.util.concurrent.Semaphore, over ranks. */
public class Semaphore {
  private int permits;

  public Semaphore(int permits) {
    this.permits = permits;
  }

  /** Threads come as the monitor lets them. */
  public Semaphore(int permits, boolean fair) {
    this(permits);
  }

  public void acquire() throws InterruptedException {
    acquire(1);
  }

  public synchronized void acquire(int n) throws InterruptedException {
    while (permits < n) wait();
    permits -= n;
  }

  public void acquireUninterruptibly() {
    boolean interrupted = false;
    for (;;) {
      try {
        acquire(1);
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) Thread.currentThread().interrupt();
  }

  public boolean tryAcquire() {
    return tryAcquire(1);
  }

  public synchronized boolean tryAcquire(int n) {
    if (permits < n) return false;
    permits -= n;
    return true;
  }

  public synchronized boolean tryAcquire(long time, TimeUnit unit) throws InterruptedException {
    final long end = System.nanoTime() + unit.toNanos(time);
    while (!tryAcquire(1)) {
      final long left = end - System.nanoTime();
      if (left <= 0) return false;
      wait(left / 1_000_000 + 1);
    }
    return true;
  }

  public void release() {
    release(1);
  }

  public synchronized void release(int n) {
    permits += n;
    notifyAll();
  }

  public synchronized int availablePermits() {
    return permits;
  }
}
