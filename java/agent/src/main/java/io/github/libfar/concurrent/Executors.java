package io.github.libfar.concurrent;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;

/** java.util.concurrent.Executors, over ranks: the threads of a pool are on all of them. */
public class Executors {
  public static ExecutorService newFixedThreadPool(int threads) {
    return new ThreadPool(threads, Thread::new);
  }

  public static ExecutorService newFixedThreadPool(int threads, ThreadFactory factory) {
    return new ThreadPool(threads, factory);
  }

  public static ExecutorService newSingleThreadExecutor() {
    return newFixedThreadPool(1);
  }

  public static ExecutorService newSingleThreadExecutor(ThreadFactory factory) {
    return newFixedThreadPool(1, factory);
  }

  public static ExecutorService newCachedThreadPool() {
    return newFixedThreadPool(Integer.MAX_VALUE);
  }

  public static ExecutorService newWorkStealingPool() {
    return newFixedThreadPool(Runtime.getRuntime().availableProcessors());
  }

  public static ExecutorService newWorkStealingPool(int threads) {
    return newFixedThreadPool(threads);
  }

  public static ThreadFactory defaultThreadFactory() {
    return Thread::new;
  }

  public static Callable<Object> callable(Runnable task) {
    return callable(task, null);
  }

  public static <T> Callable<T> callable(Runnable task, T result) {
    return () -> {
      task.run();
      return result;
    };
  }

  private Executors() {}
}
