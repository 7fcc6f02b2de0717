package io.github.libfar.concurrent;

/** java.util.concurrent.RejectedExecutionHandler, whose JDK's one names its own pool. */
public interface RejectedExecutionHandler {
  void rejectedExecution(Runnable task, ThreadPoolExecutor pool);
}
