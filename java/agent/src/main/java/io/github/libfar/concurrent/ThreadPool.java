package io.github.libfar.concurrent;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** Threads that run tasks from one queue; as many as there has been work for. */
final class ThreadPool extends AbstractExecutorService {
  private final int max;
  private final ThreadFactory factory;
  private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
  private final ArrayList<Thread> threads = new ArrayList<>();
  private int idle;
  private int alive;
  private boolean closed;

  ThreadPool(int max, ThreadFactory factory) {
    if (max <= 0) throw new IllegalArgumentException();
    this.max = max;
    this.factory = factory;
  }

  @Override
  public void execute(Runnable task) {
    Thread made = null;
    synchronized (this) {
      if (closed) throw new RejectedExecutionException("the executor has been shut down");
      tasks.addLast(task);
      if (tasks.size() > idle && alive < max) {
        made = factory.newThread(this::work);
        threads.add(made);
        alive++;
      } else {
        notify();
      }
    }
    if (made != null) made.start();
  }

  private void work() {
    for (;;) {
      final Runnable task = next();
      if (task == null) return;
      task.run();
    }
  }

  private synchronized Runnable next() {
    for (;;) {
      final Runnable task = tasks.pollFirst();
      if (task != null) return task;
      if (closed) break;
      idle++;
      try {
        wait();
      } catch (InterruptedException e) {
        // Either it is the end, or it was meant for a task that is done.
      } finally {
        idle--;
      }
    }
    if (--alive == 0) notifyAll();
    return null;
  }

  @Override
  public synchronized void shutdown() {
    closed = true;
    notifyAll();
  }

  @Override
  public List<Runnable> shutdownNow() {
    final List<Runnable> left;
    final List<Thread> interrupted;
    synchronized (this) {
      left = new ArrayList<>(tasks);
      tasks.clear();
      shutdown();
      interrupted = new ArrayList<>(threads);
    }
    for (Thread t : interrupted) t.interrupt();
    return left;
  }

  @Override
  public synchronized boolean isShutdown() {
    return closed;
  }

  @Override
  public synchronized boolean isTerminated() {
    return closed && alive == 0;
  }

  @Override
  public synchronized boolean awaitTermination(long time, TimeUnit unit)
      throws InterruptedException {
    final long end = System.nanoTime() + unit.toNanos(time);
    while (!isTerminated()) {
      final long left = end - System.nanoTime();
      if (left <= 0) return false;
      wait(Math.min(left / 1_000_000 + 1, 1L << 40));
    }
    return true;
  }

  @Override
  protected <T> RunnableFuture<T> newTaskFor(Runnable task, T value) {
    return new Task<>(Executors.callable(task, value));
  }

  @Override
  protected <T> RunnableFuture<T> newTaskFor(Callable<T> task) {
    return new Task<>(task);
  }
}
