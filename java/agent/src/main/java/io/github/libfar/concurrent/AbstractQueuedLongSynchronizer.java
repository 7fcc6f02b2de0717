package io.github.libfar.concurrent;

import java.util.Collection;

/** java.util.concurrent.locks.AbstractQueuedLongSynchronizer, over ranks. */
public abstract class AbstractQueuedLongSynchronizer extends QueuedSynchronizer {
  private final AtomicLong state = new AtomicLong();

  protected AbstractQueuedLongSynchronizer() {}

  protected final long getState() {
    return state.get();
  }

  protected final void setState(long to) {
    state.set(to);
  }

  protected final boolean compareAndSetState(long expected, long to) {
    return state.compareAndSet(expected, to);
  }

  protected boolean tryAcquire(long n) {
    throw new UnsupportedOperationException();
  }

  protected boolean tryRelease(long n) {
    throw new UnsupportedOperationException();
  }

  protected long tryAcquireShared(long n) {
    throw new UnsupportedOperationException();
  }

  protected boolean tryReleaseShared(long n) {
    throw new UnsupportedOperationException();
  }

  protected boolean isHeldExclusively() {
    throw new UnsupportedOperationException();
  }

  @Override
  final boolean attempt(long n, boolean shared) {
    return shared ? tryAcquireShared(n) >= 0 : tryAcquire(n);
  }

  @Override
  final long currentState() {
    return getState();
  }

  @Override
  final boolean releaseState(long n) {
    return release(n);
  }

  @Override
  final boolean isOwned() {
    return isHeldExclusively();
  }

  public final void acquire(long n) {
    acquireUninterruptibly(n, false);
  }

  public final void acquireInterruptibly(long n) throws InterruptedException {
    acquireInterruptibly(n, false);
  }

  public final boolean tryAcquireNanos(long n, long nanos) throws InterruptedException {
    return acquireUntil(n, false, nanos);
  }

  public final void acquireShared(long n) {
    acquireUninterruptibly(n, true);
  }

  public final void acquireSharedInterruptibly(long n) throws InterruptedException {
    acquireInterruptibly(n, true);
  }

  public final boolean tryAcquireSharedNanos(long n, long nanos) throws InterruptedException {
    return acquireUntil(n, true, nanos);
  }

  public final boolean release(long n) {
    return tryRelease(n) && wake();
  }

  public final boolean releaseShared(long n) {
    return tryReleaseShared(n) && wake();
  }

  public final boolean owns(ConditionObject condition) {
    return condition.of == this;
  }

  public final boolean hasWaiters(ConditionObject condition) {
    return checked(condition).hasWaiters();
  }

  public final int getWaitQueueLength(ConditionObject condition) {
    return checked(condition).getWaitQueueLength();
  }

  public final Collection<Thread> getWaitingThreads(ConditionObject condition) {
    return checked(condition).getWaitingThreads();
  }

  /** A condition of it. */
  public class ConditionObject extends QueuedCondition {
    public ConditionObject() {
      super(AbstractQueuedLongSynchronizer.this);
    }
  }
}
