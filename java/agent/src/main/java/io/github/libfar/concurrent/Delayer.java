package io.github.libfar.concurrent;

/** Completes futures when their time has passed. */
final class Delayer {
  static final ScheduledThreadPoolExecutor POOL = new ScheduledThreadPoolExecutor(1, task -> {
    final Thread t = new Thread(task, "CompletableFutureDelayScheduler");
    t.setDaemon(true);
    return t;
  });

  private Delayer() {}
}
