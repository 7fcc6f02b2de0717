package io.github.libfar.concurrent;

import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * java.util.concurrent.CompletableFuture, over ranks. What is asynchronous runs in the common pool,
 * whose threads are on all of them.
 */
public class CompletableFuture<T> extends CompletableSteps<T> implements CompletionStage<T> {
  /** Marks tasks that an async method has given to an executor. */
  public interface AsynchronousCompletionTask {}

  public CompletableFuture() {}

  // ---- new ones

  public static <U> CompletableFuture<U> supplyAsync(Supplier<U> f) {
    return supplyAsync(f, ForkJoinPool.commonPool());
  }

  public static <U> CompletableFuture<U> supplyAsync(Supplier<U> f, Executor executor) {
    check(f);
    return new CompletableFuture<U>().completeAsync(f, executor);
  }

  public static CompletableFuture<Void> runAsync(Runnable f) {
    return runAsync(f, ForkJoinPool.commonPool());
  }

  public static CompletableFuture<Void> runAsync(Runnable f, Executor executor) {
    check(f);
    return supplyAsync(() -> {
      f.run();
      return null;
    }, executor);
  }

  public static <U> CompletableFuture<U> completedFuture(U value) {
    final CompletableFuture<U> made = new CompletableFuture<>();
    made.complete(value);
    return made;
  }

  public static <U> CompletionStage<U> completedStage(U value) {
    return completedFuture(value).minimalCompletionStage();
  }

  public static <U> CompletableFuture<U> failedFuture(Throwable e) {
    final CompletableFuture<U> made = new CompletableFuture<>();
    made.completeExceptionally(e);
    return made;
  }

  public static <U> CompletionStage<U> failedStage(Throwable e) {
    check(e);
    return failedMinimal(e);
  }

  public static CompletableFuture<Void> allOf(CompletableFuture<?>... all) {
    return afterAll(all);
  }

  public static CompletableFuture<Object> anyOf(CompletableFuture<?>... all) {
    return afterAny(all);
  }

  public static Executor delayedExecutor(long delay, TimeUnit unit) {
    return delayedExecutor(delay, unit, ForkJoinPool.commonPool());
  }

