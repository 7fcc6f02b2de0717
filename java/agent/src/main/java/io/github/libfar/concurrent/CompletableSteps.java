package io.github.libfar.concurrent;

import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * How a CompletableFuture goes on. What depends on one runs outside its monitor, the last that has
 * been added first, as in the JDK. An executor that is null: by the thread that completes it.
 */
abstract class CompletableSteps<T> extends CompletableResult<T> {
  public abstract <U> CompletableFuture<U> newIncompleteFuture();

  static void check(Object o) {
    if (o == null) throw new NullPointerException();
  }

  @SuppressWarnings("unchecked")
  final CompletableSteps<Object> self() {
    return (CompletableSteps<Object>) this;
  }

  @SuppressWarnings("unchecked")
  static CompletionStage<Object> object(CompletionStage<?> stage) {
    return (CompletionStage<Object>) stage;
  }

  /** What a stage does with the future that it completes. */
  interface Step<U> {
    void run(CompletableFuture<U> next) throws Throwable;
  }

  private <U> CompletableFuture<U> then(Executor executor, boolean alsoFailed, Step<U> step) {
    final CompletableFuture<U> next = newIncompleteFuture();
    whenDone(() -> {
      if (failure() != null && !alsoFailed) next.fail(failure()); else run(executor, next, step);
    });
    return next;
  }

  private static <U> void run(Executor executor, CompletableFuture<U> next, Step<U> step) {
    if (executor == null) {
      run(next, step);
      return;
    }
    if (next.isDone()) return;
    try {
      executor.execute(() -> run(next, step));
    } catch (Throwable e) {
      next.fail(e);
    }
  }

  static <U> void run(CompletableFuture<U> next, Step<U> step) {
    if (next.isDone()) return;
    try {
      step.run(next);
    } catch (Throwable e) {
      next.fail(e);
    }
  }

  final <U> CompletableFuture<U> apply(Executor executor, Function<? super T, ? extends U> f) {
    check(f);
    return then(executor, false, next -> next.complete(f.apply(value())));
  }

  final CompletableFuture<Void> accept(Executor executor, Consumer<? super T> f) {
    check(f);
    return then(executor, false, next -> {
      f.accept(value());
      next.complete(null);
    });
  }

  final CompletableFuture<Void> run(Executor executor, Runnable f) {
    check(f);
    return then(executor, false, next -> {
      f.run();
      next.complete(null);
    });
  }

  final <U> CompletableFuture<U> compose(Executor executor,
      Function<? super T, ? extends CompletionStage<U>> f) {
    check(f);
    return then(executor, false, next -> {
      final CompletableFuture<U> inner = f.apply(value()).toCompletableFuture();
      inner.whenDone(() -> next.completeAs(inner));
    });
  }

  final <U> CompletableFuture<U> handle(Executor executor,
      BiFunction<? super T, Throwable, ? extends U> f) {
    check(f);
    return then(executor, true, next -> next.complete(f.apply(value(), seenFailure())));
  }

  final CompletableFuture<T> whenComplete(Executor executor,
      BiConsumer<? super T, ? super Throwable> f) {
    check(f);
    return then(executor, true, next -> {
      try {
        f.accept(value(), seenFailure());
      } catch (Throwable e) {
        if (failure() == null) throw e;
      }
      next.completeAs(this);
    });
  }

  final CompletableFuture<T> exceptionally(Executor executor,
      Function<Throwable, ? extends T> f) {
    check(f);
    return then(executor, true, next -> {
      next.complete(failure() == null ? value() : f.apply(seenFailure()));
    });
  }

  final CompletableFuture<T> exceptionallyCompose(Executor executor,
      Function<Throwable, ? extends CompletionStage<T>> f) {
    check(f);
    return then(executor, true, next -> {
      if (failure() == null) {
        next.complete(value());
        return;
      }
      final CompletableFuture<T> inner = f.apply(seenFailure()).toCompletableFuture();
      inner.whenDone(() -> next.completeAs(inner));
    });
  }

