package io.github.libfar.concurrent;

import java.util.Comparator;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * java.util.concurrent.ScheduledThreadPoolExecutor, over ranks. Times are those of the hosts'
 * clocks, in nanoseconds, since ranks have no other in common.
 */
public class ScheduledThreadPoolExecutor extends ThreadPoolExecutor
    implements ScheduledExecutorService {
  private long sequence;
  private boolean delayedAfterShutdown = true;
  private boolean periodicAfterShutdown;
  private boolean removesCancelled;

  public ScheduledThreadPoolExecutor(int core) {
    this(core, Executors.defaultThreadFactory());
  }

  public ScheduledThreadPoolExecutor(int core, ThreadFactory factory) {
    this(core, factory, new AbortPolicy());
  }

  public ScheduledThreadPoolExecutor(int core, RejectedExecutionHandler handler) {
    this(core, Executors.defaultThreadFactory(), handler);
  }

  public ScheduledThreadPoolExecutor(int core, ThreadFactory factory,
      RejectedExecutionHandler handler) {
    super(Math.max(core, 1), Integer.MAX_VALUE, 0, TimeUnit.NANOSECONDS,
        new PriorityBlockingQueue<>(11, new Order()), factory, handler);
  }

  private static long now() {
    return System.currentTimeMillis() * 1_000_000;
  }

  private static final class Order implements Comparator<Runnable> {
    @Override
    public int compare(Runnable a, Runnable b) {
      return ((Scheduled<?>) a).compareTo((Scheduled<?>) b);
    }
  }

  private static final class Scheduled<V> extends FutureTask<V>
      implements RunnableScheduledFuture<V> {
    private final ScheduledThreadPoolExecutor pool;
    private final long number;
    /** Nanoseconds; more than 0: from begin to begin; less: from end to begin; 0: once. */
    private final long period;
    private long time;

    Scheduled(ScheduledThreadPoolExecutor pool, Callable<V> body, long time, long period,
        long number) {
      super(body);
      this.pool = pool;
      this.time = time;
      this.period = period;
      this.number = number;
    }

    private synchronized long time() {
      return time;
    }

    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(time() - now(), TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
      if (!(other instanceof Scheduled<?> s)) {
        return Long.compare(getDelay(TimeUnit.NANOSECONDS),
            other.getDelay(TimeUnit.NANOSECONDS));
      }
      final int order = Long.compare(time(), s.time());
      return order != 0 ? order : Long.compare(number, s.number);
    }

    @Override
    public boolean isPeriodic() {
      return period != 0;
    }

    @Override
    public boolean cancel(boolean interrupts) {
      final boolean cancelled = super.cancel(interrupts);
      if (cancelled && pool.getRemoveOnCancelPolicy()) pool.remove(this);
      return cancelled;
    }

    @Override
    public void run() {
      if (period == 0) {
        super.run();
      } else if (super.runAndReset()) {
        synchronized (this) {
          time = period > 0 ? time + period : now() - period;
        }
        pool.again(this);
      }
    }
  }

  @Override
  Runnable nextTask() {
    final Runnable first = getQueue().peek();
    return first != null && ((Scheduled<?>) first).time() <= now() ? getQueue().poll() : null;
  }

  @Override
  long untilNextTask() {
    final Runnable first = getQueue().peek();
    return first == null ? Long.MAX_VALUE : Math.max(1, ((Scheduled<?>) first).time() - now());
  }

  private <V> ScheduledFuture<V> schedule(Callable<V> body, long delay, long period) {
    final Scheduled<V> task;
    synchronized (this) {
      task = new Scheduled<>(this, body, now() + Math.max(0, Math.min(delay, Long.MAX_VALUE >> 1)),
          period, sequence++);
    }
    enqueue(task);
    return task;
  }

  private synchronized void again(Scheduled<?> task) {
    if (isShutdown() && !periodicAfterShutdown) {
      task.cancel(false);
    } else {
      getQueue().add(task);
      notify();
    }
  }

  @Override
  public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
    return schedule(Executors.callable(task), unit.toNanos(delay), 0);
  }

  @Override
  public <V> ScheduledFuture<V> schedule(Callable<V> task, long delay, TimeUnit unit) {
    return schedule(task, unit.toNanos(delay), 0);
  }

  @Override
  public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, long delay, long period,
      TimeUnit unit) {
    if (period <= 0) throw new IllegalArgumentException();
    return schedule(Executors.callable(task), unit.toNanos(delay), unit.toNanos(period));
  }

  @Override
  public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, long delay, long pause,
      TimeUnit unit) {
    if (pause <= 0) throw new IllegalArgumentException();
    return schedule(Executors.callable(task), unit.toNanos(delay), -unit.toNanos(pause));
  }

  @Override
  public void execute(Runnable task) {
    schedule(task, 0, TimeUnit.NANOSECONDS);
  }

  @Override
  public java.util.concurrent.Future<?> submit(Runnable task) {
    return schedule(task, 0, TimeUnit.NANOSECONDS);
  }

  @Override
  public <T> java.util.concurrent.Future<T> submit(Runnable task, T result) {
    return schedule(Executors.callable(task, result), 0, TimeUnit.NANOSECONDS);
  }

  @Override
  public <T> java.util.concurrent.Future<T> submit(Callable<T> task) {
    return schedule(task, 0, TimeUnit.NANOSECONDS);
  }

  @Override
  void onShutdown() {
    for (Runnable r : getQueue().toArray(new Runnable[0])) {
      final Scheduled<?> task = (Scheduled<?>) r;
      if (task.isPeriodic() ? periodicAfterShutdown : delayedAfterShutdown) continue;
      task.cancel(false);
      getQueue().remove(task);
    }
  }

  public synchronized boolean getExecuteExistingDelayedTasksAfterShutdownPolicy() {
    return delayedAfterShutdown;
  }

  public synchronized void setExecuteExistingDelayedTasksAfterShutdownPolicy(boolean value) {
    delayedAfterShutdown = value;
  }

  public synchronized boolean getContinueExistingPeriodicTasksAfterShutdownPolicy() {
    return periodicAfterShutdown;
  }

  public synchronized void setContinueExistingPeriodicTasksAfterShutdownPolicy(boolean value) {
    periodicAfterShutdown = value;
  }

  public synchronized boolean getRemoveOnCancelPolicy() {
    return removesCancelled;
  }

  public synchronized void setRemoveOnCancelPolicy(boolean value) {
    removesCancelled = value;
  }
}
