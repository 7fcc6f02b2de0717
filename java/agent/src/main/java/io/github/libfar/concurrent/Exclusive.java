package io.github.libfar.concurrent;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.concurrent.TimeUnit;

/**
 * What one thread holds at a time, by the monitor of this object: a lock that can be waited in. The
 * methods named "in the monitor" are called there.
 */
abstract class Exclusive {
  private final boolean fair;
  private Thread owner;
  private int holds;
  /** Threads that wait to acquire, the first one first. */
  private final ArrayDeque<Thread> queue = new ArrayDeque<>();

  Exclusive(boolean fair) {
    this.fair = fair;
  }

  /** In the monitor: whether others than the owner keep the thread out. */
  boolean isBarred(Thread t) {
    return false;
  }

  /** In the monitor, when the owner has gone. */
  final void changed() {
    notifyAll();
  }

  /** In the monitor: takes it unless somebody else has it, or has waited longer for a fair one. */
  private boolean take(Thread me, int times, boolean barging) {
    if (owner == me) {
      holds += times;
      return true;
    }
    if (owner != null || isBarred(me)) return false;
    if (!barging && fair && !queue.isEmpty() && queue.peekFirst() != me) return false;
    owner = me;
    holds = times;
    return true;
  }

  final synchronized boolean tryTake() {
    return take(Thread.currentThread(), 1, true);
  }

  /** Takes it, or throws if the thread is interrupted first. */
  final synchronized void takeInterruptibly() throws InterruptedException {
    take(1, true, null);
  }

  final synchronized boolean take(long time, TimeUnit unit) throws InterruptedException {
    return take(1, true, new Deadline(time, unit));
  }

  final synchronized void takeUninterruptibly() {
    retake(1);
  }

  private void retake(int times) {
    try {
      take(times, false, null);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private boolean take(int times, boolean interruptible, Deadline deadline)
      throws InterruptedException {
    final Thread me = Thread.currentThread();
    if (interruptible && Thread.interrupted()) throw new InterruptedException();
    if (take(me, times, false)) return true;
    boolean interrupted = false;
    if (!queue.contains(me)) queue.addLast(me);  // who signals a condition has done so
    try {
      while (!take(me, times, false)) {
        try {
          if (deadline == null) {
            wait();
          } else if (!deadline.await(this)) {
            return false;
          }
        } catch (InterruptedException e) {
          if (interruptible) throw e;
          interrupted = true;
        }
      }
      return true;
    } finally {
      queue.remove(me);
      if (fair || isBarred(me)) notifyAll();  // somebody else may be the first one now
      if (interrupted) me.interrupt();
    }
  }

  final synchronized void release() {
    checkHeld();
    if (--holds > 0) return;
    owner = null;
    changed();
  }

  final void checkHeld() {
    if (owner != Thread.currentThread()) throw new IllegalMonitorStateException();
  }

  final boolean isFairOne() {
    return fair;
  }

  final synchronized Thread owner() {
    return owner;
  }

  /** How often its owner holds it. */
  final synchronized int heldTimes() {
    return holds;
  }

  final synchronized int holds() {
    return owner == Thread.currentThread() ? holds : 0;
  }

  final synchronized int queued() {
    return queue.size();
  }

  final synchronized boolean isQueued(Thread t) {
    if (t == null) throw new NullPointerException();
    return queue.contains(t);
  }

  final synchronized Collection<Thread> queuedThreads() {
    return new java.util.ArrayList<>(queue);
  }

  /** Of a condition: gives it back however often it is held, in the monitor. Returns how often. */
  final int releaseAll() {
    checkHeld();
    final int times = holds;
    holds = 0;
    owner = null;
    changed();
    return times;
  }

  /** Of a condition, in the monitor: its thread is to take it again. */
  final void enqueue(Thread t) {
    queue.addLast(t);
  }

  /** Of a condition: takes it again, in the monitor. */
  final void takeAgain(int times) {
    retake(times);
    queue.remove(Thread.currentThread());
  }
}
