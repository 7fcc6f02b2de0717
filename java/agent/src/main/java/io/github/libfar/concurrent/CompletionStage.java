package io.github.libfar.concurrent;

import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;

/** java.util.concurrent.CompletionStage, of which the JDK's names its own CompletableFuture. */
public interface CompletionStage<T> {
  <U> CompletionStage<U> thenApply(Function<? super T, ? extends U> f);

  <U> CompletionStage<U> thenApplyAsync(Function<? super T, ? extends U> f);

  <U> CompletionStage<U> thenApplyAsync(Function<? super T, ? extends U> f,
      Executor executor);

  CompletionStage<Void> thenAccept(Consumer<? super T> f);

  CompletionStage<Void> thenAcceptAsync(Consumer<? super T> f);

  CompletionStage<Void> thenAcceptAsync(Consumer<? super T> f, Executor executor);

  CompletionStage<Void> thenRun(Runnable f);

  CompletionStage<Void> thenRunAsync(Runnable f);

  CompletionStage<Void> thenRunAsync(Runnable f, Executor executor);

  <U> CompletionStage<U> thenCompose(Function<? super T, ? extends CompletionStage<U>> f);

  <U> CompletionStage<U> thenComposeAsync(
      Function<? super T, ? extends CompletionStage<U>> f);

  <U> CompletionStage<U> thenComposeAsync(
      Function<? super T, ? extends CompletionStage<U>> f, Executor executor);

  <U> CompletionStage<U> handle(BiFunction<? super T, Throwable, ? extends U> f);

  <U> CompletionStage<U> handleAsync(BiFunction<? super T, Throwable, ? extends U> f);

  <U> CompletionStage<U> handleAsync(BiFunction<? super T, Throwable, ? extends U> f,
      Executor executor);

  CompletionStage<T> whenComplete(BiConsumer<? super T, ? super Throwable> f);

  CompletionStage<T> whenCompleteAsync(BiConsumer<? super T, ? super Throwable> f);

  CompletionStage<T> whenCompleteAsync(BiConsumer<? super T, ? super Throwable> f,
      Executor executor);

  CompletionStage<T> exceptionally(Function<Throwable, ? extends T> f);

  default CompletionStage<T> exceptionallyAsync(Function<Throwable, ? extends T> f) {
    return CompletableSteps.ifFailed(this, stage -> stage.handleAsync((value, e) -> f.apply(e)));
  }

  default CompletionStage<T> exceptionallyAsync(Function<Throwable, ? extends T> f,
      Executor executor) {
    return CompletableSteps.ifFailed(this,
        stage -> stage.handleAsync((value, e) -> f.apply(e), executor));
  }

  default CompletionStage<T> exceptionallyCompose(
      Function<Throwable, ? extends CompletionStage<T>> f) {
    return handle((value, e) -> e == null ? this : f.apply(e)).thenCompose(s -> s);
  }

  default CompletionStage<T> exceptionallyComposeAsync(
      Function<Throwable, ? extends CompletionStage<T>> f) {
    return CompletableSteps.ifFailed(this, stage -> stage
        .handleAsync((value, e) -> (CompletionStage<T>) f.apply(e)).thenCompose(s -> s));
  }

  default CompletionStage<T> exceptionallyComposeAsync(
      Function<Throwable, ? extends CompletionStage<T>> f, Executor executor) {
    return CompletableSteps.ifFailed(this, stage -> stage
        .handleAsync((value, e) -> (CompletionStage<T>) f.apply(e), executor)
        .thenCompose(s -> s));
  }

  <U, V> CompletionStage<V> thenCombine(
      CompletionStage<? extends U> other, BiFunction<? super T, ? super U, ? extends V> f);

  <U, V> CompletionStage<V> thenCombineAsync(
      CompletionStage<? extends U> other, BiFunction<? super T, ? super U, ? extends V> f);

  <U, V> CompletionStage<V> thenCombineAsync(CompletionStage<? extends U> other,
      BiFunction<? super T, ? super U, ? extends V> f, Executor executor);

  <U> CompletionStage<Void> thenAcceptBoth(
      CompletionStage<? extends U> other, BiConsumer<? super T, ? super U> f);

  <U> CompletionStage<Void> thenAcceptBothAsync(
      CompletionStage<? extends U> other, BiConsumer<? super T, ? super U> f);

  <U> CompletionStage<Void> thenAcceptBothAsync(
      CompletionStage<? extends U> other, BiConsumer<? super T, ? super U> f, Executor executor);

  CompletionStage<Void> runAfterBoth(CompletionStage<?> other, Runnable f);

  CompletionStage<Void> runAfterBothAsync(CompletionStage<?> other, Runnable f);

  CompletionStage<Void> runAfterBothAsync(CompletionStage<?> other, Runnable f,
      Executor executor);

  <U> CompletionStage<U> applyToEither(
      CompletionStage<? extends T> other, Function<? super T, U> f);

  <U> CompletionStage<U> applyToEitherAsync(
      CompletionStage<? extends T> other, Function<? super T, U> f);

  <U> CompletionStage<U> applyToEitherAsync(
      CompletionStage<? extends T> other, Function<? super T, U> f, Executor executor);

  CompletionStage<Void> acceptEither(
      CompletionStage<? extends T> other, Consumer<? super T> f);

  CompletionStage<Void> acceptEitherAsync(
      CompletionStage<? extends T> other, Consumer<? super T> f);

  CompletionStage<Void> acceptEitherAsync(
      CompletionStage<? extends T> other, Consumer<? super T> f, Executor executor);

  CompletionStage<Void> runAfterEither(CompletionStage<?> other, Runnable f);

  CompletionStage<Void> runAfterEitherAsync(CompletionStage<?> other, Runnable f);

  CompletionStage<Void> runAfterEitherAsync(CompletionStage<?> other, Runnable f,
      Executor executor);

  CompletableFuture<T> toCompletableFuture();
}
