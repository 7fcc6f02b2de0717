package io.github.libfar.concurrent;

import java.util.concurrent.TimeUnit;

/** java.util.concurrent.CountDownLatch, over ranks: by the monitor of this object. */
public class CountDownLatch {
  private long count;

  public CountDownLatch(int count) {
    if (count < 0) throw new IllegalArgumentException("count < 0");
    this.count = count;
  }

  public synchronized void await() throws InterruptedException {
    if (Thread.interrupted()) throw new InterruptedException();
    while (count > 0) wait();
  }

  public synchronized boolean await(long time, TimeUnit unit) throws InterruptedException {
    if (Thread.interrupted()) throw new InterruptedException();
    final Deadline deadline = new Deadline(time, unit);
    while (count > 0) {
      if (!deadline.await(this)) return false;
    }
    return true;
  }

  public synchronized void countDown() {
    if (count > 0 && --count == 0) notifyAll();
  }

  public synchronized long getCount() {
    return count;
  }

  @Override
  public String toString() {
    return getClass().getName() + "@" + Integer.toHexString(hashCode()) + "[Count = " + getCount()
        + "]";
  }
}
