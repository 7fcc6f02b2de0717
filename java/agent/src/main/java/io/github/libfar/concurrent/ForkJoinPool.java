package io.github.libfar.concurrent;

import java.lang.Thread.UncaughtExceptionHandler;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * java.util.concurrent.ForkJoinPool, over ranks. What a thread forks it keeps to itself, so that
 * ranks need not share it, unless other threads have nothing to do. Before a thread waits for a
 * task that another one runs it gives away what it has kept, and the pool may start another thread.
 */
public class ForkJoinPool extends ForkJoinSettings {
  private static final int MIN_COMMON = 3;
  private static final long IDLE_S = 60;
  private static final AtomicInteger POOLS = new AtomicInteger();

  private final CountDownLatch ended = new CountDownLatch(1);
  private final Object quiet = new Object();
  private final ChunkQueue<ForkJoinTask<?>> tasks = new ChunkQueue<>();
  private final ArrayList<Thread> threads = new ArrayList<>();
  private int made;
  private int idle;
  private int blocked;
  private long taken;
  private boolean closed;
  private boolean stopped;
  /** Whether threads have nothing to do, or could be started. */
  private volatile boolean hungry = true;

  /** Makes the threads. */
  public interface ForkJoinWorkerThreadFactory {
    ForkJoinWorkerThread newThread(ForkJoinPool pool);
  }

  /** What may wait in a thread of the pool. */
  public interface ManagedBlocker {
    boolean block() throws InterruptedException;

    boolean isReleasable();
  }

  public static final ForkJoinWorkerThreadFactory defaultForkJoinWorkerThreadFactory =
      ForkJoinWorkerThread::new;

  public ForkJoinPool() {
    this(Runtime.getRuntime().availableProcessors());
  }

  public ForkJoinPool(int parallelism) {
    this(parallelism, defaultForkJoinWorkerThreadFactory, null, false);
  }

  public ForkJoinPool(int parallelism, ForkJoinWorkerThreadFactory factory,
      UncaughtExceptionHandler handler, boolean async) {
    this(parallelism, factory, handler, async,
        "ForkJoinPool-" + POOLS.incrementAndGet() + "-worker-");
  }

  private ForkJoinPool(int parallelism, ForkJoinWorkerThreadFactory factory,
      UncaughtExceptionHandler handler, boolean async, String prefix) {
    super(parallelism, factory, handler, async, prefix);
  }

  private static final class Common {
    static final ForkJoinPool POOL = new ForkJoinPool(commonParallelism(),
        defaultForkJoinWorkerThreadFactory, null, false, "ForkJoinPool.commonPool-worker-");

    private static int commonParallelism() {
      final Integer set =
          Integer.getInteger("java.util.concurrent.ForkJoinPool.common.parallelism");
      return set != null && set > 0 ? set
          : Math.max(MIN_COMMON, Runtime.getRuntime().availableProcessors() - 1);
    }
  }

  public static ForkJoinPool commonPool() {
    return Common.POOL;
  }

  public static int getCommonPoolParallelism() {
    return Common.POOL.parallelism;
  }

  final synchronized int nextIndex() {
    return made++;
  }

  // ---- tasks

  static void fork(ForkJoinTask<?> task) {
    final ForkJoinPool pool = ForkJoinTask.getPool();
    if (pool == null) {
      commonPool().submitted(task);
    } else if (pool.hungry) {
      pool.enqueue(List.of(task));
    } else {
      Forked.mine().addLast(task);
    }
  }

  /** Takes a task that nobody has begun out of the queue. */
  final synchronized boolean withdraw(ForkJoinTask<?> task) {
    return tasks.remove(task);
  }

  /** What waits for a thread of the pool. */
  protected synchronized ForkJoinTask<?> pollSubmission() {
    return tasks.poll();
  }

  private <T extends ForkJoinTask<?>> T submitted(T task) {
    if (task == null) throw new NullPointerException();
    synchronized (this) {
      if (closed) throw new RejectedExecutionException();
    }
    enqueue(List.of(task));
    return task;
  }

  private void enqueue(List<? extends ForkJoinTask<?>> more) {
    final ArrayList<Thread> started = new ArrayList<>();
    synchronized (this) {
      tasks.addAll(more);
      feed(started);
    }
    for (Thread t : started) t.start();
  }

  /** In the monitor: lets threads go on, or makes new ones, for the tasks that wait. */
  private void feed(List<Thread> started) {
    int wanted = tasks.size();
    for (int k = Math.min(wanted, idle); k > 0; k--) notify();
    for (wanted -= idle; wanted > 0 && threads.size() - blocked < parallelism; wanted--) {
      final Thread t = factory.newThread(this);
      if (t == null) break;
      if (handler != null) t.setUncaughtExceptionHandler(handler);
      threads.add(t);
      started.add(t);
    }
    updateHungry();
  }

  private void updateHungry() {
    final boolean now =
        idle + Math.max(0, parallelism - (threads.size() - blocked)) > tasks.size();
    if (now != hungry) hungry = now;
  }

  /** Of a thread that runs a task: waits until another one is done. */
  final void blockFor(ForkJoinTask<?> task) {
    block(true);
    try {
      task.awaitDone();
    } finally {
      block(false);
    }
  }

  final void block(boolean begins) {
    final ArrayDeque<ForkJoinTask<?>> mine = Forked.mine();
    final ArrayList<Thread> started = new ArrayList<>();
    synchronized (this) {
      blocked += begins ? 1 : -1;
      tasks.addAll(mine);
      mine.clear();
      feed(started);
    }
    for (Thread t : started) t.start();
  }

