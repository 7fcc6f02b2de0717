package io.github.libfar.programs;

import java.util.Date;

/** Shares what cannot be shared. */
public final class Unshareable {
  private static Date date;

  public static void main(String[] args) throws Exception {
    date = new Date(0);
    final Thread t = new Thread(() -> System.out.println(date));
    t.start();
    t.join();
  }
}
