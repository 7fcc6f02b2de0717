package io.github.libfar.programs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Small programs as people write them. */
public final class Styles1 {
  public static void main(String[] args) throws Exception {
    new Crawler(Map.of("a", List.of("b", "c"), "b", List.of("d"), "c", List.of("d", "a"), "d",
        List.of("e"), "e", List.of())).crawl("a");
    pipeline();
    cache();
    lru();
    life();
    bank();
    eventBus();
  }

  // ---- a web crawler

  private static final class Crawler {
    private final Map<String, List<String>> web;
    private final Set<String> visited = ConcurrentHashMap.newKeySet();
    private final ConcurrentMap<String, Integer> depths = new ConcurrentHashMap<>();
    private final ExecutorService executor = Executors.newFixedThreadPool(4);

    Crawler(Map<String, List<String>> web) {
      this.web = web;
    }

    private CompletableFuture<Void> visit(String page, int depth) {
      depths.merge(page, depth, Math::min);
      if (!visited.add(page)) return CompletableFuture.completedFuture(null);
      return CompletableFuture.supplyAsync(() -> web.getOrDefault(page, List.of()), executor)
          .thenCompose(links -> CompletableFuture.allOf(links.stream()
              .map(link -> visit(link, depth + 1)).toArray(CompletableFuture[]::new)));
    }

    void crawl(String start) {
      visit(start, 0).join();
      executor.shutdown();
      System.out.println("crawled " + new TreeSet<>(visited) + " " + depths.keySet());
    }
  }

  // ---- stages with queues between them

  private sealed interface Message permits Item, End {}

  private record Item(int number, String text) implements Message {}

  private enum End implements Message {
    END
  }

