package io.github.libfar.shared;

import java.lang.Thread.State;
import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.HashMap;
import java.util.Map;

/**
 * What threads that are alive are doing. The rank that runs one knows; others ask it, and wait for
 * the answer: a message each way.
 */
final class ThreadStates {
  private static final State[] STATES = State.values();

  // Of this rank's questions.
  private static final Map<Integer, State> ANSWERS = new HashMap<>();
  private static int asked;

  /** Of a thread that this rank runs, or is about to. */
  static State ofCarried(SharedThread s) {
    final Thread carrier = s.far$carrier;
    if (carrier == null) return State.RUNNABLE;
    if (Contexts.entersMonitor(s)) return State.BLOCKED;
    final State state = carrier.getState();
    return state == State.BLOCKED && isInRunTime(carrier) ? State.RUNNABLE : state;
  }

  /** Whether it only waits for the run time's lock, which is held for a moment. */
  private static boolean isInRunTime(Thread carrier) {
    final ThreadInfo info = ManagementFactory.getThreadMXBean().getThreadInfo(carrier.getId());
    final LockInfo lock = info == null ? null : info.getLockInfo();
    return lock == null || lock.getIdentityHashCode() == System.identityHashCode(Space.lock());
  }

  /** Of a thread that another rank runs. */
  static State ask(SharedThread s) {
    final int question;
    synchronized (ANSWERS) {
      question = ++asked;
    }
    Messages.post(s.rank, Messages.STATE_ASKED, s.far$mirror.place,
        (long) Job.RANK << 32 | question & 0xffffffffL);
    Space.outside(true);
    try {
      return await(question);
    } finally {
      Space.outside(false);
    }
  }

  private static State await(int question) {
    boolean interrupted = false;
    try {
      synchronized (ANSWERS) {
        while (!ANSWERS.containsKey(question)) {
          try {
            ANSWERS.wait();
          } catch (InterruptedException e) {
            interrupted = true;
          }
        }
        return ANSWERS.remove(question);
      }
    } finally {
      if (interrupted) Thread.currentThread().interrupt();
    }
  }

  /** A rank asks: {rank : 32, its question : 32}. */
  static void answer(long place, long asker) {
    final Shared known;
    synchronized (Space.lock()) {
      known = Space.known(place);
    }
    // What is not known is about to begin, or has just ended.
    final State state = known instanceof SharedThread s ? ofCarried(s) : State.RUNNABLE;
    Messages.post((int) (asker >>> 32), Messages.STATE_TOLD, (int) asker, state.ordinal());
  }

  static void told(long question, long state) {
    synchronized (ANSWERS) {
      ANSWERS.put((int) question, STATES[(int) state]);
      ANSWERS.notifyAll();
    }
  }

  private ThreadStates() {}
}
