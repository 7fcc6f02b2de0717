package io.github.libfar.concurrent;

import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A task and its result. */
final class Task<T> implements RunnableFuture<T> {
  private final Callable<T> body;
  private Thread runner;
  private T result;
  /** What it has thrown, as text: exceptions stay on their rank. */
  private String failure;
  private boolean done;
  private boolean cancelled;

  Task(Callable<T> body) {
    this.body = body;
  }

  @Override
  public void run() {
    synchronized (this) {
      if (done) return;
      runner = Thread.currentThread();
    }
    T value = null;
    String thrown = null;
    try {
      value = body.call();
    } catch (Throwable e) {
      thrown = e.toString();
    }
    synchronized (this) {
      runner = null;
      if (done) return;
      result = value;
      failure = thrown;
      done = true;
      notifyAll();
    }
  }

  @Override
  public synchronized boolean cancel(boolean interrupts) {
    if (done) return false;
    done = true;
    cancelled = true;
    if (interrupts && runner != null) runner.interrupt();
    notifyAll();
    return true;
  }

  @Override
  public synchronized T get() throws InterruptedException, ExecutionException {
    while (!done) wait();
    return report();
  }

  @Override
  public synchronized T get(long time, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    final long end = System.nanoTime() + unit.toNanos(time);
    while (!done) {
      final long left = end - System.nanoTime();
      if (left <= 0) throw new TimeoutException();
      wait(left / 1_000_000 + 1);
    }
    return report();
  }

  private T report() throws ExecutionException {
    if (cancelled) throw new CancellationException();
    if (failure != null) throw new ExecutionException(failure, null);
    return result;
  }

  @Override
  public synchronized boolean isCancelled() {
    return cancelled;
  }

  @Override
  public synchronized boolean isDone() {
    return done;
  }
}
