package io.github.libfar.programs;

/** Shares what cannot be shared. */
public final class Unshareable {
  private static StringBuilder text;

  public static void main(String[] args) throws Exception {
    text = new StringBuilder("mine");
    final Thread t = new Thread(() -> System.out.println(text));
    t.start();
    t.join();
  }
}
