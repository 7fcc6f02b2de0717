package io.github.libfar.concurrent;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

/**
 * java.util.concurrent.locks.AbstractQueuedSynchronizer, over ranks. Threads that wait do so in the
 * monitor of this object, where they try again whenever something has been released.
 */
public abstract class AbstractQueuedSynchronizer extends AbstractOwnableSynchronizer {
  private final AtomicInteger state = new AtomicInteger();
  private final ArrayDeque<Thread> queue = new ArrayDeque<>();
  /** Those in the queue that would share it. */
  private final ArrayDeque<Thread> sharing = new ArrayDeque<>();
  private volatile boolean contended;

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

  private boolean attempt(int n, boolean shared) {
    return shared ? tryAcquireShared(n) >= 0 : tryAcquire(n);
  }

  private boolean acquire(int n, boolean shared, boolean interruptible, Deadline deadline)
      throws InterruptedException {
    if (interruptible && Thread.interrupted()) throw new InterruptedException();
    return attempt(n, shared) || enqueued(n, shared, interruptible, deadline);
  }

  private boolean enqueued(int n, boolean shared, boolean interruptible, Deadline deadline)
      throws InterruptedException {
    final Thread me = Thread.currentThread();
    boolean interrupted = false;
    synchronized (this) {
      if (!queue.contains(me)) queue.addLast(me);  // who signals a condition has done so
      if (shared) sharing.addLast(me);
      contended = true;
      try {
        while (!attempt(n, shared)) {
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
        sharing.remove(me);
        notifyAll();  // others may be the first now, or share it
        if (interrupted) me.interrupt();
      }
    }
  }

  private void acquireUninterruptibly(int n, boolean shared) {
    try {
      acquire(n, shared, false, null);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public final void acquire(int n) {
    acquireUninterruptibly(n, false);
  }

  public final void acquireInterruptibly(int n) throws InterruptedException {
    acquire(n, false, true, null);
  }

  public final boolean tryAcquireNanos(int n, long nanos) throws InterruptedException {
    return acquire(n, false, true, new Deadline(nanos));
  }

  public final void acquireShared(int n) {
    acquireUninterruptibly(n, true);
  }

  public final void acquireSharedInterruptibly(int n) throws InterruptedException {
    acquire(n, true, true, null);
  }

  public final boolean tryAcquireSharedNanos(int n, long nanos) throws InterruptedException {
    return acquire(n, true, true, new Deadline(nanos));
  }

  public final boolean release(int n) {
    return tryRelease(n) && wake();
  }

  public final boolean releaseShared(int n) {
    return tryReleaseShared(n) && wake();
  }

  private synchronized boolean wake() {
    notifyAll();
    return true;
  }

  public final synchronized boolean hasQueuedThreads() {
    return !queue.isEmpty();
  }

  public final boolean hasContended() {
    return contended;
  }

  public final synchronized Thread getFirstQueuedThread() {
    return queue.peekFirst();
  }

  @Override
  public String toString() {
    return super.toString() + "[State = " + getState() + ", "
        + (hasQueuedThreads() ? "non" : "") + "empty queue]";
  }

  public final synchronized boolean isQueued(Thread t) {
    if (t == null) throw new NullPointerException();
    return queue.contains(t);
  }

  public final synchronized boolean hasQueuedPredecessors() {
    return !queue.isEmpty() && queue.peekFirst() != Thread.currentThread();
  }

  public final synchronized int getQueueLength() {
    return queue.size();
  }

  public final synchronized Collection<Thread> getQueuedThreads() {
    return new ArrayList<>(queue);
  }

  public final synchronized Collection<Thread> getExclusiveQueuedThreads() {
    final Collection<Thread> threads = new ArrayList<>(queue);
    threads.removeAll(sharing);
    return threads;
  }

  public final synchronized Collection<Thread> getSharedQueuedThreads() {
    return new ArrayList<>(sharing);
  }

  public final boolean owns(ConditionObject condition) {
    return condition.isOf(this);
  }

  private ConditionObject checked(ConditionObject condition) {
    if (!owns(condition)) throw new IllegalArgumentException("Not owner");
    return condition;
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

  private static final class Waiter {
    private final Thread thread = Thread.currentThread();
    private boolean signalled;
  }

  /** A condition of it. */
  public class ConditionObject implements Condition {
    private final ArrayDeque<Waiter> waiters = new ArrayDeque<>();

    public ConditionObject() {}

    final boolean isOf(AbstractQueuedSynchronizer s) {
      return s == AbstractQueuedSynchronizer.this;
    }

    private void check() {
      if (!isHeldExclusively()) throw new IllegalMonitorStateException();
    }

    private boolean await(Deadline deadline, boolean interruptible) throws InterruptedException {
      if (interruptible && Thread.interrupted()) throw new InterruptedException();
      final Object monitor = AbstractQueuedSynchronizer.this;
      final Waiter me = new Waiter();
      final int saved = getState();
      InterruptedException interrupt = null;
      boolean interrupted = false;
      synchronized (monitor) {
        waiters.add(me);
        if (!release(saved)) {
          waiters.remove(me);
          throw new IllegalMonitorStateException();
        }
        while (!me.signalled && interrupt == null) {
          try {
            if (deadline == null) {
              monitor.wait();
            } else if (!deadline.await(monitor)) {
              break;
            }
          } catch (InterruptedException e) {
            if (interruptible) interrupt = e;
            interrupted = true;
          }
        }
        waiters.remove(me);
      }
      enqueued(saved, false, false, null);
      if (interrupt != null && !me.signalled) throw interrupt;
      if (interrupted) Thread.currentThread().interrupt();
      return me.signalled;
    }

    @Override
    public final void await() throws InterruptedException {
      await(null, true);
    }

    @Override
    public final void awaitUninterruptibly() {
      try {
        await(null, false);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public final long awaitNanos(long nanos) throws InterruptedException {
      final Deadline deadline = new Deadline(nanos);
      await(deadline, true);
      return deadline.left();
    }

    @Override
    public final boolean await(long time, TimeUnit unit) throws InterruptedException {
      return await(new Deadline(time, unit), true);
    }

    @Override
    public final boolean awaitUntil(Date deadline) throws InterruptedException {
      return await(deadline.getTime() - System.currentTimeMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public final void signal() {
      signal(1);
    }

    @Override
    public final void signalAll() {
      signal(Integer.MAX_VALUE);
    }

    private void signal(int max) {
      check();
      synchronized (AbstractQueuedSynchronizer.this) {
        for (int k = 0; k < max && !waiters.isEmpty(); k++) {
          final Waiter w = waiters.poll();
          w.signalled = true;
          queue.addLast(w.thread);
        }
        wake();
      }
    }

    protected final boolean hasWaiters() {
      return getWaitQueueLength() > 0;
    }

    protected final int getWaitQueueLength() {
      check();
      synchronized (AbstractQueuedSynchronizer.this) {
        return waiters.size();
      }
    }

    protected final Collection<Thread> getWaitingThreads() {
      check();
      final Collection<Thread> threads = new ArrayList<>();
      synchronized (AbstractQueuedSynchronizer.this) {
        for (Waiter w : waiters) threads.add(w.thread);
      }
      return threads;
    }
  }
}
