package io.github.libfar.concurrent;

import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/** java.util.concurrent.locks.ReentrantLock, over ranks: by the monitor of this object. */
public class ReentrantLock extends Exclusive implements Lock {
  public ReentrantLock() {
    this(false);
  }

  public ReentrantLock(boolean fair) {
    super(fair);
  }

  @Override
  public void lock() {
    takeUninterruptibly();
  }

  @Override
  public void lockInterruptibly() throws InterruptedException {
    takeInterruptibly();
  }

  @Override
  public boolean tryLock() {
    return tryTake();
  }

  @Override
  public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
    return take(time, unit);
  }

  @Override
  public void unlock() {
    release();
  }

  @Override
  public Condition newCondition() {
    return new LockCondition(this);
  }

  public boolean isLocked() {
    return owner() != null;
  }

  public boolean isHeldByCurrentThread() {
    return owner() == Thread.currentThread();
  }

  public int getHoldCount() {
    return holds();
  }

  public final boolean isFair() {
    return isFairOne();
  }

  protected Thread getOwner() {
    return owner();
  }

  public final boolean hasQueuedThreads() {
    return queued() > 0;
  }

  public final boolean hasQueuedThread(Thread t) {
    return isQueued(t);
  }

  public final int getQueueLength() {
    return queued();
  }

  protected Collection<Thread> getQueuedThreads() {
    return queuedThreads();
  }

  public boolean hasWaiters(Condition condition) {
    return getWaitQueueLength(condition) > 0;
  }

  public int getWaitQueueLength(Condition condition) {
    return getWaitingThreads(condition).size();
  }

  protected Collection<Thread> getWaitingThreads(Condition condition) {
    return LockCondition.of(this, condition).waiting();
  }

  @Override
  public String toString() {
    final Thread held = owner();
    return getClass().getName() + "@" + Integer.toHexString(hashCode())
        + (held == null ? "[Unlocked]" : "[Locked by thread " + held.getName() + "]");
  }
}
