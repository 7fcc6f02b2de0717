package io.github.libfar.shared;

import java.lang.reflect.Method;

/** The job that this JVM is a rank of. It is joined when the class is initialized. */
final class Job {
  /** The library of native methods; without it, the JVM is alone. */
  private static final String LIBRARY = System.getProperty("far.library");
  static final int RANK;
  static final int RANKS;
  /** Whether there are other ranks. If not, nothing is ever shared, and much is left out. */
  static final boolean ACTIVE;

  static {
    if (LIBRARY == null) {
      RANK = 0;
      RANKS = 1;
    } else {
      System.load(LIBRARY);
      RANK = Native.join(Boolean.getBoolean("far.copies"), Long.getLong("far.heap", 0),
          Long.getLong("far.cache", Runtime.getRuntime().maxMemory()));
      RANKS = Native.size();
    }
    ACTIVE = RANKS > 1;
  }

  /** Words of the object that all ranks know: a number each. */
  static final int LIVE = 0;
  static final int STARTED = 8;
  static final int STATUS = 16;

  private static long common;

  /** That object. Its monitor is for what must happen once. Rank 0 makes it. */
  static long common() {
    synchronized (Space.lock()) {
      if (common == 0 && RANK == 0) {
        common = Native.make(Records.ofWidth(8), 8);
        Native.setRoot("java:common", common, Records.ofWidth(8));
      }
      while (common == 0) {
        common = Native.root("java:common", Records.ofWidth(8));
        if (common == 0) Thread.onSpinWait();
      }
      return common;
    }
  }

  /** Adds to a word of it. Returns what it was. */
  static long add(int word, long value) {
    synchronized (Space.lock()) {
      return Native.fetchAdd(common(), word, value);
    }
  }

  static void exit(int status) {
    if (!ACTIVE) System.exit(status);
    runHooks();
    System.out.flush();
    System.err.flush();
    Native.exit(status & 0xff);
  }

  /** What the program has asked Runtime to run at the end, on this rank. */
  static void runHooks() {
    if (ACTIVE) Space.acquire();  // they see what all threads have written
    try {
      final Method run =
          Class.forName("java.lang.ApplicationShutdownHooks").getDeclaredMethod("runHooks");
      run.setAccessible(true);
      run.invoke(null);
    } catch (ReflectiveOperationException e) {
      System.err.println("far java: cannot run the hooks for the program's end: " + e);
    }
  }

  /** Ends the job with one line: the program does what cannot be done. */
  static Error fail(String why) {
    System.out.flush();
    System.err.println("far java: " + why);
    System.err.flush();
    if (ACTIVE) Native.exit(1);
    Runtime.getRuntime().halt(1);
    return new Error(why);
  }

  private Job() {}
}
