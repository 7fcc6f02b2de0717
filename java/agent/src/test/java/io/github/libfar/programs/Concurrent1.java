package io.github.libfar.programs;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** java.util.concurrent: word count, futures, locks and conditions. */
public final class Concurrent1 {
  private static final Map<String, Integer> WORDS = new ConcurrentHashMap<>();
  private static final AtomicLong TOTAL = new AtomicLong();
  private static final ReentrantLock LOCK = new ReentrantLock();
  private static final Condition CHANGED = LOCK.newCondition();
  private static int turn;

  public static void main(String[] args) throws Exception {
    final ExecutorService pool = Executors.newFixedThreadPool(4);
    final List<Future<Integer>> futures = new ArrayList<>();
    for (int t = 0; t < 8; t++) {
      final int me = t;
      futures.add(pool.submit(() -> count(me)));
    }
    int lines = 0;
    for (Future<Integer> f : futures) lines += f.get();
    System.out.println(lines + " " + new TreeMap<>(WORDS) + " " + TOTAL);
    final List<Callable<String>> calls = new ArrayList<>();
    for (int k = 0; k < 3; k++) {
      final int n = k;
      calls.add(() -> "call" + n);
    }
    for (Future<String> f : pool.invokeAll(calls)) System.out.println(f.get());
    try {
      pool.submit(() -> {
        throw new IllegalStateException("failed");
      }).get();
    } catch (java.util.concurrent.ExecutionException e) {
      System.out.println(e.getMessage());
    }
    turns(pool);
    queues(pool);
    pool.shutdown();
    System.out.println(pool.awaitTermination(20, TimeUnit.SECONDS));
  }

  private static int count(int me) {
    for (int i = 0; i < 30; i++) {
      WORDS.merge("w" + (i + me) % 4, 1, Integer::sum);
      TOTAL.addAndGet(i);
    }
    return 30;
  }

  private static void turns(ExecutorService pool) throws Exception {
    final int n = 3;
    final CountDownLatch done = new CountDownLatch(n);
    final CyclicBarrier barrier = new CyclicBarrier(n);
    final StringBuilder none = null;
    final AtomicReference<String> order = new AtomicReference<>("");
    for (int t = 0; t < n; t++) {
      final int me = t;
      pool.execute(() -> {
        try {
          barrier.await();
          for (int round = 0; round < 4; round++) {
            LOCK.lock();
            try {
              while (turn % n != me) CHANGED.await();
              order.updateAndGet(s -> s + me);
              turn++;
              CHANGED.signalAll();
            } finally {
              LOCK.unlock();
            }
          }
        } catch (Exception e) {
          throw new IllegalStateException(e);
        }
        done.countDown();
      });
    }
    done.await();
    System.out.println(order + " " + turn + LOCK.isLocked() + none);
  }

  private static void queues(ExecutorService pool) throws Exception {
    final BlockingQueue<Integer> queue = new LinkedBlockingQueue<>(3);
    final Semaphore permits = new Semaphore(2);
    final AtomicInteger inside = new AtomicInteger();
    final AtomicInteger max = new AtomicInteger();
    pool.execute(() -> {
      try {
        for (int i = 1; i <= 40; i++) queue.put(i);
        queue.put(-1);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    });
    int sum = 0;
    for (int i = queue.take(); i > 0; i = queue.take()) sum += i;
    final CountDownLatch done = new CountDownLatch(3);
    for (int t = 0; t < 3; t++) {
      pool.execute(() -> {
        for (int i = 0; i < 10; i++) {
          permits.acquireUninterruptibly();
          max.accumulateAndGet(inside.incrementAndGet(), Math::max);
          inside.decrementAndGet();
          permits.release();
        }
        done.countDown();
      });
    }
    done.await();
    System.out.println(sum + " " + (max.get() <= 2) + " " + inside + permits.availablePermits());
  }
}
