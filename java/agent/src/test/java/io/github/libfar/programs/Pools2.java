package io.github.libfar.programs;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CountedCompleter;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.RecursiveAction;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.AbstractQueuedLongSynchronizer;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** Tasks that others complete, pools that become quiet, and threads that a condition hands on. */
public final class Pools2 {
  /** Counts the leaves below it; is complete when they are. */
  private static final class Leaves extends CountedCompleter<Integer> {
    private final int depth;
    private final Leaves[] below = new Leaves[2];
    private int count;

    Leaves(Leaves above, int depth) {
      super(above);
      this.depth = depth;
    }

    @Override
    public void compute() {
      if (depth > 5) throw new IllegalArgumentException("too deep");
      if (depth > 0) {
        setPendingCount(2);
        for (int k = 0; k < 2; k++) below[k] = new Leaves(this, depth - 1);
        for (Leaves b : below) b.fork();
      }
      tryComplete();
    }

    @Override
    public void onCompletion(CountedCompleter<?> caller) {
      count = depth == 0 ? 1 : below[0].count + below[1].count;
    }

    @Override
    public Integer getRawResult() {
      return count;
    }
  }

  private static void completers(ForkJoinPool pool) throws Exception {
    for (int depth = 0; depth < 6; depth++) {
      final int n = depth;
      System.out.println(pool.submit(() -> new Leaves(null, n).fork().join()).get() + " "
          + pool.submit(() -> new Leaves(null, n).fork().get(100, TimeUnit.SECONDS)).get());
    }
    final Leaves failed = new Leaves(null, 6);
    pool.submit(failed).quietlyJoin();
    System.out.println(failed.isCompletedAbnormally() + " "
        + failed.getException().getMessage().endsWith("too deep"));
    System.out.println(failed.setForkJoinTaskTag((short) 3) + failed.getForkJoinTaskTag());
  }

  /** What a task does with others before they run. */
  private static final class Queued extends RecursiveAction {
    private static Queued one() {
      return new Queued();
    }

    @Override
    protected void compute() {
      if (!inForkJoinPool() || getPool().getParallelism() > 1) return;
      final Queued first = one();
      final Queued second = one();
      first.fork();
      second.fork();
      final boolean taken = second.tryUnfork();
      System.out.println(taken + " " + second.tryUnfork() + " " + second.isDone());
      System.out.println((peekNextLocalTask() == first) + " " + getQueuedTaskCount());
      System.out.println((pollTask() == first) + " " + (pollTask() == null) + first.isDone());
      try {
        second.get(1, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        System.out.println("nobody runs it");
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
      first.completeExceptionally(new IllegalStateException("no"));
      first.reinitialize();
      System.out.println(first.isDone() + " " + first.getException());
    }
  }

  private static void queues() throws Exception {
    final ForkJoinPool one = new ForkJoinPool(1);
    final AtomicInteger ran = new AtomicInteger();
    one.submit(() -> {
      System.out.println(ForkJoinTask.getPool() == one);
      final ForkJoinTask<?> inner = ForkJoinTask.adapt(ran::incrementAndGet).fork();
      System.out.println(inner.tryUnfork() + " " + ran);
      inner.invoke();
    }).get();
    System.out.println(ran);
    one.invoke(new Queued());
    one.shutdown();
    System.out.println(one.awaitTermination(100, TimeUnit.SECONDS));
  }

  private static void recursion() {
    final ConcurrentHashMap<String, Integer> map = new ConcurrentHashMap<>();
    try {
      map.computeIfAbsent("a", k -> map.computeIfAbsent("a", again -> 1));
      System.out.println("not noticed");
    } catch (IllegalStateException e) {
      System.out.println(e.getMessage());
    }
  }

  private static void blockers() {
    final Object blocker = new Object();
    System.out.println(LockSupport.getBlocker(Thread.currentThread()));
    Thread.currentThread().interrupt();
    LockSupport.park(blocker);
    System.out.println(LockSupport.getBlocker(Thread.currentThread()) + " " + Thread.interrupted());
  }

  /** A lock of its own, whose state is beyond an int. */
  private static final class Mutex extends AbstractQueuedLongSynchronizer {
    private static final long HELD = 1L << 40;

    @Override
    protected boolean tryAcquire(long n) {
      return compareAndSetState(0, HELD);
    }

    @Override
    protected boolean tryRelease(long n) {
      setState(0);
      return true;
    }

    @Override
    protected boolean isHeldExclusively() {
      return getState() == HELD;
    }

    Condition condition() {
      return new ConditionObject();
    }
  }

  private static void mutex() throws Exception {
    final Mutex mutex = new Mutex();
    final Condition full = mutex.condition();
    final int[] count = new int[1];
    final Thread[] threads = new Thread[3];
    for (int t = 0; t < threads.length; t++) {
      threads[t] = new Thread(() -> {
        for (int i = 0; i < 50; i++) {
          mutex.acquire(1);
          count[0]++;
          if (count[0] == 150) full.signalAll();
          mutex.release(1);
        }
      });
      threads[t].start();
    }
    mutex.acquire(1);
    while (count[0] < 150) full.await();
    System.out.println(count[0] + " " + mutex.isHeldExclusively());
    mutex.release(1);
    for (Thread t : threads) t.join();
  }

  private static void quiescence(ForkJoinPool pool) {
    final AtomicInteger done = new AtomicInteger();
    for (int round = 0; round < 30; round++) {
      for (int k = 0; k < 4; k++) pool.execute(done::incrementAndGet);
      pool.awaitQuiescence(100, TimeUnit.SECONDS);
    }
    System.out.println(done);
  }

  private static void longPast(ForkJoinPool pool) throws Exception {
    System.out.println(pool.awaitTermination(Long.MIN_VALUE, TimeUnit.NANOSECONDS)
        + " " + new CountDownLatch(1).await(Long.MIN_VALUE, TimeUnit.DAYS));
    try {
      pool.submit(() -> {
        Thread.sleep(20);
        return 1;
      }).get(-1, TimeUnit.DAYS);
    } catch (TimeoutException e) {
      System.out.println("timeout");
    }
  }

  /** A thread that has been signalled queues for the lock at once. */
  private static void signals() throws InterruptedException {
    final ReentrantLock lock = new ReentrantLock(true);
    final Condition changed = lock.newCondition();
    final Thread[] threads = new Thread[3];
    final StringBuffer order = new StringBuffer();
    for (int t = 0; t < threads.length; t++) {
      final int me = t;
      threads[t] = new Thread(() -> {
        lock.lock();
        changed.awaitUninterruptibly();
        order.append(me);
        lock.unlock();
      });
      threads[t].start();
      for (boolean waits = false; !waits;) {
        lock.lock();
        waits = lock.getWaitQueueLength(changed) == t + 1;
        lock.unlock();
      }
    }
    lock.lock();
    changed.signal();
    System.out.println(lock.hasQueuedThread(threads[0]) + " " + lock.hasQueuedThread(threads[1])
        + lock.getQueueLength());
    changed.signalAll();
    System.out.println(lock.getQueueLength() + " " + lock.hasWaiters(changed));
    lock.unlock();
    for (Thread t : threads) t.join();
    System.out.println(order + " " + lock.hasQueuedThreads());
  }

  public static void main(String[] args) throws Exception {
    final ForkJoinPool pool = new ForkJoinPool(3);
    completers(pool);
    quiescence(pool);
    longPast(pool);
    signals();
    queues();
    recursion();
    blockers();
    mutex();
    pool.shutdown();
    System.out.println(pool.awaitTermination(100, TimeUnit.SECONDS));
  }
}
