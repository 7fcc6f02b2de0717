package io.github.libfar.concurrent;

import java.util.Comparator;
import java.util.Date;
import java.util.PriorityQueue;

/** java.util.Timer, over ranks: one thread, by the hosts' clocks. */
public class Timer {
  private static final AtomicInteger MADE = new AtomicInteger();

  private final Queue queue = new Queue();

  public Timer() {
    this(false);
  }

  public Timer(boolean daemon) {
    this("Timer-" + (MADE.incrementAndGet() - 1), daemon);
  }

  public Timer(String name) {
    this(name, false);
  }

  public Timer(String name, boolean daemon) {
    final Thread t = new Thread(queue, name);
    t.setDaemon(daemon);
    t.start();
  }

  /** The tasks, in the monitor of this object, and what the thread does. */
  private static final class Queue implements Runnable {
    private final PriorityQueue<TimerTask> tasks = new PriorityQueue<>(
        Comparator.comparingLong(TimerTask::time).thenComparingLong(TimerTask::number));
    private long sequence;
    private boolean closed;

    synchronized void add(TimerTask task, long time, long period) {
      if (closed) throw new IllegalStateException("Timer already cancelled.");
      if (time < 0) throw new IllegalArgumentException("Illegal execution time.");
      task.schedule(time, period, sequence++);
      tasks.add(task);
      notify();
    }

    synchronized void close() {
      closed = true;
      tasks.clear();
      notify();
    }

    synchronized int purge() {
      final int before = tasks.size();
      tasks.removeIf(TimerTask::isCancelled);
      return before - tasks.size();
    }

    /** Waits for a task that is to run now. Returns null at the end. */
    private synchronized TimerTask take() {
      for (;;) {
        if (closed) return null;
        final TimerTask first = tasks.peek();
        final long left = first == null ? 0 : first.time() - System.currentTimeMillis();
        try {
          if (first == null) {
            wait();
          } else if (first.isCancelled()) {
            tasks.poll();
          } else if (left > 0) {
            wait(left);
          } else {
            tasks.poll();
            if (first.next()) tasks.add(first);
            return first;
          }
        } catch (InterruptedException e) {
          // As in the JDK, it means nothing.
        }
      }
    }

    @Override
    public void run() {
      try {
        for (TimerTask task; (task = take()) != null;) task.run();
      } finally {
        close();
      }
    }
  }

  private static void check(long delay, long period) {
    if (delay < 0) throw new IllegalArgumentException("Negative delay.");
    if (period <= 0) throw new IllegalArgumentException("Non-positive period.");
  }

  public void schedule(TimerTask task, long delay) {
    check(delay, 1);
    queue.add(task, System.currentTimeMillis() + delay, 0);
  }

  public void schedule(TimerTask task, Date time) {
    queue.add(task, time.getTime(), 0);
  }

  public void schedule(TimerTask task, long delay, long period) {
    check(delay, period);
    queue.add(task, System.currentTimeMillis() + delay, -period);
  }

  public void schedule(TimerTask task, Date first, long period) {
    check(0, period);
    queue.add(task, first.getTime(), -period);
  }

  public void scheduleAtFixedRate(TimerTask task, long delay, long period) {
    check(delay, period);
    queue.add(task, System.currentTimeMillis() + delay, period);
  }

  public void scheduleAtFixedRate(TimerTask task, Date first, long period) {
    check(0, period);
    queue.add(task, first.getTime(), period);
  }

  public void cancel() {
    queue.close();
  }

  public int purge() {
    return queue.purge();
  }
}
