package io.github.libfar.concurrent;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;

/**
 * java.util.concurrent.locks.ReentrantReadWriteLock, over ranks. Threads that begin to read wait
 * for those that have waited to write, so that neither starve.
 */
public class ReentrantReadWriteLock implements ReadWriteLock {
  private final ReadLock reading;
  private final WriteLock writing;
  private final Sync sync;

  public ReentrantReadWriteLock() {
    this(false);
  }

  public ReentrantReadWriteLock(boolean fair) {
    sync = new Sync(fair);
    reading = new ReadLock(this);
    writing = new WriteLock(this);
  }

  private static final class Sync extends Exclusive {
    /** How often it is held for reading, by all threads. */
    private int readers;
    private final ArrayDeque<Thread> waiting = new ArrayDeque<>();
    /** And by each: a thread's own count, which stays on its rank. */
    private final ThreadLocal<int[]> mine = new ThreadLocal<>();

    Sync(boolean fair) {
      super(fair);
    }

    @Override
    boolean isBarred(Thread t) {
      return readers > 0;
    }

    private int[] mine() {
      int[] count = mine.get();
      if (count == null) {
        count = new int[1];
        mine.set(count);
      }
      return count;
    }

    /** In the monitor. */
    private boolean read(boolean barging) {
      final Thread owner = owner();
      if (owner != null && owner != Thread.currentThread()) return false;
      final int[] count = mine();
      if (!barging && owner == null && count[0] == 0 && queued() > 0) return false;
      readers++;
      count[0]++;
      return true;
    }

    synchronized boolean tryRead() {
      return read(true);
    }

    synchronized boolean read(boolean interruptible, Deadline deadline)
        throws InterruptedException {
      if (interruptible && Thread.interrupted()) throw new InterruptedException();
      if (read(false)) return true;
      final Thread me = Thread.currentThread();
      boolean interrupted = false;
      waiting.addLast(me);
      try {
        while (!read(false)) {
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
        waiting.remove(me);
        if (interrupted) me.interrupt();
      }
    }

    synchronized Collection<Thread> waiting() {
      return new ArrayList<>(waiting);
    }

    synchronized void stopReading() {
      final int[] count = mine();
      if (count[0] == 0) {
        throw new IllegalMonitorStateException(
            "attempt to unlock read lock, not locked by current thread");
      }
      if (--count[0] == 0) mine.remove();
      if (--readers == 0) changed();
    }

    synchronized int readers() {
      return readers;
    }
  }

  /** The lock that many threads may hold at a time. */
  public static class ReadLock implements Lock {
    private final Sync sync;

    protected ReadLock(ReentrantReadWriteLock of) {
      sync = of.sync;
    }

    @Override
    public void lock() {
      try {
        sync.read(false, null);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
      sync.read(true, null);
    }

    @Override
    public boolean tryLock() {
      return sync.tryRead();
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
      return sync.read(true, new Deadline(time, unit));
    }

    @Override
    public void unlock() {
      sync.stopReading();
    }

    @Override
    public Condition newCondition() {
      throw new UnsupportedOperationException();
    }

    @Override
    public String toString() {
      return getClass().getName() + "@" + Integer.toHexString(hashCode()) + "[Read locks = "
          + sync.readers() + "]";
    }
  }

  /** The lock that one thread may hold at a time, while nobody else reads. */
  public static class WriteLock implements Lock {
    private final Sync sync;

    protected WriteLock(ReentrantReadWriteLock of) {
      sync = of.sync;
    }

    @Override
    public void lock() {
      sync.takeUninterruptibly();
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
      sync.takeInterruptibly();
    }

    @Override
    public boolean tryLock() {
      return sync.tryTake();
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
      return sync.take(time, unit);
    }

    @Override
    public void unlock() {
      sync.release();
    }

    @Override
    public Condition newCondition() {
      return new LockCondition(sync);
    }

    public boolean isHeldByCurrentThread() {
      return sync.owner() == Thread.currentThread();
    }

    public int getHoldCount() {
      return sync.holds();
    }

    @Override
    public String toString() {
      final Thread held = sync.owner();
      return getClass().getName() + "@" + Integer.toHexString(hashCode())
          + (held == null ? "[Unlocked]" : "[Locked by thread " + held.getName() + "]");
    }
  }

  @Override
  public ReadLock readLock() {
    return reading;
  }

  @Override
  public WriteLock writeLock() {
    return writing;
  }

  public final boolean isFair() {
    return sync.isFairOne();
  }

  public int getReadLockCount() {
    return sync.readers();
  }

  public int getReadHoldCount() {
    return sync.mine()[0];
  }

  public boolean isWriteLocked() {
    return sync.owner() != null;
  }

  public boolean isWriteLockedByCurrentThread() {
    return sync.owner() == Thread.currentThread();
  }

  public int getWriteHoldCount() {
    return sync.holds();
  }

  protected Thread getOwner() {
    return sync.owner();
  }

  protected Collection<Thread> getQueuedWriterThreads() {
    return sync.queuedThreads();
  }

  protected Collection<Thread> getQueuedReaderThreads() {
    return sync.waiting();
  }

  protected Collection<Thread> getQueuedThreads() {
    final Collection<Thread> all = getQueuedWriterThreads();
    all.addAll(getQueuedReaderThreads());
    return all;
  }

  public final boolean hasQueuedThreads() {
    return !getQueuedThreads().isEmpty();
  }

  public final boolean hasQueuedThread(Thread t) {
    if (t == null) throw new NullPointerException();
    return getQueuedThreads().contains(t);
  }

  public final int getQueueLength() {
    return getQueuedThreads().size();
  }

  public boolean hasWaiters(Condition condition) {
    return getWaitQueueLength(condition) > 0;
  }

  public int getWaitQueueLength(Condition condition) {
    return getWaitingThreads(condition).size();
  }

  protected Collection<Thread> getWaitingThreads(Condition condition) {
    return LockCondition.of(sync, condition).waiting();
  }

  @Override
  public String toString() {
    return getClass().getName() + "@" + Integer.toHexString(hashCode()) + "[Write locks = "
        + sync.heldTimes() + ", Read locks = " + sync.readers() + "]";
  }
}
