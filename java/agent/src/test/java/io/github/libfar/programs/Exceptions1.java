package io.github.libfar.programs;

import java.sql.SQLException;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Exceptions with fields of the JDK's, and suppressed ones, that another thread looks at. */
public final class Exceptions1 {
  private static Throwable last;

  private static final class Own extends Exception {
    private static final long serialVersionUID = 1;
    private int code = 4;

    Own(String message) {
      super(message);
    }
  }

  private static final class Resource implements AutoCloseable {
    @Override
    public void close() {
      throw new IllegalStateException("close");
    }
  }

  private static void run(Runnable r) throws InterruptedException {
    final Thread t = new Thread(r);
    t.start();
    t.join();
  }

  private static void format() {
    try {
      System.out.println(String.format("%d", "x"));
    } catch (IllegalArgumentException e) {
      last = e;
    }
  }

  private static void compile() {
    try {
      System.out.println(Pattern.compile("a["));
    } catch (PatternSyntaxException e) {
      last = e;
    }
  }

  private static void close() {
    try (Resource r = new Resource()) {
      throw new IllegalArgumentException("body of " + (r != null), new Own("cause"));
    } catch (IllegalArgumentException e) {
      last = e;
    }
  }

  private static void suppress() {
    final RuntimeException first = new RuntimeException("one");
    first.addSuppressed(new Own("two"));
    first.addSuppressed(new Error("three", first));
    last = first;
  }

  public static void main(String[] args) throws Exception {
    for (int k = 0; k < 3; k++) {
      run(Exceptions1::format);
      System.out.println(last.getMessage());
      run(Exceptions1::compile);
      System.out.println(((PatternSyntaxException) last).getIndex() + last.getMessage());
      run(() -> last = new SQLException("r", "S1", 42));
      final SQLException sql = (SQLException) last;
      System.out.println(sql.getErrorCode() + sql.getSQLState());
      run(Exceptions1::close);
      System.out.println(last + " " + last.getSuppressed()[0].getMessage() + " "
          + ((Own) last.getCause()).code);
      run(Exceptions1::suppress);
      System.out.println(last.getSuppressed().length + " " + ((Own) last.getSuppressed()[0]).code
          + last.getSuppressed()[1].getCause().getMessage());
      last.addSuppressed(new Own("four"));
      System.out.println(last.getSuppressed().length);
      run(() -> last = new Own("five"));
      last.addSuppressed(new Own("six"));
      System.out.println(last.getSuppressed().length);
    }
  }
}
