package io.github.libfar.shared;

import java.lang.ref.Reference;

/**
 * Collections of shared objects that nobody can reach any more. A rank keeps those of which it has
 * a Java object, so each JVM's collector comes first: what it frees, the rank gives up. Then all
 * ranks stop, and libfar's collector frees what nothing keeps any more.
 *
 * <p>Rank 0 conducts one collection at a time: it tells all ranks to FORGET, and when all have, to
 * STOP; a rank that has stopped holds Space's lock, with which everything is done that could use an
 * object, until RESUME. So libfar's collector never waits for a thread that holds that lock.
 */
final class Collector {
  private static final int WANTED = 0;
  private static final int FORGET = 1;
  private static final int STOP = 2;
  private static final int ANSWER = 3;
  private static final int RESUME = 4;
  private static final int DONE = 5;

  /** The least that a rank makes before it wants a collection, if it has memory for four times. */
  private static final long SOON = 1L << 28;

  private static final Object SIGNAL = new Object();

  // Under Space's lock.
  private static final long[] DROPPED = new long[256];
  private static int dropped;
  private static boolean asked;
  private static int count;
  /** What this rank may make until it wants a collection, and until its threads wait for one. */
  private static long wants;
  private static long most;

  // Under SIGNAL.
  private static int answers;
  private static boolean stopped;
  private static volatile boolean isFull;
  /** At rank 0, of the thread that takes messages: a collection is under way. */
  private static boolean running;
  /** Another one is wanted since the ranks went on. */
  private static boolean again;

  static {
    if (Job.ACTIVE) setLimits();
  }

  /** As much as is in use, so that collections take a bounded part of the time. */
  private static void setLimits() {
    final long used = Native.used();
    final long room = Native.heapBytes() - used;
    wants = Math.min(Math.max(SOON, used), room / 4);
    most = 2 * wants;
  }

  // ---- what ranks keep

  /** Under Space's lock: this rank keeps a place once less. */
  static void drop(long place) {
    DROPPED[dropped++] = place;
    if (dropped == DROPPED.length) releaseDropped();
  }

  private static void releaseDropped() {
    Native.release(DROPPED, dropped);
    dropped = 0;
  }

  // ---- when

  /** Under Space's lock: so much has been made since the last collection. */
  static void lookAt(long made) {
    if (made < wants) return;
    if (made >= most) isFull = true;
    if (asked) return;
    asked = true;
    Messages.work(() -> Messages.postAtOnce(0, Messages.COLLECT, WANTED, 0));
  }

  /** Of a thread that is about to publish, without Space's lock. */
  static void awaitRoom() {
    if (!isFull) return;
    boolean interrupted = false;
    synchronized (SIGNAL) {
      while (isFull) interrupted |= !await();
    }
    if (interrupted) Thread.currentThread().interrupt();
  }

  /** False if the thread has been interrupted. */
  private static boolean await() {
    try {
      SIGNAL.wait();
      return true;
    } catch (InterruptedException e) {
      return false;
    }
  }

  // ---- steps, as the thread that takes messages learns of them

  static boolean isRunning() {
    return running;
  }

  static void take(int step, boolean jobEnds) {
    switch (step) {
      case WANTED -> {
        again = true;
        startAgain(jobEnds);
      }
      case FORGET -> Messages.work(() -> {
        forget();
        Messages.postAtOnce(0, Messages.COLLECT, ANSWER, 0);
      });
      case STOP -> Messages.work(Collector::stop);
      case ANSWER -> {
        synchronized (SIGNAL) {
          answers++;
          SIGNAL.notifyAll();
        }
      }
      case RESUME -> {
        again = false;
        synchronized (SIGNAL) {
          stopped = false;
          SIGNAL.notifyAll();
        }
      }
      case DONE -> {
        running = false;
        startAgain(jobEnds);
      }
      default -> throw Job.fail("an unknown step of a collection, " + step);
    }
  }

  private static void startAgain(boolean jobEnds) {
    if (running || jobEnds || !again) return;
    again = false;
    running = true;
    Messages.work(Collector::conduct);
  }

  /** Gives up what the JVM's own collector finds to be unreachable. */
  private static void forget() {
    do {
      System.gc();
      forgetCollected();
    } while (haveTextsGone());
    synchronized (Space.lock()) {
      releaseDropped();
    }
  }

  private static void forgetCollected() {
    try {
      for (Reference<?> r = next(); r != null; r = next()) {
        synchronized (Space.lock()) {
          Space.forget(r);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** What only they have kept is gone after the next collection. */
  private static boolean haveTextsGone() {
    synchronized (Space.lock()) {
      return Texts.forgetCollected();
    }
  }

  /** The JVM hands over references a while after the collection. */
  private static Reference<?> next() throws InterruptedException {
    return Space.COLLECTED.remove(10);
  }

  private static void stop() {
    synchronized (SIGNAL) {
      stopped = true;
    }
    synchronized (Space.lock()) {
      Native.park();
      Messages.postAtOnce(0, Messages.COLLECT, ANSWER, 0);
      synchronized (SIGNAL) {
        while (stopped) await();
      }
      Native.unpark();
      goOn();
    }
  }

  private static void goOn() {
    count++;
    asked = false;
    setLimits();
    synchronized (SIGNAL) {
      isFull = false;
      SIGNAL.notifyAll();
    }
  }

  /** How many there have been. */
  static int count() {
    return count;
  }

  private static void conduct() {
    tellOthers(FORGET);
    forget();
    awaitAnswers();
    tellOthers(STOP);
    awaitAnswers();
    synchronized (Space.lock()) {
      Native.collect();
      goOn();
    }
    Messages.postAtOnce(0, Messages.COLLECT, RESUME, 0);  // first: what is wanted later is kept
    tellOthers(RESUME);
    Messages.postAtOnce(0, Messages.COLLECT, DONE, 0);
  }

  private static void tellOthers(int step) {
    for (int rank = 1; rank < Job.RANKS; rank++) {
      Messages.postAtOnce(rank, Messages.COLLECT, step, 0);
    }
  }

  private static void awaitAnswers() {
    synchronized (SIGNAL) {
      while (answers < Job.RANKS - 1) await();
      answers = 0;
    }
  }

  private Collector() {}
}
