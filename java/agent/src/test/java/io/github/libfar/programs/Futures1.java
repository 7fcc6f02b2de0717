package io.github.libfar.programs;

import java.security.PrivilegedAction;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** CompletableFutures. */
public final class Futures1 {
  private static CompletableFuture<String> shared = new CompletableFuture<>();

  public static void main(String[] args) throws Exception {
    final ExecutorService pool = Executors.newFixedThreadPool(3);
    chains(pool);
    failures(pool);
    many(pool);
    completedElsewhere();
    timeouts();
    stages(pool);
    pool.shutdown();
  }

  private static void chains(ExecutorService pool) throws Exception {
    final CompletableFuture<Integer> one = CompletableFuture.supplyAsync(() -> 1);
    final CompletableFuture<Integer> two = CompletableFuture.supplyAsync(() -> 2, pool);
    System.out.println(one.thenApply(x -> x + 10).thenCombine(two, Integer::sum).get() + " "
        + one.thenCompose(x -> CompletableFuture.supplyAsync(() -> "c" + x, pool)).join()
        + two.thenApplyAsync(x -> x * 2, pool).thenApplyAsync(x -> x + 1).join());
    final AtomicInteger seen = new AtomicInteger();
    one.thenAccept(seen::addAndGet).thenRun(seen::incrementAndGet).join();
    one.thenAcceptBoth(two, (a, b) -> seen.addAndGet(a + b)).join();
    CompletableFuture.runAsync(() -> seen.addAndGet(100), pool).join();
    one.runAfterBoth(two, () -> seen.addAndGet(1000)).join();
    System.out.println(seen + " " + one.handle((v, e) -> v + ":" + e).join() + one.getNow(-1)
        + one.isDone() + new CompletableFuture<Integer>().getNow(-1));
    System.out.println(one.applyToEither(new CompletableFuture<>(), x -> "first" + x).join() + " "
        + CompletableFuture.completedFuture("done").whenComplete((v, e) -> seen.set(0)).join()
        + seen);
    final CompletionStage<Integer> stage = CompletableFuture.completedStage(5);
    System.out.println(stage.thenApply(x -> x * x).toCompletableFuture().join());
  }

  private static void failures(ExecutorService pool) throws Exception {
    final CompletableFuture<Integer> fails = CompletableFuture.supplyAsync(() -> {
      throw new IllegalArgumentException("bad");
    }, pool);
    try {
      fails.join();
    } catch (CompletionException e) {
      System.out.println("join " + e.getCause());
    }
    try {
      fails.thenApply(x -> x + 1).get();
    } catch (ExecutionException e) {
      System.out.println("get " + e.getCause());
    }
    System.out.println(fails.exceptionally(e -> e instanceof CompletionException ? -1 : -2).join()
        + " " + fails.handle((v, e) -> v + " " + e.getCause().getMessage()).join() + " "
        + fails.isCompletedExceptionally());
    final CompletableFuture<Integer> raw = new CompletableFuture<>();
    raw.completeExceptionally(new IllegalStateException("raw"));
    System.out.println(raw.exceptionally(e -> e instanceof IllegalStateException ? 1 : 2).join()
        + " " + raw.thenApply(x -> x).exceptionally(
            e -> e instanceof CompletionException ? 3 : 4).join());
    final CompletableFuture<Integer> cancelled = new CompletableFuture<>();
    System.out.println(cancelled.cancel(true) + " " + cancelled.isCancelled());
    try {
      cancelled.join();
    } catch (CancellationException e) {
      System.out.println("cancelled");
    }
    System.out.println(fails.whenComplete((v, e) -> System.out.println("seen " + (v == null)))
        .handle((v, e) -> e.getClass().getSimpleName()).join());
  }

  private static void many(ExecutorService pool) {
    final List<CompletableFuture<Integer>> all = IntStream.range(0, 8)
        .mapToObj(i -> CompletableFuture.supplyAsync(() -> i * i, pool))
        .collect(Collectors.toList());
    final CompletableFuture<Void> done =
        CompletableFuture.allOf(all.toArray(new CompletableFuture[0]));
    System.out.println(done.thenApply(v -> all.stream().map(CompletableFuture::join)
        .collect(Collectors.toList())).join());
    System.out.println(CompletableFuture.anyOf(new CompletableFuture<>(), all.get(3)).join());
    // Each waits for the next one, in a pool with fewer threads.
    CompletableFuture<Integer> chain = CompletableFuture.completedFuture(0);
    for (int i = 0; i < 20; i++) {
      final CompletableFuture<Integer> before = chain;
      chain = CompletableFuture.supplyAsync(() -> before.join() + 1);
    }
    System.out.println(chain.join());
  }

  private static void completedElsewhere() throws InterruptedException {
    final List<String> order = new ArrayList<>();
    final CompletableFuture<String> after = shared.thenApply(s -> {
      order.add(s);
      return s + "!";
    });
    final Thread t = new Thread(() -> shared.complete("from elsewhere"));
    t.start();
    System.out.println(after.join());
    t.join();
    System.out.println(order);
  }

  private static void stages(ExecutorService pool) throws Exception {
    final CompletableFuture<Throwable> seen = CompletableFuture.supplyAsync(() -> {
      if (pool != null) throw new IllegalStateException("inner");
      return 1;
    }, pool).handleAsync((value, e) -> e, pool);
    System.out.println(seen.join() + " by " + seen.join().getCause());
    final CompletableFuture<Integer> open = new CompletableFuture<>();
    System.out.println(open.minimalCompletionStage().toCompletableFuture().complete(5) + " "
        + open.isDone());
    open.completeExceptionally(new IllegalArgumentException("failed"));
    System.out.println(open.minimalCompletionStage()
        .exceptionallyAsync(e -> e instanceof CompletionException ? 7 : 8, pool)
        .toCompletableFuture().join());
    System.out.println(pool.submit(Executors.callable((PrivilegedAction<Integer>) () -> 9)).get());
  }

  private static void timeouts() throws Exception {
    try {
      new CompletableFuture<String>().orTimeout(2, TimeUnit.MILLISECONDS).join();
    } catch (CompletionException e) {
      System.out.println(e.getCause() instanceof TimeoutException);
    }
    System.out.println(new CompletableFuture<String>().completeOnTimeout("late", 2,
        TimeUnit.MILLISECONDS).join());
    try {
      new CompletableFuture<String>().get(1, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      System.out.println("timeout");
    }
    System.out.println(CompletableFuture.supplyAsync(() -> "delayed",
        CompletableFuture.delayedExecutor(2, TimeUnit.MILLISECONDS)).join());
  }
}