  /** After both: only then it is known whether one has failed. */
  final <U, V> CompletableFuture<V> both(Executor executor, CompletionStage<? extends U> stage,
      BiFunction<? super T, ? super U, ? extends V> f) {
    check(f);
    final CompletableFuture<? extends U> other = stage.toCompletableFuture();
    final CompletableFuture<V> next = newIncompleteFuture();
    whenDone(() -> other.whenDone(() -> {
      final Throwable failed = failure() != null ? failure() : other.failure();
      if (failed != null) {
        next.fail(failed);
      } else {
        run(executor, next, n -> n.complete(f.apply(value(), other.value())));
      }
    }));
    return next;
  }

  /** After the first of two. */
  final <V> CompletableFuture<V> either(Executor executor, CompletionStage<? extends T> stage,
      Function<? super T, ? extends V> f) {
    check(f);
    final CompletableFuture<T> first = newIncompleteFuture();
    final CompletableFuture<? extends T> other = stage.toCompletableFuture();
    whenDone(() -> first.completeAs(this));
    other.whenDone(() -> first.completeAs(other));
    final CompletableFuture<V> next = newIncompleteFuture();
    first.whenDone(() -> {
      if (first.failure() != null) {
        next.fail(first.failure());
      } else {
        run(executor, next, n -> n.complete(f.apply(first.value())));
      }
    });
    return next;
  }

  static CompletableFuture<Void> afterAll(CompletableFuture<?>... all) {
    final CompletableFuture<Void> made = new CompletableFuture<>();
    if (all.length == 0) made.complete(null);
    final AtomicInteger left = new AtomicInteger(all.length);
    for (CompletableFuture<?> f : all) {
      f.whenDone(() -> {
        if (left.decrementAndGet() > 0) return;
        for (CompletableFuture<?> g : all) {
          if (g.failure() != null) made.fail(g.failure());
        }
        made.complete(null);
      });
    }
    return made;
  }

  static CompletableFuture<Object> afterAny(CompletableFuture<?>... all) {
    final CompletableFuture<Object> made = new CompletableFuture<>();
    for (CompletableFuture<?> f : all) f.whenDone(() -> made.completeAs(f));
    return made;
  }

  public CompletableFuture<T> copy() {
    return apply(null, t -> t);
  }

  /** Where a stage of another class has failed, goes on with another one. */
  static <U> CompletionStage<U> ifFailed(CompletionStage<U> stage,
      Function<CompletionStage<U>, CompletionStage<U>> f) {
    return stage.handle((value, e) -> e == null ? stage : f.apply(stage)).thenCompose(s -> s);
  }

  /** Its users cannot complete it. */
  private static final class Minimal<U> extends CompletableFuture<U> {
    @Override
    public <V> CompletableFuture<V> newIncompleteFuture() {
      return new Minimal<>();
    }

    @Override
    public CompletableFuture<U> toCompletableFuture() {
      final CompletableFuture<U> made = new CompletableFuture<>();
      whenDone(() -> made.completeAs(this));
      return made;
    }
  }

  static <U> CompletionStage<U> failedMinimal(Throwable e) {
    final Minimal<U> made = new Minimal<>();
    made.completeExceptionally(e);
    return made;
  }

  public CompletionStage<T> minimalCompletionStage() {
    final Minimal<T> made = new Minimal<>();
    whenDone(() -> made.completeAs(this));
    return made;
  }

  public CompletableFuture<T> orTimeout(long time, TimeUnit unit) {
    Delayer.POOL.schedule(() -> completeExceptionally(new TimeoutException()), time, unit);
    return (CompletableFuture<T>) this;
  }

  public CompletableFuture<T> completeOnTimeout(T value, long time, TimeUnit unit) {
    Delayer.POOL.schedule(() -> complete(value), time, unit);
    return (CompletableFuture<T>) this;
  }
}
