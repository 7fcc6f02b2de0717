package io.github.libfar.concurrent;

import java.util.ArrayList;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The result of a CompletableFuture, and what waits for it; in the monitor of this object. */
abstract class CompletableResult<T> implements Future<T> {
  private boolean done;
  private T value;
  private Throwable failure;
  /** A stage has failed, or one before it: the failure is seen within a CompletionException. */
  private boolean ofStage;
  private final ArrayList<Runnable> dependents = new ArrayList<>();

  private boolean end(T to, Throwable thrown, boolean stage) {
    final ArrayList<Runnable> waiting;
    synchronized (this) {
      if (done) return false;
      value = to;
      failure = thrown;
      ofStage = stage;
      done = true;
      notifyAll();
      waiting = new ArrayList<>(dependents);
      dependents.clear();
    }
    for (int k = waiting.size() - 1; k >= 0; k--) waiting.get(k).run();
    return true;
  }

  /** Runs something once this is done: now, or by the thread that completes it. */
  final void whenDone(Runnable f) {
    synchronized (this) {
      if (!done) {
        dependents.add(f);
        return;
      }
    }
    f.run();
  }

  public boolean complete(T to) {
    return end(to, null, false);
  }

  public boolean completeExceptionally(Throwable thrown) {
    if (thrown == null) throw new NullPointerException();
    return end(null, thrown, false);
  }

  /** A stage has thrown this. */
  final void fail(Throwable thrown) {
    end(null, thrown, true);
  }

  final void completeAs(CompletableResult<? extends T> other) {
    final Throwable thrown = other.failure();
    if (thrown != null) fail(thrown); else complete(other.value());
  }

  final synchronized T value() {
    return value;
  }

  final synchronized Throwable failure() {
    return failure;
  }

  /** The failure as functions are told of it. */
  final synchronized Throwable seenFailure() {
    return ofStage && !(failure instanceof CompletionException) ? new CompletionException(failure)
        : failure;
  }

  @Override
  public boolean cancel(boolean interrupts) {
    completeExceptionally(new CancellationException());
    return isCancelled();
  }

  @Override
  public synchronized boolean isDone() {
    return done;
  }

  @Override
  public synchronized boolean isCancelled() {
    return !ofStage && failure instanceof CancellationException;
  }

  public boolean isCompletedExceptionally() {
    return failure() != null;
  }

  public synchronized int getNumberOfDependents() {
    return dependents.size();
  }

  public synchronized void obtrudeValue(T to) {
    value = to;
    failure = null;
    end(to, null, false);
  }

  public synchronized void obtrudeException(Throwable thrown) {
    value = null;
    failure = thrown;
    ofStage = false;
    end(null, thrown, false);
  }

  // ---- waiting; a thread of a pool runs what it has forked, or lets another one run instead

  private void await(Deadline deadline) throws InterruptedException, TimeoutException {
    final ForkJoinPool pool = isDone() ? null : ForkJoinTask.getPool();
    if (pool != null) pool.block(true);
    try {
      synchronized (this) {
        while (!done) {
          if (deadline == null) {
            wait();
          } else if (!deadline.await(this)) {
            throw new TimeoutException();
          }
        }
      }
    } finally {
      if (pool != null) pool.block(false);
    }
  }

  @Override
  public T get() throws InterruptedException, ExecutionException {
    if (Thread.interrupted()) throw new InterruptedException();
    try {
      await(null);
    } catch (TimeoutException e) {
      throw new IllegalStateException(e);
    }
    return report();
  }

  @Override
  public T get(long time, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    if (Thread.interrupted()) throw new InterruptedException();
    await(new Deadline(time, unit));
    return report();
  }

  private synchronized T report() throws ExecutionException {
    if (failure == null) return value;
    if (isCancelled()) throw (CancellationException) failure;
    final Throwable cause =
        failure instanceof CompletionException ? failure.getCause() : failure;
    throw new ExecutionException(cause == null ? failure : cause);
  }

  public T join() {
    boolean interrupted = false;
    for (;;) {
      try {
        await(null);
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      } catch (TimeoutException e) {
        throw new IllegalStateException(e);
      }
    }
    if (interrupted) Thread.currentThread().interrupt();
    return now();
  }

  private synchronized T now() {
    if (failure == null) return value;
    if (isCancelled()) throw (CancellationException) failure;
    throw failure instanceof CompletionException e ? e : new CompletionException(failure);
  }

  public synchronized T getNow(T otherwise) {
    return done ? now() : otherwise;
  }

  @Override
  public String toString() {
    final String state;
    synchronized (this) {
      state = !done ? dependents.isEmpty() ? "[Not completed]"
          : "[Not completed, " + dependents.size() + " dependents]"
          : failure != null ? "[Completed exceptionally: " + seenFailure() + "]"
              : "[Completed normally]";
    }
    return "java.util.concurrent.CompletableFuture@" + Integer.toHexString(hashCode()) + state;
  }
}
