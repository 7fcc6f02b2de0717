package io.github.libfar.concurrent;

import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** What can be set of a ThreadPoolExecutor, in the monitor of this object. */
abstract class ThreadPoolSettings extends AbstractExecutorService {
  int core;
  int max;
  long keepAlive;  // nanoseconds
  boolean coreTimesOut;
  ThreadFactory factory;
  RejectedExecutionHandler handler;

  public synchronized int getCorePoolSize() {
    return core;
  }

  public synchronized int getMaximumPoolSize() {
    return max;
  }

  public synchronized void setMaximumPoolSize(int n) {
    if (n <= 0 || n < core) throw new IllegalArgumentException();
    max = n;
    notifyAll();
  }

  public synchronized long getKeepAliveTime(TimeUnit unit) {
    return unit.convert(keepAlive, TimeUnit.NANOSECONDS);
  }

  public synchronized void setKeepAliveTime(long time, TimeUnit unit) {
    if (time < 0) throw new IllegalArgumentException();
    keepAlive = unit.toNanos(time);
    notifyAll();
  }

  public synchronized boolean allowsCoreThreadTimeOut() {
    return coreTimesOut;
  }

  public synchronized void allowCoreThreadTimeOut(boolean allow) {
    if (allow && keepAlive <= 0) {
      throw new IllegalArgumentException("Core threads must have nonzero keep alive times");
    }
    coreTimesOut = allow;
    notifyAll();
  }

  public synchronized ThreadFactory getThreadFactory() {
    return factory;
  }

  public synchronized void setThreadFactory(ThreadFactory factory) {
    if (factory == null) throw new NullPointerException();
    this.factory = factory;
  }

  public synchronized RejectedExecutionHandler getRejectedExecutionHandler() {
    return handler;
  }

  public synchronized void setRejectedExecutionHandler(RejectedExecutionHandler handler) {
    if (handler == null) throw new NullPointerException();
    this.handler = handler;
  }
}
