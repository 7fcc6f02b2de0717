package io.github.libfar.programs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Collections of java.util.concurrent. */
public final class Queues2 {
  private static final int THREADS = 3;
  private static final List<String> LISTENERS = new CopyOnWriteArrayList<>();
  private static final Set<Integer> ONCE = new CopyOnWriteArraySet<>();
  private static final Collection<Integer> LINKED = new ConcurrentLinkedQueue<>();
  private static final ConcurrentLinkedDeque<Integer> DEQUE = new ConcurrentLinkedDeque<>();
  private static final ConcurrentSkipListMap<Integer, String> SKIP = new ConcurrentSkipListMap<>();
  private static final ConcurrentSkipListSet<String> NAMES = new ConcurrentSkipListSet<>();
  private static final Set<String> KEYS = ConcurrentHashMap.newKeySet();
  private static final ConcurrentHashMap<String, Integer> MAP = new ConcurrentHashMap<>();

  private interface Body {
    void run(int me) throws Exception;
  }

  private static void inThreads(Body body) throws InterruptedException {
    final Thread[] threads = new Thread[THREADS];
    for (int t = 0; t < THREADS; t++) {
      final int me = t;
      threads[t] = new Thread(() -> {
        try {
          body.run(me);
        } catch (Exception e) {
          throw new IllegalStateException(e);
        }
      });
      threads[t].start();
    }
    for (Thread t : threads) t.join();
  }

  public static void main(String[] args) throws Exception {
    inThreads(me -> {
      for (int i = 0; i < 10; i++) {
        LISTENERS.add("l" + (me * 10 + i));
        ONCE.add(i % 5);
        LINKED.add(i);
        DEQUE.addFirst(i);
        SKIP.merge(i, "" + i, (a, b) -> a.compareTo(b) > 0 ? a : b);
        NAMES.add("n" + i % 4);
        KEYS.add("k" + i % 3);
        MAP.merge("m" + i, 1, Integer::sum);
      }
    });
    System.out.println(new TreeSet<>(LISTENERS).size() + " " + new TreeSet<>(ONCE) + LINKED.size()
        + DEQUE.stream().mapToInt(i -> i).sum());
    System.out.println(SKIP + " " + NAMES + new TreeSet<>(KEYS) + " " + new TreeMap<>(MAP));
    skipLists();
    hashMaps();
    iterators();
    blocking(new LinkedBlockingDeque<>(2));
    blocking(new SynchronousQueue<>());
    blocking(new LinkedTransferQueue<>());
    blocking(new PriorityBlockingQueue<>());
    longQueue();
    others();
    transfers();
  }

  /** What is not taken in time does not let the transfer before it return. */
  private static void transfers() throws InterruptedException {
    final LinkedTransferQueue<String> queue = new LinkedTransferQueue<>();
    final AtomicInteger taken = new AtomicInteger();
    final Thread first = new Thread(() -> {
      try {
        queue.transfer("first");
        taken.set(1);
      } catch (InterruptedException e) {
        taken.set(-1);
      }
    });
    first.start();
    while (queue.isEmpty()) Thread.yield();
    System.out.println(queue.tryTransfer("second", 10, TimeUnit.MILLISECONDS) + " " + queue);
    Thread.sleep(50);
    System.out.println(taken + queue.take());
    first.join();
    System.out.println(taken);
  }

  private static void skipLists() throws InterruptedException {
    final NavigableMap<Integer, String> head = SKIP.headMap(5, true);
    inThreads(me -> {
      if (me == 1) head.remove(2);
      if (me == 2) SKIP.descendingMap().put(-1, "below");
    });
    System.out.println(head + " " + SKIP.ceilingKey(2) + SKIP.floorEntry(2) + SKIP.firstEntry()
        + SKIP.descendingKeySet() + SKIP.subMap(3, 6) + SKIP.pollLastEntry().getKey());
    System.out.println(NAMES.first() + NAMES.higher("n1") + NAMES.headSet("n2") + NAMES.pollLast()
        + NAMES.descendingSet() + NAMES.tailSet("n1", false));
    for (Integer k : SKIP.keySet()) {
      if (k % 2 == 0) SKIP.remove(k);
    }
    SKIP.values().removeIf(v -> v.equals("3"));
    System.out.println(SKIP.keySet());
  }

