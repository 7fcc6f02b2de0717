package io.github.libfar.concurrent;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

/**
 * What AbstractQueuedSynchronizer and AbstractQueuedLongSynchronizer have in common. Threads that wait
 * do so in the monitor of this object, where they try again whenever something has been released.
 */
abstract class QueuedSynchronizer extends AbstractOwnableSynchronizer {
  private final ArrayDeque<Thread> queue = new ArrayDeque<>();
  /** Those in the queue that would share it. */
  private final ArrayDeque<Thread> sharing = new ArrayDeque<>();
  private volatile boolean contended;

  QueuedSynchronizer() {}

  /** What the program's class says to an acquisition. */
  abstract boolean attempt(long n, boolean shared);

  abstract long currentState();

  abstract boolean releaseState(long n);

  abstract boolean isOwned();

  final boolean acquire(long n, boolean shared, boolean interruptible, Deadline deadline)
      throws InterruptedException {
    if (interruptible && Thread.interrupted()) throw new InterruptedException();
    return attempt(n, shared) || enqueued(n, shared, interruptible, deadline);
  }

  private boolean enqueued(long n, boolean shared, boolean interruptible, Deadline deadline)
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

  final void acquireUninterruptibly(long n, boolean shared) {
    try {
      acquire(n, shared, false, null);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  final void acquireInterruptibly(long n, boolean shared) throws InterruptedException {
    acquire(n, shared, true, null);
  }

  final boolean acquireUntil(long n, boolean shared, long nanos) throws InterruptedException {
    return acquire(n, shared, true, new Deadline(nanos));
  }

  final synchronized boolean wake() {
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
    return super.toString() + "[State = " + currentState() + ", "
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

  /** The condition, if it is of this synchronizer. */
  final QueuedCondition checked(QueuedCondition condition) {
    if (condition.of != this) throw new IllegalArgumentException("Not owner");
    return condition;
  }

  private static final class Waiter {
    private final Thread thread = Thread.currentThread();
    private boolean signalled;
  }

  /** A condition of it. */
  abstract static class QueuedCondition implements Condition {
    final QueuedSynchronizer of;
    private final ArrayDeque<Waiter> waiters = new ArrayDeque<>();

    QueuedCondition(QueuedSynchronizer of) {
      this.of = of;
    }

    private void check() {
      if (!of.isOwned()) throw new IllegalMonitorStateException();
    }

    private boolean await(Deadline deadline, boolean interruptible) throws InterruptedException {
      if (interruptible && Thread.interrupted()) throw new InterruptedException();
      final Waiter me = new Waiter();
      final long saved = of.currentState();
      InterruptedException interrupt = null;
      boolean interrupted = false;
      synchronized (of) {
        waiters.add(me);
        if (!of.releaseState(saved)) {
          waiters.remove(me);
          throw new IllegalMonitorStateException();
        }
        while (!me.signalled && interrupt == null) {
          try {
            if (deadline == null) {
              of.wait();
            } else if (!deadline.await(of)) {
              break;
            }
          } catch (InterruptedException e) {
            if (interruptible) interrupt = e;
            interrupted = true;
          }
        }
        waiters.remove(me);
      }
      of.enqueued(saved, false, false, null);
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
      synchronized (of) {
        for (int k = 0; k < max && !waiters.isEmpty(); k++) {
          final Waiter w = waiters.poll();
          w.signalled = true;
          of.queue.addLast(w.thread);
        }
        of.wake();
      }
    }

    protected final boolean hasWaiters() {
      return getWaitQueueLength() > 0;
    }

    protected final int getWaitQueueLength() {
      check();
      synchronized (of) {
        return waiters.size();
      }
    }

    protected final Collection<Thread> getWaitingThreads() {
      check();
      final Collection<Thread> threads = new ArrayList<>();
      synchronized (of) {
        for (Waiter w : waiters) threads.add(w.thread);
      }
      return threads;
    }
  }
}
