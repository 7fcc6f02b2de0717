package io.github.libfar.concurrent;

import java.util.concurrent.BrokenBarrierException;

/** java.util.concurrent.CyclicBarrier, over ranks. */
public class CyclicBarrier {
  private final int parties;
  private final Runnable action;
  private int waiting;
  private int phase;
  private boolean broken;

  public CyclicBarrier(int parties) {
    this(parties, null);
  }

  public CyclicBarrier(int parties, Runnable action) {
    if (parties <= 0) throw new IllegalArgumentException();
    this.parties = parties;
    this.action = action;
  }

  public synchronized int await() throws InterruptedException, BrokenBarrierException {
    if (broken) throw new BrokenBarrierException();
    final int mine = phase;
    final int index = parties - ++waiting;
    if (index == 0) {
      if (action != null) action.run();
      waiting = 0;
      phase++;
      notifyAll();
      return 0;
    }
    while (phase == mine && !broken) {
      try {
        wait();
      } catch (InterruptedException e) {
        broken = true;
        notifyAll();
        throw e;
      }
    }
    if (phase == mine) throw new BrokenBarrierException();
    return index;
  }

  public int getParties() {
    return parties;
  }

  public synchronized int getNumberWaiting() {
    return waiting;
  }

  public synchronized boolean isBroken() {
    return broken;
  }

  public synchronized void reset() {
    waiting = 0;
    phase++;
    broken = false;
    notifyAll();
  }
}
