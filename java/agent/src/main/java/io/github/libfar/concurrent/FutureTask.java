package io.github.libfar.concurrent;

import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** java.util.concurrent.FutureTask, over ranks. Its exception travels as exceptions do. */
public class FutureTask<V> implements RunnableFuture<V> {
  private Callable<V> body;
  private Thread runner;
  private V result;
  private Throwable failure;
  private boolean done;
  private boolean cancelled;

  public FutureTask(Callable<V> body) {
    if (body == null) throw new NullPointerException();
    this.body = body;
  }

  public FutureTask(Runnable body, V result) {
    this(Executors.callable(body, result));
  }

  /** Called once when it is done, by the thread that makes it so. */
  protected void done() {}

  @Override
  public void run() {
    final Callable<V> mine = begin();
    if (mine == null) return;
    V value = null;
    Throwable thrown = null;
    try {
      value = mine.call();
    } catch (Throwable e) {
      thrown = e;
    }
    if (thrown == null) set(value); else setException(thrown);
  }

  /** Runs it without a result, so that it can run again. Returns whether it can. */
  protected boolean runAndReset() {
    final Callable<V> mine = begin();
    if (mine == null) return false;
    try {
      mine.call();
    } catch (Throwable e) {
      setException(e);
    }
    synchronized (this) {
      runner = null;
      return !done;
    }
  }

  private synchronized Callable<V> begin() {
    if (done || runner != null) return null;
    runner = Thread.currentThread();
    return body;
  }

  protected void set(V value) {
    end(value, null, false);
  }

  protected void setException(Throwable thrown) {
    end(null, thrown, false);
  }

  private boolean end(V value, Throwable thrown, boolean cancels) {
    synchronized (this) {
      if (done) return false;
      runner = null;
      body = null;
      result = value;
      failure = thrown;
      cancelled = cancels;
      done = true;
      notifyAll();
    }
    done();
    return true;
  }

  @Override
  public boolean cancel(boolean interrupts) {
    final Thread running;
    synchronized (this) {
      running = runner;
    }
    if (!end(null, null, true)) return false;
    if (interrupts && running != null) running.interrupt();
    return true;
  }

  @Override
  public synchronized V get() throws InterruptedException, ExecutionException {
    while (!done) wait();
    return report();
  }

  @Override
  public synchronized V get(long time, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    final Deadline deadline = new Deadline(time, unit);
    while (!done) {
      if (!deadline.await(this)) throw new TimeoutException();
    }
    return report();
  }

  private V report() throws ExecutionException {
    if (cancelled) throw new CancellationException();
    if (failure != null) throw new ExecutionException(failure);
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

  @Override
  public synchronized String toString() {
    return getClass().getName() + "@" + Integer.toHexString(hashCode())
        + (!done ? "[Not completed]" : cancelled ? "[Cancelled]"
            : failure != null ? "[Completed exceptionally: " + failure + "]"
                : "[Completed normally]");
  }
}
