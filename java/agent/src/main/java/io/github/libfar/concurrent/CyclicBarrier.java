package io.github.libfar.concurrent;

import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** java.util.concurrent.CyclicBarrier, over ranks: by the monitor of this object. */
public class CyclicBarrier {
  /** One use of the barrier. */
  private static final class Round {
    private boolean complete;
    private boolean broken;
  }

  private final int parties;
  private final Runnable action;
  private Round round = new Round();
  private int waiting;

  public CyclicBarrier(int parties) {
    this(parties, null);
  }

  public CyclicBarrier(int parties, Runnable action) {
    if (parties <= 0) throw new IllegalArgumentException();
    this.parties = parties;
    this.action = action;
  }

  public int await() throws InterruptedException, BrokenBarrierException {
    try {
      return await(null);
    } catch (TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }

  public int await(long time, TimeUnit unit)
      throws InterruptedException, BrokenBarrierException, TimeoutException {
    return await(new Deadline(time, unit));
  }

  private synchronized int await(Deadline deadline)
      throws InterruptedException, BrokenBarrierException, TimeoutException {
    final Round mine = round;
    if (mine.broken) throw new BrokenBarrierException();
    if (Thread.interrupted()) {
      breakRound();
      throw new InterruptedException();
    }
    final int index = parties - ++waiting;
    if (index == 0) {
      complete(mine);
      return 0;
    }
    while (!mine.complete && !mine.broken) {
      try {
        if (deadline == null) {
          wait();
        } else if (!deadline.await(this)) {
          breakRound();
          throw new TimeoutException();
        }
      } catch (InterruptedException e) {
        if (!mine.complete && !mine.broken) {
          breakRound();
          throw e;
        }
        Thread.currentThread().interrupt();
      }
    }
    if (mine.broken) throw new BrokenBarrierException();
    return index;
  }

  private void complete(Round mine) {
    boolean good = false;
    try {
      if (action != null) action.run();
      good = true;
    } finally {
      if (!good) breakRound();
    }
    mine.complete = true;
    begin();
  }

  private void begin() {
    round = new Round();
    waiting = 0;
    notifyAll();
  }

  private void breakRound() {
    round.broken = true;
    waiting = 0;
    notifyAll();
  }

  public int getParties() {
    return parties;
  }

  public synchronized int getNumberWaiting() {
    return waiting;
  }

  public synchronized boolean isBroken() {
    return round.broken;
  }

  public synchronized void reset() {
    breakRound();
    begin();
  }
}
