package io.github.libfar.programs;

/** Producers and consumers of objects, by a bounded queue. */
public final class Queues {
  record Item(int from, String text, double[] values) {}

  static final class Bounded {
    private final Item[] items = new Item[4];
    private int first;
    private int count;
    private boolean closed;

    synchronized void put(Item item) throws InterruptedException {
      while (count == items.length) wait();
      items[(first + count++) % items.length] = item;
      notifyAll();
    }

    synchronized Item take() throws InterruptedException {
      while (count == 0 && !closed) wait();
      if (count == 0) return null;
      final Item taken = items[first];
      items[first] = null;
      first = (first + 1) % items.length;
      count--;
      notifyAll();
      return taken;
    }

    synchronized void close() {
      closed = true;
      notifyAll();
    }
  }

  static final class Sum {
    private double values;
    private int letters;
    private int items;

    synchronized void add(Item i) {
      for (double v : i.values()) values += v;
      letters += i.text().length();
      items++;
    }
  }

  private static volatile int consumed;

  public static void main(String[] args) throws Exception {
    final Bounded queue = new Bounded();
    final Sum sum = new Sum();
    final Thread[] producers = new Thread[3];
    final Thread[] consumers = new Thread[3];
    for (int p = 0; p < producers.length; p++) {
      final int me = p;
      producers[p] = new Thread(() -> produce(queue, me));
      consumers[p] = new Thread(() -> consume(queue, sum));
    }
    for (Thread t : consumers) t.start();
    for (Thread t : producers) t.start();
    for (Thread t : producers) t.join();
    queue.close();
    for (Thread t : consumers) t.join();
    System.out.println(sum.items + " " + sum.letters + " " + sum.values + " " + (consumed > 0));
  }

  private static void produce(Bounded queue, int me) {
    try {
      for (int i = 0; i < 50; i++) {
        queue.put(new Item(me, "item " + i, new double[] {me, i, 0.5}));
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void consume(Bounded queue, Sum sum) {
    try {
      for (Item i = queue.take(); i != null; i = queue.take()) {
        sum.add(i);
        consumed++;
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
