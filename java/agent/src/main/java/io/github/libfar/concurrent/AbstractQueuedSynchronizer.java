package io.github.libfar.concurrent;

import java.util.Collection;

/** java.util.concurrent.locks.AbstractQueuedSynchronizer, over ranks. */
public abstract class AbstractQueuedSynchronizer extends QueuedSynchronizer {
  private final AtomicInteger state = new AtomicInteger();

  protected AbstractQueuedSynchronizer() {}

  protected final int getState() {
    return state.get();
  }

  protected final void setState(int to) {
    state.set(to);
  }

  protected final boolean compareAndSetState(int expected, int to) {
    return state.compareAndSet(expected, to);
  }

  protected boolean tryAcquire(int n) {
    throw new UnsupportedOperationException();
  }

  protected boolean tryRelease(int n) {
    throw new UnsupportedOperationException();
  }

  protected int tryAcquireShared(int n) {
    throw new UnsupportedOperationException();
  }

  protected boolean tryReleaseShared(int n) {
    throw new UnsupportedOperationException();
  }

  protected boolean isHeldExclusively() {
    throw new UnsupportedOperationException();
  }

  @Override
  final boolean attempt(long n, boolean shared) {
    return shared ? tryAcquireShared((int) n) >= 0 : tryAcquire((int) n);
  }

  @Override
  final long currentState() {
    return getState();
  }

  @Override
  final boolean releaseState(long n) {
    return release((int) n);
  }

  @Override
  final boolean isOwned() {
    return isHeldExclusively();
  }

  public final void acquire(int n) {
    acquireUninterruptibly(n, false);
  }

  public final void acquireInterruptibly(int n) throws InterruptedException {
    acquireInterruptibly(n, false);
  }

  public final boolean tryAcquireNanos(int n, long nanos) throws InterruptedException {
    return acquireUntil(n, false, nanos);
  }

  public final void acquireShared(int n) {
    acquireUninterruptibly(n, true);
  }

  public final void acquireSharedInterruptibly(int n) throws InterruptedException {
    acquireInterruptibly(n, true);
  }

  public final boolean tryAcquireSharedNanos(int n, long nanos) throws InterruptedException {
    return acquireUntil(n, true, nanos);
  }

  public final boolean release(int n) {
    return tryRelease(n) && wake();
  }

  public final boolean releaseShared(int n) {
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
      super(AbstractQueuedSynchronizer.this);
    }
  }
}
