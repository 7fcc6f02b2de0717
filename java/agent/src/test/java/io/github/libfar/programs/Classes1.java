package io.github.libfar.programs;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Array;

/** What a class has: an initializer that fails, annotations; and threads with large stacks. */
public final class Classes1 {
  private static final class Broken {
    static final int NUMBER = Integer.parseInt("x");

    static void use() {}
  }

  @Retention(RetentionPolicy.RUNTIME)
  private @interface Size {
    int value();
  }

  @Size(5)
  private static final class Sized {}

  private static int depth;

  private static int sumTo(int n) {
    return n == 0 ? 0 : n + sumTo(n - 1);
  }

  private static void run(Thread t) throws InterruptedException {
    t.start();
    t.join();
  }

  private static void useBroken() {
    try {
      Broken.use();
      System.out.println("used");
    } catch (LinkageError e) {
      System.out.println(e.getMessage());
    }
  }

  private static void change(Object array) {
    for (int i = 0; i < Array.getLength(array); i++) {
      Array.setInt(array, i, Array.getInt(array, i) + i);
    }
  }

  public static void main(String[] args) throws Exception {
    useBroken();
    final int[] numbers = {1, 2, 3};
    for (int k = 0; k < 3; k++) {
      run(new Thread(Classes1::useBroken));
      run(new Thread(() -> System.out.println(Sized.class.getAnnotation(Size.class).value())));
      run(new Thread(null, () -> depth += sumTo(60_000), "deep", 1 << 27));
      run(new Thread(() -> change(numbers)));
    }
    System.out.println(depth + " " + numbers[1] + " " + numbers[2]);
  }
}