  public static void managedBlock(ManagedBlocker blocker) throws InterruptedException {
    final ForkJoinPool pool = ForkJoinTask.getPool();
    if (pool != null) pool.block(true);
    try {
      while (!blocker.isReleasable() && !blocker.block()) {
      }
    } finally {
      if (pool != null) pool.block(false);
    }
  }

  /** What a thread of the pool does. */
  final void work() {
    for (ForkJoinTask<?> t; (t = next()) != null;) {
      t.runHere();
      Forked.run();
    }
  }

  /** A thread of the pool ends. */
  final void leave() {
    final ArrayList<Thread> started = new ArrayList<>();
    final boolean last;
    synchronized (this) {
      threads.remove(Thread.currentThread());
      last = closed && threads.isEmpty();
      if (!closed) feed(started);  // it may have left before it took a task
      updateHungry();
    }
    if (last) ended.countDown();
    for (Thread t : started) t.start();
  }

  private synchronized ForkJoinTask<?> next() {
    final Deadline deadline = new Deadline(IDLE_S, TimeUnit.SECONDS);
    for (;;) {
      if (stopped || threads.size() - blocked > parallelism) return null;
      final ForkJoinTask<?> first = tasks.poll();
      if (first != null) {
        taken++;
        updateHungry();
        return first;
      }
      if (closed) {
        notifyAll();
        return null;
      }
      if (deadline.left() <= 0) return null;
      idle++;
      updateHungry();
      if (isQuiescent()) {
        synchronized (quiet) {
          quiet.notifyAll();
        }
      }
      try {
        deadline.await(this);
      } catch (InterruptedException e) {
        // It was meant for a task that is done, or it is the end.
      } finally {
        idle--;
      }
    }
  }

  public <T> T invoke(ForkJoinTask<T> task) {
    if (ForkJoinTask.getPool() == this) return task.invoke();
    submitted(task).awaitDone();
    return task.join();
  }

  public void execute(ForkJoinTask<?> task) {
    submitted(task);
  }

  @Override
  public void execute(Runnable task) {
    submitted(task instanceof ForkJoinTask<?> t ? t : ForkJoinTask.adapt(task));
  }

  public <T> ForkJoinTask<T> submit(ForkJoinTask<T> task) {
    return submitted(task);
  }

  @Override
  public <T> ForkJoinTask<T> submit(Callable<T> task) {
    return submitted(ForkJoinTask.adapt(task));
  }

  @Override
  public <T> ForkJoinTask<T> submit(Runnable task, T result) {
    return submitted(ForkJoinTask.adapt(task, result));
  }

  @Override
  @SuppressWarnings("unchecked")
  public ForkJoinTask<?> submit(Runnable task) {
    return submitted(task instanceof ForkJoinTask<?> t ? (ForkJoinTask<Object>) t
        : (ForkJoinTask<Object>) ForkJoinTask.adapt(task));
  }

  // ---- the end

  @Override
  public void shutdown() {
    if (isCommon()) return;
    boolean last;
    synchronized (this) {
      closed = true;
      notifyAll();
      last = threads.isEmpty();
    }
    if (last) ended.countDown();
  }

  @Override
  public List<Runnable> shutdownNow() {
    if (isCommon()) return List.of();
    final List<Thread> interrupted;
    final List<ForkJoinTask<?>> left;
    synchronized (this) {
      stopped = true;
      left = new ArrayList<>(tasks);
      tasks.clear();
      interrupted = new ArrayList<>(threads);
    }
    shutdown();
    for (ForkJoinTask<?> t : left) t.cancel(false);
    for (Thread t : interrupted) t.interrupt();
    return List.of();
  }

  @Override
  public synchronized boolean isShutdown() {
    return closed;
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
    if (!isCommon()) return ended.await(time, unit);
    awaitQuiescence(time, unit);
    return false;
  }

  public boolean awaitQuiescence(long time, TimeUnit unit) {
    final Deadline deadline = new Deadline(time, unit);
    Forked.run();
    while (!isQuiescent()) {  // outside of the other monitor: who notifies is in this one
      final long left = deadline.left();
      if (left <= 0) return false;
      try {
        synchronized (quiet) {
          new Deadline(Math.min(left, 10_000_000)).await(quiet);  // threads may end, too
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
    return true;
  }

  /** The JDK's method of this name, of what has a close since version 19. */
  public void close() {
    if (isCommon()) return;
    shutdown();
    try {
      awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      shutdownNow();
      Thread.currentThread().interrupt();
    }
  }

  // ---- what can be asked

  public synchronized boolean isQuiescent() {
    return tasks.isEmpty() && threads.size() == idle;
  }

  public synchronized int getPoolSize() {
    return threads.size();
  }

  public synchronized int getActiveThreadCount() {
    return threads.size() - idle;
  }

  public synchronized int getRunningThreadCount() {
    return threads.size() - idle - blocked;
  }

  public synchronized long getQueuedTaskCount() {
    return tasks.size();
  }

  public int getQueuedSubmissionCount() {
    return (int) getQueuedTaskCount();
  }

  public boolean hasQueuedSubmissions() {
    return getQueuedTaskCount() > 0;
  }

  public synchronized long getStealCount() {
    return taken;
  }

  @Override
  public String toString() {
    return "java.util.concurrent.ForkJoinPool@" + Integer.toHexString(hashCode())
        + "[parallelism = " + parallelism + ", size = " + getPoolSize() + "]";
  }
}
