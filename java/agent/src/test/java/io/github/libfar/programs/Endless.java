package io.github.libfar.programs;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;

/** Threads that share objects in several ways until somebody ends the job. */
public final class Endless {
  private static final int THREADS = 6;
  private static final Object LOCK = new Object();
  private static final BlockingQueue<int[]> QUEUE = new ArrayBlockingQueue<>(10);
  private static long count;
  private static volatile long last;

  private static void work(int me, CountDownLatch started) {
    try {
      for (int i = 0;; i++) {
        synchronized (LOCK) {
          count += i;
        }
        last = i;
        if (me % 2 == 0) {
          QUEUE.put(new int[] {me, i});
        } else {
          QUEUE.take();
        }
        if (i == 3) started.countDown();
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws Exception {
    final CountDownLatch started = new CountDownLatch(THREADS);
    for (int t = 0; t < THREADS; t++) {
      final int me = t;
      new Thread(() -> work(me, started)).start();
    }
    started.await();
    System.out.println("running");
  }
}
