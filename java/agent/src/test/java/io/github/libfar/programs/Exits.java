package io.github.libfar.programs;

/** Ends the job from a thread. */
public final class Exits {
  public static void main(String[] args) throws Exception {
    final Thread t = new Thread(() -> System.exit(7));
    t.start();
    Thread.sleep(100_000);
  }
}
