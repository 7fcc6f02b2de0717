package io.github.libfar.concurrent;

import java.util.ArrayDeque;

/** What a thread has forked and kept; ranks do not share it. */
final class Forked {
  private static final ThreadLocal<ArrayDeque<ForkJoinTask<?>>> MINE =
      ThreadLocal.withInitial(ArrayDeque::new);

  static ArrayDeque<ForkJoinTask<?>> mine() {
    return MINE.get();
  }

  /** The last one, or the first one if the pool is in that mode; null: there is none. */
  static ForkJoinTask<?> next(boolean removes) {
    final ArrayDeque<ForkJoinTask<?>> mine = mine();
    final ForkJoinPool pool = ForkJoinTask.getPool();
    final boolean isFirst = pool != null && pool.getAsyncMode();
    if (removes) return isFirst ? mine.pollFirst() : mine.pollLast();
    return isFirst ? mine.peekFirst() : mine.peekLast();
  }

  static void run() {
    for (ForkJoinTask<?> t; (t = next(true)) != null;) t.runHere();
  }

  /** Takes back what this thread has forked and nobody has begun, or has been given to the pool. */
  static boolean remove(ForkJoinTask<?> task) {
    if (mine().removeLastOccurrence(task)) return true;
    final ForkJoinPool pool = ForkJoinTask.getPool();
    return (pool == null ? ForkJoinPool.commonPool() : pool).withdraw(task);
  }

  private Forked() {}
}
