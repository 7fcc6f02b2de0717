package io.github.libfar.concurrent;

/** java.util.TimerTask, over ranks. All but run is in the monitor of this object. */
public abstract class TimerTask implements Runnable {
  /** Milliseconds; more than 0: from begin to begin; less: from begin to the next one; 0: once. */
  private long period;
  private long time;
  private long number;
  private boolean scheduled;
  private boolean cancelled;

  protected TimerTask() {}

  @Override
  public abstract void run();

  /** Returns whether it would have run again. */
  public synchronized boolean cancel() {
    final boolean was = scheduled && !cancelled;
    cancelled = true;
    return was;
  }

  public synchronized long scheduledExecutionTime() {
    return period < 0 ? time + period : time - period;
  }

  final synchronized void schedule(long time, long period, long number) {
    if (scheduled || cancelled) {
      throw new IllegalStateException("Task already scheduled or cancelled");
    }
    this.time = time;
    this.period = period;
    this.number = number;
    scheduled = true;
  }

  final synchronized long time() {
    return time;
  }

  final synchronized long number() {
    return number;
  }

  final synchronized boolean isCancelled() {
    return cancelled;
  }

  /** Before it runs. Returns whether it is to run once more afterwards. */
  final synchronized boolean next() {
    if (period == 0) {
      scheduled = false;
      return false;
    }
    time = period < 0 ? System.currentTimeMillis() - period : time + period;
    return true;
  }
}
