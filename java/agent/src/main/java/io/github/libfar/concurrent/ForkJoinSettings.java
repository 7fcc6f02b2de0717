package io.github.libfar.concurrent;

import java.lang.Thread.UncaughtExceptionHandler;
import java.util.concurrent.AbstractExecutorService;

/** What does not change of a ForkJoinPool. */
abstract class ForkJoinSettings extends AbstractExecutorService {
  final int parallelism;
  final ForkJoinPool.ForkJoinWorkerThreadFactory factory;
  final UncaughtExceptionHandler handler;
  private final boolean async;
  /** Of the threads' names. */
  private final String prefix;

  ForkJoinSettings(int parallelism, ForkJoinPool.ForkJoinWorkerThreadFactory factory,
      UncaughtExceptionHandler handler, boolean async, String prefix) {
    if (parallelism <= 0) throw new IllegalArgumentException();
    if (factory == null) throw new NullPointerException();
    this.parallelism = parallelism;
    this.factory = factory;
    this.handler = handler;
    this.async = async;
    this.prefix = prefix;
  }

  final boolean isCommon() {
    return prefix.startsWith("ForkJoinPool.");
  }

  final String nameOf(int number) {
    return prefix + number;
  }

  public int getParallelism() {
    return parallelism;
  }

  public boolean getAsyncMode() {
    return async;
  }

  public ForkJoinPool.ForkJoinWorkerThreadFactory getFactory() {
    return factory;
  }

  public UncaughtExceptionHandler getUncaughtExceptionHandler() {
    return handler;
  }
}