  public static Executor delayedExecutor(long delay, TimeUnit unit, Executor executor) {
    check(executor);
    return task -> Delayer.POOL.schedule(() -> executor.execute(task), delay, unit);
  }

  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new CompletableFuture<>();
  }

  public Executor defaultExecutor() {
    return ForkJoinPool.commonPool();
  }

  // ---- as the JDK has them

  @Override
  public <U> CompletableFuture<U> thenApply(Function<? super T, ? extends U> f) {
    return apply(null, f);
  }

  @Override
  public <U> CompletableFuture<U> thenApplyAsync(Function<? super T, ? extends U> f) {
    return apply(defaultExecutor(), f);
  }

  @Override
  public <U> CompletableFuture<U> thenApplyAsync(Function<? super T, ? extends U> f,
      Executor executor) {
    check(executor);
    return apply(executor, f);
  }

  @Override
  public CompletableFuture<Void> thenAccept(Consumer<? super T> f) {
    return accept(null, f);
  }

  @Override
  public CompletableFuture<Void> thenAcceptAsync(Consumer<? super T> f) {
    return accept(defaultExecutor(), f);
  }

  @Override
  public CompletableFuture<Void> thenAcceptAsync(Consumer<? super T> f, Executor executor) {
    check(executor);
    return accept(executor, f);
  }

  @Override
  public CompletableFuture<Void> thenRun(Runnable f) {
    return run(null, f);
  }

  @Override
  public CompletableFuture<Void> thenRunAsync(Runnable f) {
    return run(defaultExecutor(), f);
  }

  @Override
  public CompletableFuture<Void> thenRunAsync(Runnable f, Executor executor) {
    check(executor);
    return run(executor, f);
  }

  @Override
  public <U> CompletableFuture<U> thenCompose(Function<? super T, ? extends CompletionStage<U>> f) {
    return compose(null, f);
  }

  @Override
  public <U> CompletableFuture<U> thenComposeAsync(
      Function<? super T, ? extends CompletionStage<U>> f) {
    return compose(defaultExecutor(), f);
  }

  @Override
  public <U> CompletableFuture<U> thenComposeAsync(
      Function<? super T, ? extends CompletionStage<U>> f, Executor executor) {
    check(executor);
    return compose(executor, f);
  }

  @Override
  public <U> CompletableFuture<U> handle(BiFunction<? super T, Throwable, ? extends U> f) {
    return handle(null, f);
  }

  @Override
  public <U> CompletableFuture<U> handleAsync(BiFunction<? super T, Throwable, ? extends U> f) {
    return handle(defaultExecutor(), f);
  }

  @Override
  public <U> CompletableFuture<U> handleAsync(BiFunction<? super T, Throwable, ? extends U> f,
      Executor executor) {
    check(executor);
    return handle(executor, f);
  }

  @Override
  public CompletableFuture<T> whenComplete(BiConsumer<? super T, ? super Throwable> f) {
    return whenComplete(null, f);
  }

  @Override
  public CompletableFuture<T> whenCompleteAsync(BiConsumer<? super T, ? super Throwable> f) {
    return whenComplete(defaultExecutor(), f);
  }

  @Override
  public CompletableFuture<T> whenCompleteAsync(BiConsumer<? super T, ? super Throwable> f,
      Executor executor) {
    check(executor);
    return whenComplete(executor, f);
  }

  @Override
  public CompletableFuture<T> exceptionally(Function<Throwable, ? extends T> f) {
    return exceptionally(null, f);
  }

  @Override
  public CompletableFuture<T> exceptionallyAsync(Function<Throwable, ? extends T> f) {
    return exceptionally(defaultExecutor(), f);
  }

  @Override
  public CompletableFuture<T> exceptionallyAsync(Function<Throwable, ? extends T> f,
      Executor executor) {
    check(executor);
    return exceptionally(executor, f);
  }

  @Override
  public CompletableFuture<T> exceptionallyCompose(
      Function<Throwable, ? extends CompletionStage<T>> f) {
    return exceptionallyCompose(null, f);
  }

  @Override
  public CompletableFuture<T> exceptionallyComposeAsync(
      Function<Throwable, ? extends CompletionStage<T>> f) {
    return exceptionallyCompose(defaultExecutor(), f);
  }

  @Override
  public CompletableFuture<T> exceptionallyComposeAsync(
      Function<Throwable, ? extends CompletionStage<T>> f, Executor executor) {
    check(executor);
    return exceptionallyCompose(executor, f);
  }

  @Override
  public <U, V> CompletableFuture<V> thenCombine(
      CompletionStage<? extends U> other, BiFunction<? super T, ? super U, ? extends V> f) {
    return both(null, other, f);
  }

  @Override
  public <U, V> CompletableFuture<V> thenCombineAsync(
      CompletionStage<? extends U> other, BiFunction<? super T, ? super U, ? extends V> f) {
    return both(defaultExecutor(), other, f);
  }

  @Override
  public <U, V> CompletableFuture<V> thenCombineAsync(CompletionStage<? extends U> other,
      BiFunction<? super T, ? super U, ? extends V> f, Executor executor) {
    check(executor);
    return both(executor, other, f);
  }

  @Override
  public <U> CompletableFuture<Void> thenAcceptBoth(
      CompletionStage<? extends U> other, BiConsumer<? super T, ? super U> f) {
    return both(null, other, (t, u) -> {
      f.accept(t, u);
      return null;
    });
  }

  @Override
  public <U> CompletableFuture<Void> thenAcceptBothAsync(
      CompletionStage<? extends U> other, BiConsumer<? super T, ? super U> f) {
    return both(defaultExecutor(), other, (t, u) -> {
      f.accept(t, u);
      return null;
    });
  }

  @Override
  public <U> CompletableFuture<Void> thenAcceptBothAsync(
      CompletionStage<? extends U> other, BiConsumer<? super T, ? super U> f, Executor executor) {
    check(executor);
    return both(executor, other, (t, u) -> {
      f.accept(t, u);
      return null;
    });
  }

  @Override
  public CompletableFuture<Void> runAfterBoth(CompletionStage<?> other, Runnable f) {
    return both(null, other, (t, u) -> {
      f.run();
      return null;
    });
  }

  @Override
  public CompletableFuture<Void> runAfterBothAsync(CompletionStage<?> other, Runnable f) {
    return both(defaultExecutor(), other, (t, u) -> {
      f.run();
      return null;
    });
  }

  @Override
  public CompletableFuture<Void> runAfterBothAsync(CompletionStage<?> other, Runnable f,
      Executor executor) {
    check(executor);
    return both(executor, other, (t, u) -> {
      f.run();
      return null;
    });
  }

  @Override
  public <U> CompletableFuture<U> applyToEither(
      CompletionStage<? extends T> other, Function<? super T, U> f) {
    return either(null, other, f);
  }

  @Override
  public <U> CompletableFuture<U> applyToEitherAsync(
      CompletionStage<? extends T> other, Function<? super T, U> f) {
    return either(defaultExecutor(), other, f);
  }

  @Override
  public <U> CompletableFuture<U> applyToEitherAsync(
      CompletionStage<? extends T> other, Function<? super T, U> f, Executor executor) {
    check(executor);
    return either(executor, other, f);
  }

  @Override
  public CompletableFuture<Void> acceptEither(
      CompletionStage<? extends T> other, Consumer<? super T> f) {
    return either(null, other, t -> {
      f.accept(t);
      return null;
    });
  }

  @Override
  public CompletableFuture<Void> acceptEitherAsync(
      CompletionStage<? extends T> other, Consumer<? super T> f) {
    return either(defaultExecutor(), other, t -> {
      f.accept(t);
      return null;
    });
  }

  @Override
  public CompletableFuture<Void> acceptEitherAsync(
      CompletionStage<? extends T> other, Consumer<? super T> f, Executor executor) {
    check(executor);
    return either(executor, other, t -> {
      f.accept(t);
      return null;
    });
  }

  @Override
  public CompletableFuture<Void> runAfterEither(CompletionStage<?> other, Runnable f) {
    return self().either(null, object(other), t -> {
      f.run();
      return null;
    });
  }

  @Override
  public CompletableFuture<Void> runAfterEitherAsync(CompletionStage<?> other, Runnable f) {
    return self().either(defaultExecutor(), object(other), t -> {
      f.run();
      return null;
    });
  }

  @Override
  public CompletableFuture<Void> runAfterEitherAsync(CompletionStage<?> other, Runnable f,
      Executor executor) {
    check(executor);
    return self().either(executor, object(other), t -> {
      f.run();
      return null;
    });
  }

  @Override
  public CompletableFuture<T> toCompletableFuture() {
    return this;
  }

  public CompletableFuture<T> completeAsync(Supplier<? extends T> f) {
    return completeAsync(f, defaultExecutor());
  }

  public CompletableFuture<T> completeAsync(Supplier<? extends T> f, Executor executor) {
    check(f);
    check(executor);
    executor.execute(new Completion<>(this, f));
    return this;
  }

  private record Completion<T>(CompletableFuture<T> of, Supplier<? extends T> by)
      implements Runnable, AsynchronousCompletionTask {
    @Override
    public void run() {
      CompletableSteps.run(of, n -> n.complete(by.get()));
    }
  }
}
