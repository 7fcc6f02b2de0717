package io.github.libfar.concurrent;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * java.util.concurrent.ThreadPoolExecutor, over ranks. Its threads wait in the monitor of this
 * object, not in the queue: so a shutdown need not interrupt those that are idle.
 */
public class ThreadPoolExecutor extends ThreadPoolSettings {
  private static final int RUNNING = 0;
  private static final int SHUTDOWN = 1;
  private static final int STOPPED = 2;

  private final BlockingQueue<Runnable> queue;
  /** Tasks for idle threads, where the queue is a SynchronousQueue; else null. */
  private final ArrayDeque<Runnable> direct;
  private final ArrayList<Thread> threads = new ArrayList<>();
  private final CountDownLatch ended = new CountDownLatch(1);
  private int state = RUNNING;
  private int idle;
  private int largest;
  private int active;
  private long completed;

  public ThreadPoolExecutor(int core, int max, long keepAlive, TimeUnit unit,
      BlockingQueue<Runnable> queue) {
    this(core, max, keepAlive, unit, queue, Executors.defaultThreadFactory());
  }

  public ThreadPoolExecutor(int core, int max, long keepAlive, TimeUnit unit,
      BlockingQueue<Runnable> queue, ThreadFactory factory) {
    this(core, max, keepAlive, unit, queue, factory, new AbortPolicy());
  }

  public ThreadPoolExecutor(int core, int max, long keepAlive, TimeUnit unit,
      BlockingQueue<Runnable> queue, RejectedExecutionHandler handler) {
    this(core, max, keepAlive, unit, queue, Executors.defaultThreadFactory(), handler);
  }

  public ThreadPoolExecutor(int core, int max, long keepAlive, TimeUnit unit,
      BlockingQueue<Runnable> queue, ThreadFactory factory, RejectedExecutionHandler handler) {
    if (core < 0 || max <= 0 || max < core || keepAlive < 0) throw new IllegalArgumentException();
    if (queue == null || factory == null || handler == null) throw new NullPointerException();
    this.core = core;
    this.max = max;
    this.keepAlive = unit.toNanos(keepAlive);
    this.queue = queue;
    this.factory = factory;
    this.handler = handler;
    direct = queue instanceof SynchronousQueue ? new ArrayDeque<>() : null;
  }

  /** What to do with tasks that come after the end, or when there are too many. */
  public static class AbortPolicy implements RejectedExecutionHandler {
    @Override
    public void rejectedExecution(Runnable task, ThreadPoolExecutor pool) {
      throw new RejectedExecutionException(
          "Task " + task + " rejected from " + pool);
    }
  }

  /** The caller runs them. */
  public static class CallerRunsPolicy implements RejectedExecutionHandler {
    @Override
    public void rejectedExecution(Runnable task, ThreadPoolExecutor pool) {
      if (!pool.isShutdown()) task.run();
    }
  }

  /** They are dropped. */
  public static class DiscardPolicy implements RejectedExecutionHandler {
    @Override
    public void rejectedExecution(Runnable task, ThreadPoolExecutor pool) {}
  }

  /** The one that has waited longest is dropped instead. */
  public static class DiscardOldestPolicy implements RejectedExecutionHandler {
    @Override
    public void rejectedExecution(Runnable task, ThreadPoolExecutor pool) {
      if (pool.isShutdown()) return;
      pool.getQueue().poll();
      pool.execute(task);
    }
  }

  // ---- tasks

  @Override
  public void execute(Runnable task) {
    if (task == null) throw new NullPointerException();
    Thread made = null;
    boolean rejected = false;
    synchronized (this) {
      if (state != RUNNING) {
        rejected = true;
      } else if (threads.size() < core) {
        made = newThread(task);
      } else if (offer(task)) {
        if (threads.isEmpty()) made = newThread(null);
      } else if (threads.size() < max) {
        made = newThread(task);
      } else {
        rejected = true;
      }
    }
    if (made != null) made.start();
    if (rejected) handler.rejectedExecution(task, this);
  }

  private boolean offer(Runnable task) {
    if (direct == null) {
      if (!queue.offer(task)) return false;
    } else {
      if (idle <= direct.size()) return false;
      direct.add(task);
    }
    notify();
    return true;
  }

  /** Puts a task into the queue in any case. A thread is made if there are too few. */
  final void enqueue(Runnable task) {
    Thread made = null;
    final boolean rejected;
    synchronized (this) {
      rejected = state != RUNNING;
      if (!rejected) queue.add(task);
      if (!rejected && threads.size() < core) made = newThread(null); else notify();
    }
    if (made != null) made.start();
    if (rejected) handler.rejectedExecution(task, this);
  }

  /** In the monitor. */
  private Thread newThread(Runnable first) {
    final Thread made = factory.newThread(() -> work(first));
    if (made == null) return null;
    threads.add(made);
    largest = Math.max(largest, threads.size());
    return made;
  }

  /** In the monitor: the next task that is to run now; null: there is none. */
  Runnable nextTask() {
    return direct != null ? direct.poll() : queue.poll();
  }

  /** In the monitor: after how many nanoseconds nextTask may return one that it has already. */
  long untilNextTask() {
    return Long.MAX_VALUE;
  }

  /** In the monitor: whether tasks are left that must run. */
  boolean hasTasks() {
    return direct != null ? !direct.isEmpty() : !queue.isEmpty();
  }

