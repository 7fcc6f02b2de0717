package io.github.libfar.concurrent;

import java.util.concurrent.TimeUnit;

/** java.util.concurrent.CountDownLatch, over ranks. */
public class CountDownLatch {
  private long count;

  public CountDownLatch(int count) {
    if (count < 0) throw new IllegalArgumentException("count < 0");
    this.count = count;
  }

  public synchronized void await() throws InterruptedException {
    while (count > 0) wait();
  }

  public synchronized boolean await(long time, TimeUnit unit) throws InterruptedException {
    final long end = System.nanoTime() + unit.toNanos(time);
    while (count > 0) {
      final long left = end - System.nanoTime();
      if (left <= 0) return false;
      wait(left / 1_000_000 + 1);
    }
    return true;
  }

  public synchronized void countDown() {
    if (count > 0 && --count == 0) notifyAll();
  }

  public synchronized long getCount() {
    return count;
  }
}
