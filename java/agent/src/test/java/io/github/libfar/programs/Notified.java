package io.github.libfar.programs;

import java.lang.management.ManagementFactory;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** Many threads are notified, on all ranks; that takes few threads of the run time. */
public final class Notified {
  private static final int THREADS = 6;
  private static final int ITEMS = 1000;
  private static final int FEW = 100;
  private static final BlockingQueue<Integer> QUEUE = new ArrayBlockingQueue<>(4);

  private static long sum;
  private static boolean many;

  private static void work(int me) {
    long mine = 0;
    try {
      for (int i = 0; i < ITEMS; i++) {
        if (me % 2 == 0) {
          QUEUE.put(i);
        } else {
          mine += QUEUE.take();
        }
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    synchronized (QUEUE) {
      sum += mine;
      many |= ManagementFactory.getThreadMXBean().getPeakThreadCount() > FEW;
    }
  }

  public static void main(String[] args) throws InterruptedException {
    final Thread[] threads = new Thread[THREADS];
    for (int t = 0; t < THREADS; t++) {
      final int me = t;
      threads[t] = new Thread(() -> work(me));
      threads[t].start();
    }
    for (Thread t : threads) t.join();
    System.out.println(sum + (many ? ", with many threads" : ""));
  }
}