  private static void pipeline() throws InterruptedException {
    final BlockingQueue<Message> read = new LinkedBlockingQueue<>(4);
    final BlockingQueue<Message> written = new LinkedBlockingQueue<>();
    final Thread reader = new Thread(() -> {
      try {
        for (int i = 0; i < 12; i++) read.put(new Item(i, "line " + i));
        read.put(End.END);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }, "reader");
    final Thread filter = new Thread(() -> {
      try {
        for (Message m = read.take(); m != End.END; m = read.take()) {
          if (m instanceof Item item && item.number() % 3 == 0) {
            written.put(new Item(item.number(), item.text().toUpperCase()));
          }
        }
        written.put(End.END);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }, "filter");
    reader.start();
    filter.start();
    final List<String> lines = new ArrayList<>();
    for (Message m = written.take(); m instanceof Item item; m = written.take()) {
      lines.add(item.text());
    }
    System.out.println(lines);
  }

  // ---- a cache that many read

  private static final class Cache<K, V> {
    private final Map<K, V> map = new HashMap<>();
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private final Function<? super K, ? extends V> loader;
    private final AtomicInteger loads = new AtomicInteger();

    Cache(Function<? super K, ? extends V> loader) {
      this.loader = Objects.requireNonNull(loader);
    }

    V get(K key) {
      lock.readLock().lock();
      try {
        final V found = map.get(key);
        if (found != null) return found;
      } finally {
        lock.readLock().unlock();
      }
      lock.writeLock().lock();
      try {
        return map.computeIfAbsent(key, k -> {
          loads.incrementAndGet();
          return loader.apply(k);
        });
      } finally {
        lock.writeLock().unlock();
      }
    }
  }

  private static void cache() throws Exception {
    final Cache<Integer, String> cache = new Cache<>(k -> "value" + k);
    final ExecutorService pool = Executors.newCachedThreadPool();
    final List<Future<Integer>> futures = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      futures.add(pool.submit(() -> {
        int length = 0;
        for (int i = 0; i < 20; i++) length += cache.get(i % 5).length();
        return length;
      }));
    }
    int total = 0;
    for (Future<Integer> f : futures) total += f.get();
    pool.shutdown();
    System.out.println(total + " " + cache.loads);
  }

  private static final class Lru<K, V> extends LinkedHashMap<K, V> {
    private final int max;

    Lru(int max) {
      super(16, 0.75f, true);
      this.max = max;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
      return size() > max;
    }
  }

  private static void lru() throws InterruptedException {
    final Map<String, Integer> lru = Collections.synchronizedMap(new Lru<>(3));
    for (String s : Arrays.asList("a", "b", "c")) lru.put(s, s.charAt(0) - 'a');
    final Thread t = new Thread(() -> {
      lru.get("a");
      lru.put("d", 3);
    });
    t.start();
    t.join();
    System.out.println(lru);
  }

  // ---- the game of life, by rows

  private static void life() throws Exception {
    final int n = 8;
    final boolean[][][] boards = new boolean[2][n][n];
    for (int[] cell : new int[][] {{0, 1}, {1, 2}, {2, 0}, {2, 1}, {2, 2}}) {
      boards[0][cell[0]][cell[1]] = true;
    }
    final int workers = 3;
    final int generations = 6;
    final AtomicLong alive = new AtomicLong();
    final CyclicBarrier barrier = new CyclicBarrier(workers);
    final Phaser end = new Phaser(1);
    for (int w = 0; w < workers; w++) {
      final int me = w;
      end.register();
      new Thread(() -> {
        try {
          for (int g = 0; g < generations; g++) {
            final boolean[][] from = boards[g % 2];
            final boolean[][] to = boards[(g + 1) % 2];
            for (int r = me; r < n; r += workers) {
              for (int c = 0; c < n; c++) to[r][c] = lives(from, r, c);
            }
            barrier.await();
          }
        } catch (Exception e) {
          throw new RuntimeException(e);
        }
        for (int r = me; r < n; r += workers) {
          for (boolean cell : boards[generations % 2][r]) {
            if (cell) alive.incrementAndGet();
          }
        }
        end.arriveAndDeregister();
      }).start();
    }
    end.arriveAndAwaitAdvance();
    final StringBuilder text = new StringBuilder();
    for (boolean[] row : boards[generations % 2]) {
      for (boolean cell : row) text.append(cell ? '#' : '.');
      text.append('|');
    }
    System.out.println(text + " " + alive);
  }

  private static boolean lives(boolean[][] board, int r, int c) {
    final int n = board.length;
    int count = 0;
    for (int dr = -1; dr <= 1; dr++) {
      for (int dc = -1; dc <= 1; dc++) {
        if ((dr != 0 || dc != 0) && board[(r + dr + n) % n][(c + dc + n) % n]) count++;
      }
    }
    return count == 3 || count == 2 && board[r][c];
  }

  // ---- accounts

  private static final class Account {
    private final StampedLock lock = new StampedLock();
    private long cents;

    void deposit(long amount) {
      final long stamp = lock.writeLock();
      try {
        cents += amount;
      } finally {
        lock.unlockWrite(stamp);
      }
    }

    long balance() {
      long stamp = lock.tryOptimisticRead();
      long seen = cents;
      if (!lock.validate(stamp)) {
        stamp = lock.readLock();
        try {
          seen = cents;
        } finally {
          lock.unlockRead(stamp);
        }
      }
      return seen;
    }
  }

  private static void bank() throws InterruptedException {
    final List<Account> accounts =
        IntStream.range(0, 3).mapToObj(i -> new Account()).collect(Collectors.toList());
    final CountDownLatch done = new CountDownLatch(3);
    for (int t = 0; t < 3; t++) {
      new Thread(() -> {
        for (int i = 0; i < 15; i++) {
          accounts.get(i % 3).deposit(10);
          accounts.get(ThreadLocalRandom.current().nextInt(3)).balance();
        }
        done.countDown();
      }).start();
    }
    System.out.println(done.await(30, TimeUnit.SECONDS) + " "
        + accounts.stream().map(Account::balance).toList());
  }

  // ---- listeners

  private static final class EventBus {
    private final Map<Class<?>, List<Consumer<Object>>> handlers = new ConcurrentHashMap<>();

    <E> void on(Class<E> type, Consumer<? super E> handler) {
      handlers.computeIfAbsent(type, t -> new CopyOnWriteArrayList<>())
          .add(e -> handler.accept(type.cast(e)));
    }

    void post(Object event) {
      handlers.getOrDefault(event.getClass(), List.of()).forEach(h -> h.accept(event));
    }
  }

  private static void eventBus() throws InterruptedException {
    final EventBus bus = new EventBus();
    final List<String> log = Collections.synchronizedList(new ArrayList<>());
    bus.on(String.class, s -> log.add("text " + s));
    bus.on(Integer.class, i -> log.add("number " + (i + 1)));
    final Consumer<Item> printer = item -> log.add(item.text());
    bus.on(Item.class, printer.andThen(item -> log.add("#" + item.number())));
    final Thread t = new Thread(() -> {
      bus.post("a");
      bus.post(41);
      bus.post(new Item(7, "item"));
      bus.post(1.5);
    });
    t.start();
    t.join();
    System.out.println(log);
  }
}
