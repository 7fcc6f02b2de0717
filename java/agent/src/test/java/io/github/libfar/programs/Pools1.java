package io.github.libfar.programs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RecursiveAction;
import java.util.concurrent.RecursiveTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** Executors: of all kinds, scheduled ones, those of forked tasks. */
public final class Pools1 {
  private static final class Problem extends Exception {
    private final int code;

    Problem(int code) {
      super("problem " + code);
      this.code = code;
    }
  }

  public static void main(String[] args) throws Exception {
    futures();
    pool();
    completion();
    cancelled();
    scheduled();
    timer();
    forkJoin();
    cached();
  }

  private static void futures() throws Exception {
    final ExecutorService pool = Executors.newFixedThreadPool(2);
    final List<Callable<Integer>> calls = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      final int n = i;
      calls.add(() -> n * n);
    }
    int sum = 0;
    for (Future<Integer> f : pool.invokeAll(calls)) sum += f.get();
    System.out.println(sum + " " + pool.invokeAny(Arrays.asList(() -> "any", () -> "any")));
    try {
      pool.submit(() -> {
        throw new Problem(3);
      }).get();
    } catch (ExecutionException e) {
      System.out.println(e.getMessage() + " " + ((Problem) e.getCause()).code);
    }
    try {
      pool.submit(() -> 1 / (sumOf() - 15)).get();
    } catch (ExecutionException e) {
      System.out.println(e.getCause() + " " + (e.getCause() instanceof ArithmeticException));
    }
    final CountDownLatch never = new CountDownLatch(1);
    final Future<?> slow = pool.submit(() -> {
      never.await();
      return null;
    });
    try {
      slow.get(2, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      System.out.println("timeout " + slow.isDone());
    }
    System.out.println(slow.cancel(true) + " " + slow.isCancelled()
        + (pool.shutdownNow().size() <= 1)
        + pool.awaitTermination(10, TimeUnit.SECONDS) + pool.isTerminated());
    final FutureTask<String> task = new FutureTask<>(() -> Thread.currentThread().getName());
    new Thread(task, "runs it").start();
    System.out.println(task.get());
    final ExecutorService single = Executors.newSingleThreadExecutor();
    System.out.println(single.submit(() -> Thread.currentThread().getName()).get());
    single.shutdown();
    try {
      single.submit(() -> 1);
    } catch (RejectedExecutionException e) {
      System.out.println("rejected");
    }
  }

  private static int sumOf() {
    return Arrays.asList(1, 2, 3, 4, 5).stream().mapToInt(i -> i).sum();
  }

