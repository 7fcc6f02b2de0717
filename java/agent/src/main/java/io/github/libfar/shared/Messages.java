package io.github.libfar.shared;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** What ranks tell each other. Each rank's main thread takes its messages. */
final class Messages {
  static final int END = 0;
  static final int WAKE = 1;
  static final int START = 2;
  static final int INTERRUPT = 3;

  private static final ExecutorService WORKERS = Executors.newCachedThreadPool(task -> {
    final Thread t = new Thread(task, "far messages");
    t.setDaemon(true);
    return t;
  });

  static void post(int rank, int kind, long a, long b) {
    Native.post(Contexts.take(), rank, kind, a, b);
    Contexts.giveBack();
  }

  /** Until the job ends. */
  static void serve() {
    final int thread = Contexts.take();
    final long[] message = new long[3];
    Space.outside(true);
    for (;;) {
      Native.take(thread, message);
      final long a = message[1];
      final long b = message[2];
      switch ((int) message[0]) {
        case END -> {
          return;
        }
        case WAKE -> WORKERS.execute(() -> Monitors.wake(a, (int) b));
        case START -> Threads.startHere(a);
        case INTERRUPT -> WORKERS.execute(() -> Threads.interruptHere(a));
        default -> throw Job.fail("a message of an unknown kind, " + message[0]);
      }
    }
  }

  private Messages() {}
}
