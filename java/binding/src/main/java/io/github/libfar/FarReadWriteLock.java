package io.github.libfar;

import java.time.Duration;

/** A lock for all threads of all ranks: one writer, or many readers. */
public final class FarReadWriteLock implements AutoCloseable {
  private static final int READ = 0;
  private static final int WRITE = 1;

  private final Handle handle;

  /**
   * Collective: makes a lock.
   *
   * @param job the job
   */
  public FarReadWriteLock(Job job) {
    this.handle = new Handle(Native.rwLockCreate(), "the lock", Native::rwLockDrop);
  }

  /**
   * Waits until no thread writes.
   *
   * @return what releases the lock
   */
  public Hold read() {
    return tryAcquire(READ, null);
  }

  /**
   * Waits until no thread reads or writes.
   *
   * @return what releases the lock
   */
  public Hold write() {
    return tryAcquire(WRITE, null);
  }

  /**
   * As {@link #read}, but not longer than a time.
   *
   * @param timeout the time; null: as long as it takes
   * @return what releases the lock, or null if the time has passed
   */
  public Hold tryRead(Duration timeout) {
    return tryAcquire(READ, timeout);
  }

  /**
   * As {@link #write}, but not longer than a time.
   *
   * @param timeout the time; null: as long as it takes
   * @return what releases the lock, or null if the time has passed
   */
  public Hold tryWrite(Duration timeout) {
    return tryAcquire(WRITE, timeout);
  }

  private Hold tryAcquire(int mode, Duration timeout) {
    long lock = handle.get();
    return Native.rwLockAcquire(lock, mode, Native.nanosOf(timeout)) ? new Hold(lock, mode) : null;
  }

  /** This rank does not use it any more. Never waits. */
  @Override
  public void close() {
    handle.close();
  }

  /** The lock, while a thread has it. */
  public static final class Hold implements AutoCloseable {
    private long lock;
    private final int mode;

    private Hold(long lock, int mode) {
      this.lock = lock;
      this.mode = mode;
    }

    /** Releases the lock. Called by the thread that has acquired it. */
    @Override
    public void close() {
      if (lock == 0) return;
      Native.rwLockRelease(lock, mode);
      lock = 0;
    }
  }
}
