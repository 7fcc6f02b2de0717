package io.github.libfar.concurrent;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;

/**
 * java.util.concurrent.locks.StampedLock, over ranks, by the monitor of this object. The state is
 * {version : 56, written : 1, readers : 7}, and stamps are states, as in the JDK.
 */
public class StampedLock {
  private static final long WRITTEN = 128;
  private static final long READERS = WRITTEN - 1;
  private static final long MAX_READERS = READERS - 1;
  private static final long ALL = WRITTEN | READERS;

  private long state = WRITTEN << 1;
  /** The state without its readers, for those that read without the lock. */
  private volatile long version = WRITTEN << 1;
  private int writersWaiting;

  private boolean write() {
    if ((state & ALL) != 0) return false;
    state |= WRITTEN;
    version = state;
    return true;
  }

  private boolean read(boolean barging) {
    if ((state & WRITTEN) != 0 || (state & READERS) >= MAX_READERS) return false;
    if (!barging && writersWaiting > 0) return false;
    state++;
    return true;
  }

  /** Returns a stamp; 0: the time has passed. */
  private synchronized long take(boolean writes, boolean interruptible, Deadline deadline)
      throws InterruptedException {
    if (interruptible && Thread.interrupted()) throw new InterruptedException();
    boolean interrupted = false;
    if (writes) writersWaiting++;
    try {
      while (!(writes ? write() : read(false))) {
        try {
          if (deadline == null) {
            wait();
          } else if (!deadline.await(this)) {
            return 0;
          }
        } catch (InterruptedException e) {
          if (interruptible) throw e;
          interrupted = true;
        }
      }
      return state;
    } finally {
      if (writes && --writersWaiting == 0 && (state & WRITTEN) == 0) notifyAll();
      if (interrupted) Thread.currentThread().interrupt();
    }
  }

  private long takeUninterruptibly(boolean writes) {
    try {
      return take(writes, false, null);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public long writeLock() {
    return takeUninterruptibly(true);
  }

  public synchronized long tryWriteLock() {
    return write() ? state : 0;
  }

  public long tryWriteLock(long time, TimeUnit unit) throws InterruptedException {
    return take(true, true, new Deadline(time, unit));
  }

  public long writeLockInterruptibly() throws InterruptedException {
    return take(true, true, null);
  }

  public long readLock() {
    return takeUninterruptibly(false);
  }

  public synchronized long tryReadLock() {
    return read(true) ? state : 0;
  }

  public long tryReadLock(long time, TimeUnit unit) throws InterruptedException {
    return take(false, true, new Deadline(time, unit));
  }

  public long readLockInterruptibly() throws InterruptedException {
    return take(false, true, null);
  }

  public long tryOptimisticRead() {
    final long now = version;
    return (now & WRITTEN) == 0 ? now : 0;
  }

  public boolean validate(long stamp) {
    return stamp != 0 && (stamp & ~READERS) == version;
  }

  public synchronized void unlockWrite(long stamp) {
    if (state != stamp || (stamp & WRITTEN) == 0) throw new IllegalMonitorStateException();
    stopWriting();
  }

  private void stopWriting() {
    state += WRITTEN;
    if (state == 0) state = WRITTEN << 1;
    version = state;
    notifyAll();
  }

  public synchronized void unlockRead(long stamp) {
    final boolean same = (stamp & ~READERS) == (state & ~READERS);
    if (!same || (stamp & READERS) == 0 || (state & READERS) == 0) {
      throw new IllegalMonitorStateException();
    }
    stopReading();
  }

  private void stopReading() {
    state--;
    notifyAll();
  }

  public void unlock(long stamp) {
    if ((stamp & WRITTEN) != 0) unlockWrite(stamp); else unlockRead(stamp);
  }

  private boolean isCurrent(long stamp) {
    return (stamp & ~READERS) == (state & ~READERS);
  }

  public synchronized long tryConvertToWriteLock(long stamp) {
    if (!isCurrent(stamp)) return 0;
    if ((stamp & WRITTEN) != 0) return stamp;
    final long readers = state & READERS;
    if ((stamp & READERS) == 0) return write() ? state : 0;
    if (readers != 1) return 0;
    state--;
    write();
    return state;
  }

  public synchronized long tryConvertToReadLock(long stamp) {
    if (!isCurrent(stamp)) return 0;
    if ((stamp & WRITTEN) != 0) {
      stopWriting();
      state++;
      return state;
    }
    if ((stamp & READERS) != 0) return stamp;
    return read(true) ? state : 0;
  }

  public synchronized long tryConvertToOptimisticRead(long stamp) {
    if (!isCurrent(stamp)) return 0;
    if ((stamp & WRITTEN) != 0) {
      stopWriting();
    } else if ((stamp & READERS) != 0) {
      stopReading();
    }
    return state & ~READERS;
  }

  public synchronized boolean tryUnlockWrite() {
    if ((state & WRITTEN) == 0) return false;
    stopWriting();
    return true;
  }

  public synchronized boolean tryUnlockRead() {
    if ((state & READERS) == 0) return false;
    stopReading();
    return true;
  }

  public synchronized boolean isWriteLocked() {
    return (state & WRITTEN) != 0;
  }

  public synchronized boolean isReadLocked() {
    return (state & READERS) != 0;
  }

  public synchronized int getReadLockCount() {
    return (int) (state & READERS);
  }

  public static boolean isWriteLockStamp(long stamp) {
    return (stamp & ALL) == WRITTEN;
  }

  public static boolean isReadLockStamp(long stamp) {
    return (stamp & READERS) != 0;
  }

  public static boolean isLockStamp(long stamp) {
    return (stamp & ALL) != 0;
  }

  public static boolean isOptimisticReadStamp(long stamp) {
    return (stamp & ALL) == 0 && stamp != 0;
  }

  /** One side of it as a lock, which is not reentrant. */
  private static final class Side implements Lock {
    private final StampedLock of;
    private final boolean writes;

    Side(StampedLock of, boolean writes) {
      this.of = of;
      this.writes = writes;
    }

    @Override
    public void lock() {
      of.takeUninterruptibly(writes);
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
      of.take(writes, true, null);
    }

    @Override
    public boolean tryLock() {
      return (writes ? of.tryWriteLock() : of.tryReadLock()) != 0;
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
      return of.take(writes, true, new Deadline(time, unit)) != 0;
    }

    @Override
    public void unlock() {
      if (!(writes ? of.tryUnlockWrite() : of.tryUnlockRead())) {
        throw new IllegalMonitorStateException();
      }
    }

    @Override
    public Condition newCondition() {
      throw new UnsupportedOperationException();
    }
  }

  public Lock asReadLock() {
    return new Side(this, false);
  }

  public Lock asWriteLock() {
    return new Side(this, true);
  }

  public ReadWriteLock asReadWriteLock() {
    final Lock reading = asReadLock();
    final Lock writing = asWriteLock();
    return new ReadWriteLock() {
      @Override
      public Lock readLock() {
        return reading;
      }

      @Override
      public Lock writeLock() {
        return writing;
      }
    };
  }

  @Override
  public synchronized String toString() {
    final long readers = state & READERS;
    return getClass().getName() + "@" + Integer.toHexString(hashCode())
        + ((state & WRITTEN) != 0 ? "[Write-locked]"
            : readers == 0 ? "[Unlocked]" : "[Read-locks:" + readers + "]");
  }
}
