package io.github.libfar.programs;

/** Passes a shared object to a native method, whose library need not be there. */
public final class Natives {
  private static final class Sheet {
    private int lines;

    native long draw(String text, int[] places, long at);
  }

  public static void main(String[] args) throws Exception {
    final Sheet sheet = new Sheet();
    try {
      System.out.println(sheet.draw("a", new int[1], 2));
    } catch (UnsatisfiedLinkError e) {
      System.out.println("local: no library");
    }
    final Thread t = new Thread(() -> sheet.lines++);
    t.start();
    t.join();
    System.out.println(sheet.draw("b", new int[1], 3));
  }
}
