package io.github.libfar.programs;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * Threads hand objects over, and drop them: more in all than the ranks have memory for. The
 * arguments are how many each of two pairs of threads does, and how many parts each of them has.
 */
public final class Dropped {
  private static final int PAIRS = 2;
  private static int items = 3000;
  private static int parts = 1;

  private static final class Part {
    private final int weight;
    private final Part next;

    Part(int weight, Part next) {
      this.weight = weight;
      this.next = next;
    }
  }

  private static final class Item {
    private final int number;
    private final String name;
    private final int[] data;
    private Part first;
    private Item last;

    Item(int number) {
      this.number = number;
      name = "item " + number % 50;
      data = new int[60];
      data[1] = number + 1;
      for (int k = 0; k < parts; k++) first = new Part(k, first);
    }

    long value() {
      long weight = 0;
      for (Part p = first; p != null; p = p.next) weight += p.weight;
      return number + name.length() + data[1] + weight;
    }
  }

  /** Keeps a list of some, and with it every other one that the list's items refer to. */
  private static final class Board {
    private Item newest;
    private int count;

    synchronized void post(Item item) {
      item.last = ++count % 100 == 0 ? null : newest;
      newest = item;
    }

    synchronized long sum() {
      long sum = 0;
      for (Item i = newest; i != null; i = i.last) sum += i.value() - i.value() + 1;
      return sum > 0 && sum <= 100 ? 1 : 0;
    }
  }

  private static final Board BOARD = new Board();

  private static final class Consumer implements Runnable {
    private final BlockingQueue<Item> from;
    private long sum;

    Consumer(BlockingQueue<Item> from) {
      this.from = from;
    }

    @Override
    public void run() {
      try {
        for (int i = 0; i < items; i++) {
          final Item item = from.take();
          sum += item.value();
          if (i % 20 == 0) BOARD.post(item);
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  public static void main(String[] args) throws Exception {
    if (args.length > 0) items = Integer.parseInt(args[0]);
    if (args.length > 1) parts = Integer.parseInt(args[1]);
    final List<Thread> threads = new ArrayList<>();
    final List<Consumer> consumers = new ArrayList<>();
    for (int p = 0; p < PAIRS; p++) {
      final BlockingQueue<Item> queue = new ArrayBlockingQueue<>(50);
      consumers.add(new Consumer(queue));
      threads.add(new Thread(consumers.get(p)));
      threads.add(new Thread(() -> {
        try {
          for (int i = 0; i < items; i++) queue.put(new Item(i));
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }));
    }
    for (Thread t : threads) t.start();
    for (Thread t : threads) t.join();
    long sum = 0;
    for (Consumer c : consumers) sum += c.sum;
    System.out.println(sum + " " + BOARD.sum());
  }
}