  private static void hashMaps() {
    final ConcurrentHashMap<String, Integer> map = new ConcurrentHashMap<>(MAP);
    map.keySet().remove("m0");
    map.values().removeIf(v -> v != THREADS);
    map.entrySet().removeIf(e -> e.getKey().equals("m1"));
    for (Map.Entry<String, Integer> e : map.entrySet()) e.setValue(e.getKey().charAt(1) - '0');
    System.out.println(map + " " + map.mappingCount() + map.reduceValues(1, Integer::sum)
        + map.search(1, (k, v) -> v == 7 ? k : null) + map.reduceKeysToInt(1, String::length, 0,
            Integer::sum) + map.containsValue(5) + map.contains(1));
    map.replaceAll((k, v) -> v * 10);
    map.computeIfAbsent("new", k -> 1);
    map.computeIfPresent("m2", (k, v) -> null);
    map.compute("m3", (k, v) -> v + 1);
    System.out.println(map + " " + map.getOrDefault("none", -1) + map.keySet() + map.values());
    final Map<Integer, Integer> numbers = new ConcurrentHashMap<>();
    for (int i = 40; i > 0; i -= 3) numbers.put(i * 7, i);
    System.out.println(numbers);
    try {
      map.put("null", null);
    } catch (NullPointerException e) {
      System.out.println("no null");
    }
  }

  private static void iterators() {
    final Iterator<String> it = LISTENERS.iterator();
    LISTENERS.clear();
    int n = 0;
    for (; it.hasNext(); it.next()) n++;
    LISTENERS.addAll(Arrays.asList("x", "y"));
    LISTENERS.sort(null);
    final List<Integer> seen = new ArrayList<>();
    for (Integer i : LINKED) {
      if (seen.size() < 3) LINKED.add(100);
      seen.add(i);
    }
    LINKED.removeIf(i -> i != 100);
    DEQUE.removeFirstOccurrence(0);
    System.out.println(n + " " + LISTENERS + LINKED + DEQUE.size() + (DEQUE.pollLast() != null));
  }

  private static void blocking(BlockingQueue<Integer> queue) throws InterruptedException {
    final AtomicInteger sum = new AtomicInteger();
    inThreads(me -> {
      for (int i = 1; i <= 10; i++) {
        if (me == 0) {
          for (int k = 1; k < THREADS; k++) queue.put(i);
        } else {
          sum.addAndGet(queue.take());
        }
      }
    });
    System.out.println(queue.getClass().getSimpleName() + " " + sum + queue.size()
        + queue.poll(1, TimeUnit.MILLISECONDS) + queue.poll());
  }

  private static final class Later implements Delayed {
    private final long at;
    private final int number;

    Later(int number) {
      this.number = number;
      at = System.currentTimeMillis() + number * 4L;
    }

    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(at - System.currentTimeMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
      return Long.compare(at, ((Later) other).at);
    }
  }

  /** A long one, of which some in the middle are removed. */
  private static void longQueue() throws InterruptedException {
    final BlockingQueue<Integer> queue = new java.util.concurrent.LinkedBlockingQueue<>();
    inThreads(me -> {
      for (int i = 0; i < 50; i++) queue.put(me + i * THREADS);
    });
    inThreads(me -> queue.removeIf(i -> i % THREADS == 0 && i / THREADS % 3 == me));
    System.out.println(queue.size() + " " + queue.contains(1) + queue.contains(3));
    final AtomicInteger sum = new AtomicInteger();
    inThreads(me -> {
      for (Integer i = queue.poll(); i != null; i = queue.poll()) sum.addAndGet(i);
    });
    queue.add(7);
    System.out.println(sum + " " + queue + queue.remove() + queue.peek() + queue.isEmpty());
  }

  private static void others() throws InterruptedException {
    final DelayQueue<Later> later = new DelayQueue<>();
    inThreads(me -> later.add(new Later(THREADS - me)));
    int order = 0;
    for (int i = 0; i < THREADS; i++) order += later.take().number * (i + 1) > 0 ? 1 : 0;
    final LinkedTransferQueue<String> transfer = new LinkedTransferQueue<>();
    System.out.println(order + " " + transfer.tryTransfer("no") + transfer.size());
    inThreads(me -> {
      if (me == 0) transfer.transfer("t");
      if (me == 1) transfer.take();
    });
    final LinkedBlockingDeque<Integer> deque = new LinkedBlockingDeque<>(2);
    System.out.println(deque.offerFirst(1) + " " + deque.offerLast(2) + deque.offer(3) + deque
        + deque.takeLast() + deque.peekFirst() + deque.remainingCapacity() + transfer.size());
    final PriorityBlockingQueue<String> names =
        new PriorityBlockingQueue<>(4, java.util.Comparator.reverseOrder());
    inThreads(me -> names.add("p" + me));
    final List<String> drained = new ArrayList<>();
    names.drainTo(drained);
    System.out.println(drained);
  }
}