  private void work(Runnable first) {
    final Thread me = Thread.currentThread();
    boolean failed = true;
    try {
      for (Runnable task = first; task != null || (task = await()) != null; task = null) {
        run(me, task);
      }
      failed = false;
    } finally {
      end(me, failed);
    }
  }

  private void run(Thread me, Runnable task) {
    synchronized (this) {
      active++;
      if (state < STOPPED) Thread.interrupted();  // it was meant for the task before
    }
    Throwable thrown = null;
    try {
      beforeExecute(me, task);
      try {
        task.run();
      } catch (Throwable e) {
        thrown = e;
        throw e;
      } finally {
        afterExecute(task, thrown);
      }
    } finally {
      synchronized (this) {
        active--;
        completed++;
      }
    }
  }

  /** Returns null if the thread is to end. */
  private synchronized Runnable await() {
    final Deadline deadline = new Deadline(keepAlive);
    for (;;) {
      if (state == STOPPED || state == SHUTDOWN && !hasTasks() || threads.size() > max) return null;
      final Runnable task = nextTask();
      if (task != null) return task;
      final long pause = untilNextTask();
      final boolean mayEnd = pause == Long.MAX_VALUE && (coreTimesOut || threads.size() > core);
      if (mayEnd && deadline.left() <= 0) return null;
      idle++;
      try {
        if (mayEnd) {
          deadline.await(this);
        } else if (pause < Long.MAX_VALUE) {
          new Deadline(pause).await(this);
        } else {
          wait();
        }
      } catch (InterruptedException e) {
        // It was meant for a task that is done, or it is the end.
      } finally {
        idle--;
      }
    }
  }

  private void end(Thread me, boolean failed) {
    Thread replacement = null;
    boolean last = false;
    synchronized (this) {
      threads.remove(me);
      if (state < STOPPED && (failed || hasTasks()) && (state == RUNNING || hasTasks())
          && threads.size() < Math.max(core, 1)) {
        replacement = newThread(null);
      }
      last = state != RUNNING && threads.isEmpty();
    }
    if (replacement != null) replacement.start();
    if (last) finish();
  }

  private void finish() {
    if (ended.getCount() == 0) return;
    terminated();
    ended.countDown();
  }

  protected void beforeExecute(Thread thread, Runnable task) {}

  protected void afterExecute(Runnable task, Throwable thrown) {}

  protected void terminated() {}

  // ---- the end

  /** In the monitor: no more tasks will come. */
  void onShutdown() {}

  @Override
  public void shutdown() {
    final boolean last;
    synchronized (this) {
      if (state == RUNNING) {
        state = SHUTDOWN;
        onShutdown();
      }
      notifyAll();
      last = threads.isEmpty();
    }
    if (last) finish();
  }

  @Override
  public List<Runnable> shutdownNow() {
    final List<Runnable> left = new ArrayList<>();
    final List<Thread> interrupted;
    synchronized (this) {
      state = STOPPED;
      queue.drainTo(left);
      notifyAll();
      interrupted = new ArrayList<>(threads);
    }
    for (Thread t : interrupted) t.interrupt();
    if (interrupted.isEmpty()) finish();
    return left;
  }

  @Override
  public synchronized boolean isShutdown() {
    return state != RUNNING;
  }

  @Override
  public boolean isTerminated() {
    return ended.getCount() == 0;
  }

  public boolean isTerminating() {
    return isShutdown() && !isTerminated();
  }

  @Override
  public boolean awaitTermination(long time, TimeUnit unit) throws InterruptedException {
    return ended.await(time, unit);
  }

  // ---- what can be asked and set

  public BlockingQueue<Runnable> getQueue() {
    return queue;
  }

  public boolean remove(Runnable task) {
    return queue.remove(task);
  }

  public void purge() {
    queue.removeIf(t -> t instanceof java.util.concurrent.Future<?> f && f.isCancelled());
  }

  public synchronized int getPoolSize() {
    return threads.size();
  }

  public synchronized int getActiveCount() {
    return active;
  }

  public synchronized int getLargestPoolSize() {
    return largest;
  }

  public synchronized long getTaskCount() {
    return completed + active + queue.size();
  }

  public synchronized long getCompletedTaskCount() {
    return completed;
  }

  public void setCorePoolSize(int n) {
    final ArrayList<Thread> made = new ArrayList<>();
    synchronized (this) {
      if (n < 0 || n > max) throw new IllegalArgumentException();
      core = n;
      for (int k = queue.size(); k > 0 && threads.size() < core; k--) made.add(newThread(null));
      notifyAll();
    }
    for (Thread t : made) t.start();
  }

  public boolean prestartCoreThread() {
    Thread made = null;
    synchronized (this) {
      if (state == RUNNING && threads.size() < core) made = newThread(null);
    }
    if (made != null) made.start();
    return made != null;
  }

  public int prestartAllCoreThreads() {
    int n = 0;
    while (prestartCoreThread()) n++;
    return n;
  }

  @Override
  public synchronized String toString() {
    final String run = state == RUNNING ? "Running" : isTerminated() ? "Terminated"
        : "Shutting down";
    return "java.util.concurrent.ThreadPoolExecutor@" + Integer.toHexString(hashCode()) + "[" + run
        + ", pool size = " + threads.size() + ", active threads = " + active
        + ", queued tasks = " + queue.size() + ", completed tasks = " + completed + "]";
  }
}
