package io.github.libfar.programs;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** More of what people write, each in a style of its own. */
public final class Styles2 {
  public static void main(String[] args) throws Exception {
    memoizer();
    orders();
    inventory();
  }

  // ---- what is computed once

  private static void memoizer() throws Exception {
    final ConcurrentMap<Integer, Future<Long>> results = new ConcurrentHashMap<>();
    final AtomicInteger computed = new AtomicInteger();
    final Callable<Long> asks = () -> {
      long sum = 0;
      for (int i = 0; i < 5; i++) {
        final int n = i;
        final FutureTask<Long> mine = new FutureTask<>(() -> {
          computed.incrementAndGet();
          return (long) n * n;
        });
        final Future<Long> other = results.putIfAbsent(i, mine);
        if (other == null) mine.run();
        sum += (other == null ? mine : other).get();
      }
      return sum;
    };
    final ExecutorService pool = Executors.newFixedThreadPool(3);
    final List<Long> sums = new ArrayList<>();
    for (Future<Long> f : pool.invokeAll(Collections.nCopies(3, asks))) sums.add(f.get());
    pool.shutdown();
    System.out.println(sums + " " + computed);
  }

  // ---- streams of futures

  private record Order(int id, String customer, double amount) {}

  private static void orders() throws ExecutionException, InterruptedException {
    final ExecutorService pool = Executors.newFixedThreadPool(3);
    final List<Order> orders = IntStream.rangeClosed(1, 9)
        .mapToObj(i -> new Order(i, "c" + i % 3, i * 1.5)).collect(Collectors.toList());
    final CompletableFuture<Map<String, Double>> totals = CompletableFuture.supplyAsync(
        () -> orders.stream().collect(Collectors.groupingBy(Order::customer, TreeMap::new,
            Collectors.summingDouble(Order::amount))), pool);
    final CompletableFuture<Optional<Order>> largest = CompletableFuture.supplyAsync(
        () -> orders.stream().reduce((a, b) -> a.amount() >= b.amount() ? a : b), pool);
    System.out.println(totals.thenCombine(largest,
        (t, l) -> t + " " + l.map(Order::id).orElse(-1)).get());
    pool.shutdown();
  }

  // ---- stock

  private static final Map<String, Integer> STOCK = new HashMap<>();
  private static int failed;

  private static synchronized boolean take(String what, int n) {
    final int left = STOCK.getOrDefault(what, 0);
    if (left < n) {
      failed++;
      return false;
    }
    STOCK.put(what, left - n);
    return true;
  }

  private static void inventory() throws InterruptedException {
    STOCK.put("apple", 10);
    STOCK.put("pear", 3);
    final List<Thread> buyers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      final Thread buyer = new Thread(() -> {
        for (int k = 0; k < 3; k++) {
          take("apple", 1);
          take("pear", 1);
        }
      }, "buyer-" + i);
      buyer.start();
      buyers.add(buyer);
    }
    for (Thread t : buyers) t.join();
    System.out.println(new TreeMap<>(STOCK) + " " + failed);
  }
}
