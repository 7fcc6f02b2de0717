package io.github.libfar.programs;

import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/**
 * Threads of one rank that meet a class at the same time: some by an object that another rank has
 * made, and some by a static field.
 */
public final class Classes2 {
  private static class Numbered {
    int number;
  }

  private static final class Holder {
    private Numbered content;

    Holder(Numbered content, int number) {
      this.content = content;
      content.number = number;
    }
  }

  private static final class C0 extends Numbered {
    static final int TWICE = Integer.parseInt("0");
  }

  private static final class C1 extends Numbered {
    static final int TWICE = Integer.parseInt("2");
  }

  private static final class C2 extends Numbered {
    static final int TWICE = Integer.parseInt("4");
  }

  private static final class C3 extends Numbered {
    static final int TWICE = Integer.parseInt("6");
  }

  private static final class C4 extends Numbered {
    static final int TWICE = Integer.parseInt("8");
  }

  private static final class C5 extends Numbered {
    static final int TWICE = Integer.parseInt("10");
  }

  private static final class C6 extends Numbered {
    static final int TWICE = Integer.parseInt("12");
  }

  private static final class C7 extends Numbered {
    static final int TWICE = Integer.parseInt("14");
  }

  private static final class C8 extends Numbered {
    static final int TWICE = Integer.parseInt("16");
  }

  private static final class C9 extends Numbered {
    static final int TWICE = Integer.parseInt("18");
  }

  private static final class C10 extends Numbered {
    static final int TWICE = Integer.parseInt("20");
  }

  private static final class C11 extends Numbered {
    static final int TWICE = Integer.parseInt("22");
  }

  private static final class C12 extends Numbered {
    static final int TWICE = Integer.parseInt("24");
  }

  private static final class C13 extends Numbered {
    static final int TWICE = Integer.parseInt("26");
  }

  private static final class C14 extends Numbered {
    static final int TWICE = Integer.parseInt("28");
  }

  private static final class C15 extends Numbered {
    static final int TWICE = Integer.parseInt("30");
  }

  private static final class C16 extends Numbered {
    static final int TWICE = Integer.parseInt("32");
  }

  private static final class C17 extends Numbered {
    static final int TWICE = Integer.parseInt("34");
  }

  private static final class C18 extends Numbered {
    static final int TWICE = Integer.parseInt("36");
  }

  private static final class C19 extends Numbered {
    static final int TWICE = Integer.parseInt("38");
  }

  private static final class C20 extends Numbered {
    static final int TWICE = Integer.parseInt("40");
  }

  private static final class C21 extends Numbered {
    static final int TWICE = Integer.parseInt("42");
  }

  private static final class C22 extends Numbered {
    static final int TWICE = Integer.parseInt("44");
  }

  private static final class C23 extends Numbered {
    static final int TWICE = Integer.parseInt("46");
  }

  private static final int CLASSES = 24;
  private static final int THREADS = 4;
  private static final CyclicBarrier BARRIER = new CyclicBarrier(THREADS);
  private static final Holder[] HOLDERS = new Holder[CLASSES];
  private static final int[] SUMS = new int[THREADS];

  private static Numbered make(int i) {
    return switch (i) {
      case 0 -> new C0();
      case 1 -> new C1();
      case 2 -> new C2();
      case 3 -> new C3();
      case 4 -> new C4();
      case 5 -> new C5();
      case 6 -> new C6();
      case 7 -> new C7();
      case 8 -> new C8();
      case 9 -> new C9();
      case 10 -> new C10();
      case 11 -> new C11();
      case 12 -> new C12();
      case 13 -> new C13();
      case 14 -> new C14();
      case 15 -> new C15();
      case 16 -> new C16();
      case 17 -> new C17();
      case 18 -> new C18();
      case 19 -> new C19();
      case 20 -> new C20();
      case 21 -> new C21();
      case 22 -> new C22();
      default -> new C23();
    };
  }

  private static int twice(int i) {
    return switch (i) {
      case 0 -> C0.TWICE;
      case 1 -> C1.TWICE;
      case 2 -> C2.TWICE;
      case 3 -> C3.TWICE;
      case 4 -> C4.TWICE;
      case 5 -> C5.TWICE;
      case 6 -> C6.TWICE;
      case 7 -> C7.TWICE;
      case 8 -> C8.TWICE;
      case 9 -> C9.TWICE;
      case 10 -> C10.TWICE;
      case 11 -> C11.TWICE;
      case 12 -> C12.TWICE;
      case 13 -> C13.TWICE;
      case 14 -> C14.TWICE;
      case 15 -> C15.TWICE;
      case 16 -> C16.TWICE;
      case 17 -> C17.TWICE;
      case 18 -> C18.TWICE;
      case 19 -> C19.TWICE;
      case 20 -> C20.TWICE;
      case 21 -> C21.TWICE;
      case 22 -> C22.TWICE;
      default -> C23.TWICE;
    };
  }

  private static void run(int id) {
    try {
      for (int i = 0; i < CLASSES; i++) {
        BARRIER.await();
        SUMS[id] += id < THREADS / 2 ? HOLDERS[i].content.number : twice(i);
      }
    } catch (InterruptedException | BrokenBarrierException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws Exception {
    for (int i = 0; i < CLASSES; i++) HOLDERS[i] = new Holder(make(i), i);
    final Thread[] threads = new Thread[THREADS];
    for (int t = 0; t < THREADS; t++) {
      final int id = t;
      threads[t] = new Thread(() -> run(id));
      threads[t].start();
    }
    for (Thread t : threads) t.join();
    for (int sum : SUMS) System.out.println(sum);
  }
}
