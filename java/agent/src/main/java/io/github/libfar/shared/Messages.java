package io.github.libfar.shared;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** What ranks tell each other. Each rank's main thread takes its messages. */
final class Messages {
  static final int END = 0;
  static final int WAKE = 1;
  static final int START = 2;
  static final int INTERRUPT = 3;
  static final int STARTED = 4;
  static final int COLLECT = 5;
  static final int STATE_ASKED = 6;
  static final int STATE_TOLD = 7;
  static final int ASKED = 8;

  private static final ExecutorService WORKERS = Executors.newCachedThreadPool(task -> {
    final Thread t = new Thread(task, "far messages");
    t.setDaemon(true);
    return t;
  });

  /** Runs what may wait while other messages are taken. No release waits for its thread after. */
  static void work(Runnable task) {
    WORKERS.execute(() -> {
      Space.outside(false);
      try {
        task.run();
      } finally {
        Space.outside(true);
      }
    });
  }

  static void post(int rank, int kind, long a, long b) {
    Native.post(Contexts.take(), rank, kind, a, b);
    Contexts.giveBack();
  }

  /** For what must go on while all of the program's threads wait. */
  static void postAtOnce(int rank, int kind, long a, long b) {
    synchronized (WORKERS) {
      Native.post(Contexts.SYSTEM, rank, kind, a, b);
    }
  }

  /** No thread is left but daemons. Rank 0 ends the others, but no collection in the middle. */
  static void end() {
    post(0, END, 0, 0);
  }

  /** Until the job ends. */
  static void serve() {
    final int thread = Contexts.take();
    final long[] message = new long[3];
    boolean ends = false;
    Space.outside(true);
    while (!ends || Collector.isRunning()) {
      Native.take(thread, message);
      final long a = message[1];
      final long b = message[2];
      switch ((int) message[0]) {
        case END -> ends = true;
        case WAKE -> Monitors.notified(a, b);
        case START -> Threads.startHere(a, b);
        case STARTED -> Threads.hasStarted(a);
        case COLLECT -> {
          work(Alone::leaveAll);  // what nobody needs is kept for one collection more, at most
          Collector.take((int) a, ends);
        }
        case ASKED -> work(() -> Alone.asked(a));
        case STATE_ASKED -> work(() -> ThreadStates.answer(a, b));
        case STATE_TOLD -> ThreadStates.told(a, b);
        case INTERRUPT -> work(() -> Threads.interruptHere(a));
        default -> throw Job.fail("a message of an unknown kind, " + message[0]);
      }
    }
    for (int rank = 1; Job.RANK == 0 && rank < Job.RANKS; rank++) post(rank, END, 0, 0);
  }

  private Messages() {}
}
