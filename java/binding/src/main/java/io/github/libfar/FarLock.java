package io.github.libfar;

import java.time.Duration;

/**
 * A lock for all threads of all ranks, first come, first served:
 *
 * <pre>{@code
 * try (FarLock.Hold hold = lock.acquire()) {
 *   ...
 * }
 * }</pre>
 *
 * <p>What its last holder has put is visible to the next. A waiting thread sleeps.
 */
public final class FarLock implements AutoCloseable {
  private final Handle handle;

  /**
   * Collective: makes a lock.
   *
   * @param job the job
   * @param home the rank that keeps the word that all change
   */
  public FarLock(Job job, int home) {
    this.handle = new Handle(Native.lockCreate(home), "the lock", Native::lockDrop);
  }

  /**
   * Collective: the same, at rank 0.
   *
   * @param job the job
   */
  public FarLock(Job job) {
    this(job, 0);
  }

  /**
   * Waits for the lock.
   *
   * @return what releases it
   * @throws IllegalArgumentException if this thread holds it
   */
  public Hold acquire() {
    return tryAcquire(null);
  }

  /**
   * Waits for the lock, but not longer than a time.
   *
   * @param timeout the time; null: as long as it takes
   * @return what releases it, or null if the time has passed
   */
  public Hold tryAcquire(Duration timeout) {
    long lock = handle.get();
    return Native.lockAcquire(lock, Native.nanosOf(timeout)) ? new Hold(lock) : null;
  }

  /** This rank does not use it any more. Never waits. */
  @Override
  public void close() {
    handle.close();
  }

  /** The lock, while a thread has it. */
  public static final class Hold implements AutoCloseable {
    private long lock;

    private Hold(long lock) {
      this.lock = lock;
    }

    /** Releases the lock. Called by the thread that has acquired it. */
    @Override
    public void close() {
      if (lock == 0) return;
      Native.lockRelease(lock);
      lock = 0;
    }
  }
}
