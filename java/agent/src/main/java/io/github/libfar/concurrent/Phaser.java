package io.github.libfar.concurrent;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * java.util.concurrent.Phaser, over ranks: by the monitor of this object. One with a parent is a
 * party of it, as long as it has parties of its own.
 */
public class Phaser {
  private static final int MAX_PARTIES = 0xffff;

  private final Phaser parent;
  private int phase;
  private int parties;
  private int unarrived;
  private boolean terminated;

  public Phaser() {
    this(null, 0);
  }

  public Phaser(int parties) {
    this(null, parties);
  }

  public Phaser(Phaser parent) {
    this(parent, 0);
  }

  public Phaser(Phaser parent, int parties) {
    if (parties < 0 || parties > MAX_PARTIES) {
      throw new IllegalArgumentException("Illegal number of parties");
    }
    this.parent = parent;
    if (parent != null) phase = parent.getPhase();
    if (parties > 0) bulkRegister(parties);
  }

  public int register() {
    return bulkRegister(1);
  }

  public synchronized int bulkRegister(int n) {
    if (n < 0) throw new IllegalArgumentException();
    if (n > MAX_PARTIES - parties) {
      throw new IllegalStateException("Attempt to register more than 65535 parties");
    }
    if (n == 0 || isOver()) return number();
    if (parties == 0 && parent != null) phase = parent.register();
    parties += n;
    unarrived += n;
    return number();
  }

  private boolean isOver() {
    return terminated || parent != null && parent.isTerminated();
  }

  /** The phase; negative: it has been terminated. */
  private int number() {
    if (parent != null && parent.isTerminated()) return parent.getPhase();
    return isOver() ? phase | Integer.MIN_VALUE : phase;
  }

  public int arrive() {
    return arrive(0);
  }

  public int arriveAndDeregister() {
    return arrive(1);
  }

  private synchronized int arrive(int leaving) {
    if (isOver()) return number();
    if (unarrived <= 0) {
      throw new IllegalStateException(
          "Attempted arrival of unregistered party for " + this);
    }
    final int mine = phase;
    parties -= leaving;
    if (--unarrived == 0) allArrived(leaving);
    return mine;
  }

  /** The last one has arrived. */
  private void allArrived(int leaving) {
    if (parent == null) {
      advance(onAdvance(phase, parties));
      return;
    }
    final int above = parties == 0 && leaving > 0 ? parent.arriveAndDeregister() : parent.arrive();
    if (parent.getPhase() != above) follow();
  }

  private void advance(boolean ends) {
    phase = phase + 1 & Integer.MAX_VALUE;
    unarrived = parties;
    if (ends) terminated = true;
    notifyAll();
  }

  /** In the monitor: does what the parent has done. */
  private void follow() {
    if (parent == null || unarrived > 0 || isOver()) return;
    final int above = parent.getPhase();
    if (above < 0 || above == phase) return;
    phase = above;
    unarrived = parties;
    notifyAll();
  }

  public int arriveAndAwaitAdvance() {
    final int mine = arrive();
    return mine < 0 ? mine : awaitAdvance(mine);
  }

  public int awaitAdvance(int of) {
    boolean interrupted = false;
    try {
      for (;;) {
        try {
          return await(of, null);
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (TimeoutException e) {
          throw new IllegalStateException(e);
        }
      }
    } finally {
      if (interrupted) Thread.currentThread().interrupt();
    }
  }

  public int awaitAdvanceInterruptibly(int of) throws InterruptedException {
    try {
      return await(of, null);
    } catch (TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }

  public int awaitAdvanceInterruptibly(int of, long time, TimeUnit unit)
      throws InterruptedException, TimeoutException {
    return await(of, new Deadline(time, unit));
  }

  private int await(int of, Deadline deadline) throws InterruptedException, TimeoutException {
    if (of < 0) return of;
    if (parent != null) return awaitParent(of, deadline);
    synchronized (this) {
      while (phase == of && !terminated) {
        if (deadline == null) {
          wait();
        } else if (!deadline.await(this)) {
          throw new TimeoutException();
        }
      }
      return number();
    }
  }

  private int awaitParent(int of, Deadline deadline)
      throws InterruptedException, TimeoutException {
    synchronized (this) {
      follow();
      if (phase != of || isOver()) return number();
    }
    parent.await(of, deadline);
    synchronized (this) {
      follow();
      return number();
    }
  }

  public void forceTermination() {
    if (parent != null) {
      parent.forceTermination();
      return;
    }
    synchronized (this) {
      terminated = true;
      notifyAll();
    }
  }

  public final synchronized int getPhase() {
    follow();
    return number();
  }

  public synchronized int getRegisteredParties() {
    return parties;
  }

  public synchronized int getArrivedParties() {
    follow();
    return parties - unarrived;
  }

  public synchronized int getUnarrivedParties() {
    follow();
    return unarrived;
  }

  public Phaser getParent() {
    return parent;
  }

  public Phaser getRoot() {
    return parent == null ? this : parent.getRoot();
  }

  public synchronized boolean isTerminated() {
    return isOver();
  }

  /** Called by the last to arrive. Returns whether this phase was the last one. */
  protected boolean onAdvance(int ended, int registered) {
    return registered == 0;
  }

  @Override
  public String toString() {
    return "java.util.concurrent.Phaser@" + Integer.toHexString(hashCode()) + "[phase = "
        + getPhase() + " parties = " + getRegisteredParties() + " arrived = "
        + getArrivedParties() + "]";
  }
}
