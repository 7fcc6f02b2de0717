package io.github.libfar.programs;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.Vector;
import java.util.stream.Collectors;

/** Collections that threads share under a monitor. */
public final class Collections1 {
  private static final List<String> WORDS = new ArrayList<>();
  private static final Map<String, Integer> COUNTS = new HashMap<>();
  private static final Map<Integer, List<Integer>> SORTED =
      Collections.synchronizedMap(new TreeMap<>());
  private static final Set<Kind> KINDS = new HashSet<>();
  private static final Vector<Object> ALL = new Vector<>();
  private static final PriorityQueue<Long> QUEUE = new PriorityQueue<>(Comparator.reverseOrder());
  private static final ArrayDeque<int[]> PAIRS = new ArrayDeque<>();

  private enum Kind {
    SMALL, LARGE
  }

  private static final class Numbered extends ArrayList<Integer> {
    private int added;

    @Override
    public boolean add(Integer n) {
      added++;
      return super.add(n);
    }
  }

  public static void main(String[] args) throws Exception {
    final Numbered numbered = new Numbered();
    final LinkedList<String> list = new LinkedList<>(Arrays.asList("x", "y"));
    final Thread[] threads = new Thread[3];
    for (int t = 0; t < threads.length; t++) {
      final int me = t;
      threads[t] = new Thread(() -> work(me, numbered, list));
      threads[t].start();
    }
    for (Thread t : threads) t.join();
    System.out.println(WORDS.size() + " " + new TreeMap<>(COUNTS));
    System.out.println(SORTED.keySet() + " " + SORTED.get(2).stream().sorted().toList());
    System.out.println(KINDS.contains(Kind.SMALL) + " " + KINDS.size() + " " + ALL.size() + " "
        + ALL.contains(7) + " " + numbered.added + numbered.size() + " " + list.size());
    final List<Long> drained = new ArrayList<>();
    while (!QUEUE.isEmpty()) drained.add(QUEUE.poll());
    int sum = 0;
    for (int[] pair : PAIRS) sum += pair[0] * pair[1];
    System.out.println(drained + " " + sum);
    local();
  }

  private static void work(int me, Numbered numbered, List<String> list) {
    for (int i = 0; i < 20; i++) {
      synchronized (WORDS) {
        WORDS.add("w" + i % 3);
        COUNTS.merge("w" + i % 3, 1, Integer::sum);
        KINDS.add(i < 10 ? Kind.SMALL : Kind.LARGE);
        numbered.add(i);
        if (i % 10 == 0) list.add("t" + me);
        PAIRS.addLast(new int[] {me, i});
      }
      ALL.add(i);
      SORTED.computeIfAbsent(i % 5, k -> Collections.synchronizedList(new ArrayList<>())).add(i);
      synchronized (QUEUE) {
        if (i % 7 == 0) QUEUE.add(i * 10L + me);
      }
    }
  }

  private static void local() {
    final Map<String, List<Integer>> map = new LinkedHashMap<>();
    for (int i = 0; i < 10; i++) map.computeIfAbsent("k" + i % 3, k -> new ArrayList<>()).add(i);
    System.out.println(map);
    for (Iterator<List<Integer>> it = map.values().iterator(); it.hasNext();) {
      if (it.next().size() > 3) it.remove();
    }
    final Collection<Integer> all =
        map.values().stream().flatMap(List::stream).collect(Collectors.toList());
    System.out.println(all + " " + Collections.max(all) + map.entrySet().iterator().next());
    final List<Integer> shuffled = new ArrayList<>(all);
    Collections.shuffle(shuffled, new Random(5));
    Collections.sort(shuffled);
    System.out.println(shuffled.subList(1, 3) + " " + shuffled.toArray(new Integer[0]).length
        + Arrays.toString(shuffled.toArray()) + new Random(3).nextInt(100));
    final Integer[] room = new Integer[20];
    System.out.println((all.toArray(room) == room) + " " + (all.toArray(new Integer[1]) == room));
    System.out.println(Collections.unmodifiableList(shuffled) + " " + List.of(1, 2) + " "
        + new ArrayList<>(Map.of("a", 1).entrySet()) + Collections.nCopies(2, "n"));
    try {
      for (Integer i : shuffled) shuffled.add(i);
    } catch (java.util.ConcurrentModificationException e) {
      System.out.println("modified");
    }
  }
}
