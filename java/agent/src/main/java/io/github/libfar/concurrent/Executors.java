package io.github.libfar.concurrent;

import java.util.Objects;
import java.security.PrivilegedAction;
import java.security.PrivilegedExceptionAction;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** java.util.concurrent.Executors, over ranks: the threads of a pool are on all of them. */
public class Executors {
  private static final long IDLE_S = 60;

  public static ExecutorService newFixedThreadPool(int threads) {
    return newFixedThreadPool(threads, defaultThreadFactory());
  }

  public static ExecutorService newFixedThreadPool(int threads, ThreadFactory factory) {
    return new ThreadPoolExecutor(threads, threads, 0, TimeUnit.SECONDS,
        new LinkedBlockingQueue<>(), factory);
  }

  public static ExecutorService newSingleThreadExecutor() {
    return newSingleThreadExecutor(defaultThreadFactory());
  }

  public static ExecutorService newSingleThreadExecutor(ThreadFactory factory) {
    return unconfigurableExecutorService(newFixedThreadPool(1, factory));
  }

  public static ExecutorService newCachedThreadPool() {
    return newCachedThreadPool(defaultThreadFactory());
  }

  public static ExecutorService newCachedThreadPool(ThreadFactory factory) {
    return new ThreadPoolExecutor(0, Integer.MAX_VALUE, IDLE_S, TimeUnit.SECONDS,
        new SynchronousQueue<>(), factory);
  }

  /** A thread of its own for each task. */
  public static ExecutorService newThreadPerTaskExecutor(ThreadFactory factory) {
    return new ThreadPoolExecutor(0, Integer.MAX_VALUE, 0, TimeUnit.SECONDS,
        new SynchronousQueue<>(), factory);
  }

  /** Threads of the ranks: virtual ones could not leave theirs. */
  public static ExecutorService newVirtualThreadPerTaskExecutor() {
    return newThreadPerTaskExecutor(task -> {
      final Thread t = new Thread(task, "");
      t.setDaemon(true);
      return t;
    });
  }

  public static ScheduledExecutorService newScheduledThreadPool(int threads) {
    return new ScheduledThreadPoolExecutor(threads);
  }

  public static ScheduledExecutorService newScheduledThreadPool(int threads,
      ThreadFactory factory) {
    return new ScheduledThreadPoolExecutor(threads, factory);
  }

  public static ScheduledExecutorService newSingleThreadScheduledExecutor() {
    return newScheduledThreadPool(1);
  }

  public static ScheduledExecutorService newSingleThreadScheduledExecutor(ThreadFactory factory) {
    return newScheduledThreadPool(1, factory);
  }

  public static ExecutorService newWorkStealingPool() {
    return new ForkJoinPool();
  }

  public static ExecutorService newWorkStealingPool(int threads) {
    return new ForkJoinPool(threads);
  }

  public static ExecutorService unconfigurableExecutorService(ExecutorService executor) {
    return java.util.Objects.requireNonNull(executor);
  }

  public static ScheduledExecutorService unconfigurableScheduledExecutorService(
      ScheduledExecutorService executor) {
    return java.util.Objects.requireNonNull(executor);
  }

  private static final AtomicInteger POOLS = new AtomicInteger();

  private static final class NamedThreads implements ThreadFactory {
    private final String prefix = "pool-" + POOLS.incrementAndGet() + "-thread-";
    private final AtomicInteger made = new AtomicInteger();

    @Override
    public Thread newThread(Runnable task) {
      final Thread t = new Thread(task, prefix + made.incrementAndGet());
      if (t.isDaemon()) t.setDaemon(false);
      return t;
    }
  }

  public static ThreadFactory defaultThreadFactory() {
    return new NamedThreads();
  }

  /** Ranks know nothing of access control contexts. */
  public static ThreadFactory privilegedThreadFactory() {
    return defaultThreadFactory();
  }

  public static <T> Callable<T> privilegedCallable(Callable<T> task) {
    return Objects.requireNonNull(task);
  }

  public static <T> Callable<T> privilegedCallableUsingCurrentClassLoader(Callable<T> task) {
    return Objects.requireNonNull(task);
  }

  public static Callable<Object> callable(Runnable task) {
    return callable(task, null);
  }

  public static <T> Callable<T> callable(Runnable task, T result) {
    if (task == null) throw new NullPointerException();
    return () -> {
      task.run();
      return result;
    };
  }

  public static Callable<Object> callable(PrivilegedAction<?> action) {
    if (action == null) throw new NullPointerException();
    return action::run;
  }

  public static Callable<Object> callable(PrivilegedExceptionAction<?> action) {
    if (action == null) throw new NullPointerException();
    return action::run;
  }

  private Executors() {}
}