  private static void pool() throws Exception {
    final CountDownLatch open = new CountDownLatch(1);
    final AtomicInteger ran = new AtomicInteger();
    final AtomicInteger after = new AtomicInteger();
    final ThreadPoolExecutor pool = new ThreadPoolExecutor(1, 2, 1, TimeUnit.SECONDS,
        new ArrayBlockingQueue<>(1), Thread::new, new ThreadPoolExecutor.CallerRunsPolicy()) {
      @Override
      protected void afterExecute(Runnable r, Throwable t) {
        after.incrementAndGet();
      }
    };
    final Runnable task = () -> {
      try {
        open.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      ran.incrementAndGet();
    };
    for (int i = 0; i < 3; i++) pool.execute(task);
    System.out.println(pool.getPoolSize() + " " + pool.getQueue().size() + pool.getCorePoolSize()
        + pool.getMaximumPoolSize() + pool.getLargestPoolSize());
    pool.execute(ran::incrementAndGet);
    open.countDown();
    pool.shutdown();
    System.out.println(pool.awaitTermination(10, TimeUnit.SECONDS) + " " + ran + after
        + pool.getCompletedTaskCount() + pool.isTerminated());
    final ThreadPoolExecutor strict =
        new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(1));
    final CountDownLatch strictOpen = new CountDownLatch(1);
    int rejected = 0;
    for (int i = 0; i < 4; i++) {
      try {
        strict.execute(() -> {
          try {
            strictOpen.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
      } catch (RejectedExecutionException e) {
        rejected++;
      }
    }
    strictOpen.countDown();
    strict.shutdown();
    System.out.println(rejected + " " + strict.awaitTermination(10, TimeUnit.SECONDS));
  }

  private static void completion() throws Exception {
    final ExecutorService pool = Executors.newWorkStealingPool(3);
    final ExecutorCompletionService<Integer> done = new ExecutorCompletionService<>(pool);
    for (int i = 1; i <= 6; i++) {
      final int n = i;
      done.submit(() -> n);
    }
    int sum = 0;
    for (int i = 0; i < 6; i++) sum += done.take().get();
    System.out.println(sum + " " + done.poll());
    pool.shutdown();
  }

  private static void cancelled() throws Exception {
    final FutureTask<Integer> task = new FutureTask<>(() -> 1);
    System.out.println(task.cancel(false) + " " + task.isDone());
    task.run();
    try {
      task.get();
    } catch (CancellationException e) {
      System.out.println("cancelled");
    }
  }

  private static void scheduled() throws Exception {
    final ScheduledExecutorService pool = Executors.newScheduledThreadPool(1);
    final CountDownLatch ticks = new CountDownLatch(3);
    final ScheduledFuture<?> ticking =
        pool.scheduleAtFixedRate(ticks::countDown, 1, 2, TimeUnit.MILLISECONDS);
    final List<String> order = new ArrayList<>();
    final ScheduledFuture<?> early = pool.schedule(() -> {
      synchronized (order) {
        order.add("early");
      }
    }, 1, TimeUnit.MILLISECONDS);
    final ScheduledFuture<String> late = pool.schedule(() -> {
      synchronized (order) {
        order.add("late");
      }
      return "late";
    }, 20, TimeUnit.MILLISECONDS);
    ticks.await();
    early.get();
    System.out.println(late.get() + " " + order + ticking.cancel(false) + ticking.isCancelled());
    final CountDownLatch again = new CountDownLatch(2);
    pool.scheduleWithFixedDelay(again::countDown, 0, 1, TimeUnit.MILLISECONDS);
    again.await();
    final Future<Integer> last = pool.submit(() -> 42);
    pool.shutdown();
    System.out.println(pool.awaitTermination(10, TimeUnit.SECONDS) + " " + last.get());
  }

  private static void timer() throws Exception {
    final Timer timer = new Timer("the timer", true);
    final CountDownLatch three = new CountDownLatch(3);
    final TimerTask task = new TimerTask() {
      @Override
      public void run() {
        three.countDown();
      }
    };
    timer.schedule(task, 1, 2);
    three.await();
    System.out.println(task.cancel() + " " + task.cancel());
    timer.cancel();
    try {
      timer.schedule(new TimerTask() {
        @Override
        public void run() {}
      }, 1);
    } catch (IllegalStateException e) {
      System.out.println(e.getMessage());
    }
  }

  private static final class Sum extends RecursiveTask<Long> {
    private final int[] of;
    private final int from;
    private final int to;

    Sum(int[] of, int from, int to) {
      this.of = of;
      this.from = from;
      this.to = to;
    }

    @Override
    protected Long compute() {
      if (to - from <= 50) {
        long sum = 0;
        for (int i = from; i < to; i++) sum += of[i];
        return sum;
      }
      final int middle = from + to >>> 1;
      final Sum left = new Sum(of, from, middle);
      final Sum right = new Sum(of, middle, to);
      left.fork();
      final long rest = right.compute();
      return rest + left.join();
    }
  }

  /** Merge sort. */
  private static final class Sort extends RecursiveAction {
    private final int[] of;
    private final int from;
    private final int to;

    Sort(int[] of, int from, int to) {
      this.of = of;
      this.from = from;
      this.to = to;
    }

    @Override
    protected void compute() {
      if (to - from <= 32) {
        Arrays.sort(of, from, to);
        return;
      }
      final int middle = from + to >>> 1;
      invokeAll(new Sort(of, from, middle), new Sort(of, middle, to));
      final int[] left = Arrays.copyOfRange(of, from, middle);
      for (int i = 0, k = middle, at = from; i < left.length; at++) {
        of[at] = k == to || left[i] <= of[k] ? left[i++] : of[k++];
      }
    }
  }

  private static final class Fails extends RecursiveTask<Integer> {
    private final int depth;

    Fails(int depth) {
      this.depth = depth;
    }

    @Override
    protected Integer compute() {
      if (depth == 0) throw new IllegalStateException("deep");
      final Fails below = new Fails(depth - 1);
      below.fork();
      return below.join();
    }
  }

  private static void forkJoin() throws Exception {
    final int[] numbers = new int[1000];
    for (int i = 0; i < numbers.length; i++) numbers[i] = i * 7919 % 1009;
    final ForkJoinPool pool = new ForkJoinPool(4);
    System.out.println(pool.invoke(new Sum(numbers, 0, numbers.length)) + " "
        + ForkJoinPool.commonPool().submit(new Sum(numbers, 0, 500)).get() + " "
        + new Sum(numbers, 500, 1000).fork().join());
    pool.invoke(new Sort(numbers, 0, numbers.length));
    boolean sorted = true;
    for (int i = 1; i < numbers.length; i++) sorted &= numbers[i - 1] <= numbers[i];
    System.out.println(sorted + " " + numbers[0] + " " + numbers[999]);
    try {
      pool.invoke(new Fails(3));
    } catch (IllegalStateException e) {
      System.out.println(e.getMessage().endsWith("deep"));
    }
    System.out.println(pool.submit(() -> "called").get() + pool.getParallelism());
    pool.shutdown();
    System.out.println(pool.awaitTermination(10, TimeUnit.SECONDS));
  }

  private static void cached() throws Exception {
    final ExecutorService pool = Executors.newCachedThreadPool(task -> {
      final Thread t = new Thread(task);
      t.setDaemon(true);
      return t;
    });
    final CountDownLatch all = new CountDownLatch(4);
    for (int i = 0; i < 4; i++) {
      pool.execute(() -> {
        all.countDown();
        try {
          all.await();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      });
    }
    all.await();
    System.out.println("all at once");
  }
}
