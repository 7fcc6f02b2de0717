package io.github.libfar.programs;

import java.lang.Thread.State;
import java.util.concurrent.locks.LockSupport;

/** What threads are doing, as another one sees it. */
public final class Threads3 {
  private static final Object LOCK = new Object();
  private static volatile boolean ends;

  private interface Body {
    void run() throws InterruptedException;
  }

  private static void show(String name, State state, Body body, Body end) throws Exception {
    final Thread t = new Thread(() -> {
      try {
        body.run();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    });
    System.out.println(name + ": " + t.getState());
    t.start();
    while (t.getState() != state) Thread.yield();
    System.out.println(name + ": " + state);
    end.run();
    t.interrupt();
    t.join();
    System.out.println(name + ": " + t.getState());
  }

  private static void enter() {
    synchronized (LOCK) {
      LOCK.notifyAll();
    }
  }

  public static void main(String[] args) throws Exception {
    for (int rank = 0; rank < 2; rank++) {
      ends = false;
      show("waits", State.WAITING, () -> {
        synchronized (LOCK) {
          LOCK.wait();
        }
      }, Threads3::enter);
      show("waits a while", State.TIMED_WAITING, () -> {
        synchronized (LOCK) {
          LOCK.wait(1_000_000);
        }
      }, () -> { });
      show("sleeps", State.TIMED_WAITING, () -> Thread.sleep(1_000_000), () -> { });
      show("is parked", State.WAITING, LockSupport::park, () -> { });
      final Thread main = Thread.currentThread();
      show("joins", State.WAITING, main::join, () -> { });
      show("runs", State.RUNNABLE, () -> {
        while (!ends) Thread.onSpinWait();
      }, () -> ends = true);
      synchronized (LOCK) {
        show("is locked out", State.BLOCKED, Threads3::enter, LOCK::wait);
      }
    }
  }
}
