package io.github.libfar.concurrent;

import java.util.Collection;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * java.util.concurrent.ForkJoinTask, over ranks: by the monitor of this object. Whoever claims a
 * task runs it: a thread that takes it out of a queue, or one that joins it first.
 */
public abstract class ForkJoinTask<V> implements Future<V> {
  private static final int NEW = 0;
  private static final int CLAIMED = 1;
  private static final int DONE = 2;

  private int state;
  private short tag;
  private Throwable failure;

  public abstract V getRawResult();

  protected abstract void setRawResult(V value);

  /** Runs it. Returns false if somebody will call complete. */
  protected abstract boolean exec();

  // ---- running

  private synchronized boolean claim() {
    if (state != NEW) return false;
    state = CLAIMED;
    return true;
  }

  /** Runs it unless somebody else does or has. */
  final boolean runHere() {
    if (!claim()) return false;
    Throwable thrown = null;
    boolean ended = true;
    try {
      ended = exec();
    } catch (Throwable e) {
      thrown = e;
    }
    if (ended) finish(thrown);
    return true;
  }

  final boolean finish(Throwable thrown) {
    synchronized (this) {
      if (state == DONE) return false;
      state = DONE;
      failure = thrown;
      notifyAll();
    }
    return true;
  }

  public final ForkJoinTask<V> fork() {
    ForkJoinPool.fork(this);
    return this;
  }

  /** A thread of a pool runs what nobody has begun; others wait. */
  private void await() {
    final ForkJoinPool pool = getPool();
    if (pool == null) {
      awaitDone();
    } else {
      runHere();
      if (!isDone()) pool.blockFor(this);  // what has run may be completed by another thread
    }
  }

  final synchronized void awaitDone() {
    boolean interrupted = false;
    while (state != DONE) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) Thread.currentThread().interrupt();
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> void rethrow(Throwable e) throws E {
    throw (E) e;
  }

  private V report() {
    final Throwable thrown = getException();
    if (thrown != null) ForkJoinTask.<RuntimeException>rethrow(thrown);
    return getRawResult();
  }

  public final V join() {
    await();
    return report();
  }

  public final V invoke() {
    runHere();
    await();
    return report();
  }

  public final void quietlyJoin() {
    await();
  }

  public final void quietlyInvoke() {
    runHere();
    await();
  }

  @Override
  public final V get() throws InterruptedException, ExecutionException {
    if (Thread.interrupted()) throw new InterruptedException();
    if (getPool() != null) {
      await();
    } else {
      synchronized (this) {
        while (state != DONE) wait();
      }
    }
    return reportOutside();
  }

  @Override
  public final V get(long time, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    if (Thread.interrupted()) throw new InterruptedException();
    final Deadline deadline = new Deadline(time, unit);
    final ForkJoinPool pool = getPool();
    if (pool != null && tryUnfork()) runHere();
    final boolean blocks = pool != null && !isDone();
    if (blocks) pool.block(true);
    try {
      synchronized (this) {
        while (state != DONE) {
          if (!deadline.await(this)) throw new TimeoutException();
        }
      }
    } finally {
      if (blocks) pool.block(false);
    }
    return reportOutside();
  }

  private V reportOutside() throws ExecutionException {
    final Throwable thrown = getException();
    if (thrown instanceof CancellationException c) throw c;
    if (thrown != null) throw new ExecutionException(thrown);
    return getRawResult();
  }

  // ---- several

  public static void invokeAll(ForkJoinTask<?> a, ForkJoinTask<?> b) {
    b.fork();
    a.invoke();
    b.join();
  }

  public static void invokeAll(ForkJoinTask<?>... tasks) {
    for (int k = tasks.length - 1; k > 0; k--) tasks[k].fork();
    if (tasks.length > 0) tasks[0].invoke();
    for (int k = 1; k < tasks.length; k++) tasks[k].join();
  }

  public static <T extends ForkJoinTask<?>> Collection<T> invokeAll(Collection<T> tasks) {
    invokeAll(tasks.toArray(new ForkJoinTask<?>[0]));
    return tasks;
  }

  // ---- what is asked, and done from outside

  @Override
  public boolean cancel(boolean interrupts) {
    finish(new CancellationException());
    return isCancelled();
  }

  @Override
  public final synchronized boolean isDone() {
    return state == DONE;
  }

  @Override
  public final boolean isCancelled() {
    return getException() instanceof CancellationException;
  }

  public final boolean isCompletedAbnormally() {
    return getException() != null;
  }

  public final synchronized boolean isCompletedNormally() {
    return state == DONE && failure == null;
  }

  public final synchronized Throwable getException() {
    return failure;
  }

  public void completeExceptionally(Throwable thrown) {
    finish(thrown instanceof RuntimeException || thrown instanceof Error ? thrown
        : new RuntimeException(thrown));
  }

  public void complete(V value) {
    setRawResult(value);
    finish(null);
  }

  public final void quietlyComplete() {
    finish(null);
  }

  public synchronized void reinitialize() {
    state = NEW;
    failure = null;
  }

  /** Whether it was in a queue, where nobody had begun it. */
  public boolean tryUnfork() {
    return Forked.remove(this);
  }

  public final synchronized short getForkJoinTaskTag() {
    return tag;
  }

  public final synchronized short setForkJoinTaskTag(short to) {
    final short old = tag;
    tag = to;
    return old;
  }

  public final synchronized boolean compareAndSetForkJoinTaskTag(short expected, short to) {
    if (tag != expected) return false;
    tag = to;
    return true;
  }

  protected static ForkJoinTask<?> peekNextLocalTask() {
    return Forked.next(false);
  }

  protected static ForkJoinTask<?> pollNextLocalTask() {
    return Forked.next(true);
  }

  protected static ForkJoinTask<?> pollTask() {
    final ForkJoinTask<?> mine = pollNextLocalTask();
    return mine != null ? mine : pollSubmission();
  }

  protected static ForkJoinTask<?> pollSubmission() {
    final ForkJoinPool pool = getPool();
    return pool == null ? null : pool.pollSubmission();
  }

  public static ForkJoinPool getPool() {
    return Thread.currentThread() instanceof ForkJoinWorkerThread t ? t.getPool() : null;
  }

  public static boolean inForkJoinPool() {
    return getPool() != null;
  }

  public static int getQueuedTaskCount() {
    return Forked.mine().size();
  }

  public static int getSurplusQueuedTaskCount() {
    return Forked.mine().size();
  }

  public static void helpQuiesce() {
    Forked.run();
    if (getPool() == null) {
      ForkJoinPool.commonPool().awaitQuiescence(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
    }
  }

  /** A task that calls something. */
  private static final class Adapted<T> extends ForkJoinTask<T> implements RunnableFuture<T> {
    private final Callable<? extends T> body;
    private T result;

    Adapted(Callable<? extends T> body) {
      if (body == null) throw new NullPointerException();
      this.body = body;
    }

    @Override
    public T getRawResult() {
      return result;
    }

    @Override
    protected void setRawResult(T value) {
      result = value;
    }

    @Override
    protected boolean exec() {
      try {
        result = body.call();
        return true;
      } catch (RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new RuntimeException(e);
      }
    }

    @Override
    public void run() {
      invoke();
    }
  }

  public static ForkJoinTask<?> adapt(Runnable body) {
    return new Adapted<>(Executors.callable(body));
  }

  public static <T> ForkJoinTask<T> adapt(Runnable body, T result) {
    return new Adapted<>(Executors.callable(body, result));
  }

  public static <T> ForkJoinTask<T> adapt(Callable<? extends T> body) {
    return new Adapted<>(body);
  }
}
