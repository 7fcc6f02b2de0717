package io.github.libfar.programs;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Exchanger;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;

/** Locks and what else threads meet at. */
public final class Locks1 {
  private static final int THREADS = 3;

  private interface Body {
    void run(int me) throws Exception;
  }

  private static void inThreads(int n, Body body) throws InterruptedException {
    final Thread[] threads = new Thread[n];
    for (int t = 0; t < n; t++) {
      final int me = t;
      threads[t] = new Thread(() -> {
        try {
          body.run(me);
        } catch (Exception e) {
          throw new IllegalStateException(e);
        }
      });
      threads[t].start();
    }
    for (Thread t : threads) t.join();
  }

  public static void main(String[] args) throws Exception {
    readWrite();
    stamped();
    fairAndTimed();
    buffer();
    phaser();
    barrier();
    exchanger();
    parking();
    semaphores();
    queries();
  }

  /** Tells who waits. */
  private static final class Open extends ReentrantReadWriteLock {
    boolean isReader(Thread t) {
      return getQueuedReaderThreads().contains(t) && getQueuedThreads().contains(t);
    }

    boolean awaits(Condition c, Thread t) {
      return getWaitingThreads(c).contains(t);
    }

    boolean isOwner(Thread t) {
      return getOwner() == t;
    }
  }

  private static void queries() throws InterruptedException {
    final Open lock = new Open();
    final Condition changed = lock.writeLock().newCondition();
    final Thread reader = new Thread(() -> {
      lock.readLock().lock();
      lock.readLock().unlock();
    });
    final Thread waiting = new Thread(() -> {
      lock.writeLock().lock();
      changed.awaitUninterruptibly();
      lock.writeLock().unlock();
    });
    waiting.start();
    for (boolean waits = false; !waits;) {
      lock.writeLock().lock();
      waits = lock.hasWaiters(changed);
      if (waits) System.out.println(lock.awaits(changed, waiting) + " " + lock.isOwner(waiting));
      lock.writeLock().unlock();
    }
    lock.writeLock().lock();
    reader.start();
    while (!lock.hasQueuedThread(reader)) Thread.yield();
    System.out.println(lock.isReader(reader) + " " + lock.getQueueLength()
        + lock.isOwner(Thread.currentThread()));
    changed.signal();
    lock.writeLock().unlock();
    reader.join();
    waiting.join();
  }

  private static final ReadWriteLock RW = new ReentrantReadWriteLock();
  private static int left;
  private static int right;

  private static void readWrite() throws InterruptedException {
    final AtomicInteger different = new AtomicInteger();
    inThreads(4, me -> {
      for (int i = 0; i < 20; i++) {
        if (me == 0) {
          RW.writeLock().lock();
          try {
            left++;
            right++;
          } finally {
            RW.writeLock().unlock();
          }
        } else {
          RW.readLock().lock();
          try {
            if (left != right) different.incrementAndGet();
          } finally {
            RW.readLock().unlock();
          }
        }
      }
    });
    final ReentrantReadWriteLock lock = new ReentrantReadWriteLock(true);
    lock.writeLock().lock();
    lock.readLock().lock();
    lock.writeLock().unlock();
    final boolean[] got = new boolean[2];
    inThreads(1, me -> {
      got[0] = lock.readLock().tryLock();
      got[1] = lock.writeLock().tryLock(1, TimeUnit.MILLISECONDS);
      if (got[0]) lock.readLock().unlock();
    });
    System.out.println(left + " " + right + " " + different + got[0] + got[1]
        + lock.getReadLockCount() + lock.isWriteLocked() + lock.isFair());
    try {
      lock.writeLock().unlock();
    } catch (IllegalMonitorStateException e) {
      System.out.println("not held");
    }
  }

  private static final StampedLock STAMPED = new StampedLock();
  private static double x;
  private static double y;

  private static void stamped() throws InterruptedException {
    final AtomicInteger torn = new AtomicInteger();
    inThreads(THREADS, me -> {
      for (int i = 0; i < 20; i++) {
        if (me == 0) {
          final long stamp = STAMPED.writeLock();
          x += 1;
          y -= 1;
          STAMPED.unlockWrite(stamp);
        } else {
          long stamp = STAMPED.tryOptimisticRead();
          double a = x;
          double b = y;
          if (!STAMPED.validate(stamp)) {
            stamp = STAMPED.readLock();
            try {
              a = x;
              b = y;
            } finally {
              STAMPED.unlockRead(stamp);
            }
          }
          if (a + b != 0) torn.incrementAndGet();
        }
      }
    });
    long stamp = STAMPED.readLock();
    stamp = STAMPED.tryConvertToWriteLock(stamp);
    System.out.println(x + " " + y + " " + torn + STAMPED.isWriteLocked() + (stamp != 0)
        + STAMPED.tryReadLock());
    STAMPED.unlock(stamp);
    System.out.println(STAMPED.isReadLocked() + " " + STAMPED.isWriteLocked());
  }

  private static void fairAndTimed() throws InterruptedException {
    final ReentrantLock lock = new ReentrantLock(true);
    lock.lock();
    lock.lock();
    final boolean[] got = new boolean[3];
    inThreads(1, me -> {
      got[0] = lock.tryLock();
      got[1] = lock.tryLock(5, TimeUnit.MILLISECONDS);
      final Thread t = Thread.currentThread();
      t.interrupt();
      try {
        lock.lockInterruptibly();
      } catch (InterruptedException e) {
        got[2] = true;
      }
    });
    System.out.println(got[0] + " " + got[1] + got[2] + lock.getHoldCount() + lock.isFair());
    lock.unlock();
    final Condition never = lock.newCondition();
    System.out.println(never.await(2, TimeUnit.MILLISECONDS) + " " + (never.awaitNanos(1000) <= 0)
        + lock.hasWaiters(never) + lock.getHoldCount());
    lock.unlock();
  }

  /** A bounded buffer. */
  private static final class Buffer {
    private final Lock lock = new ReentrantLock();
    private final Condition notFull = lock.newCondition();
    private final Condition notEmpty = lock.newCondition();
    private final int[] items = new int[3];
    private int put;
    private int taken;

    void put(int item) throws InterruptedException {
      lock.lock();
      try {
        while (put - taken == items.length) notFull.await();
        items[put++ % items.length] = item;
        notEmpty.signal();
      } finally {
        lock.unlock();
      }
    }

    int take() throws InterruptedException {
      lock.lock();
      try {
        while (put == taken) notEmpty.await();
        final int item = items[taken++ % items.length];
        notFull.signal();
        return item;
      } finally {
        lock.unlock();
      }
    }
  }

  private static void buffer() throws InterruptedException {
    final Buffer buffer = new Buffer();
    final AtomicInteger sum = new AtomicInteger();
    inThreads(4, me -> {
      for (int i = 1; i <= 15; i++) {
        if (me % 2 == 0) buffer.put(i); else sum.addAndGet(buffer.take());
      }
    });
    System.out.println(sum);
  }

  private static void phaser() throws InterruptedException {
    final int[] steps = new int[THREADS];
    final List<String> log = new ArrayList<>();
    final Phaser phaser = new Phaser(THREADS) {
      @Override
      protected boolean onAdvance(int phase, int parties) {
        log.add(phase + ":" + (steps[0] + steps[1] + steps[2]) + "/" + parties);
        return phase >= 2 || parties == 0;
      }
    };
    inThreads(THREADS, me -> {
      while (!phaser.isTerminated()) {
        steps[me]++;
        phaser.arriveAndAwaitAdvance();
      }
    });
    final Phaser root = new Phaser(1);
    final Phaser child = new Phaser(root, 2);
    inThreads(THREADS, me -> {
      if (me == 0) {
        root.arriveAndDeregister();
      } else {
        child.arriveAndAwaitAdvance();
        child.arriveAndDeregister();
      }
    });
    System.out.println(log + " " + phaser.isTerminated() + (phaser.arrive() < 0)
        + root.getRegisteredParties());
  }

  private static void barrier() throws Exception {
    final StringBuffer none = null;
    final int[] rows = new int[THREADS];
    final AtomicInteger total = new AtomicInteger();
    final CyclicBarrier barrier =
        new CyclicBarrier(THREADS, () -> total.addAndGet(rows[0] + rows[1] + rows[2]));
    inThreads(THREADS, me -> {
      for (int round = 1; round <= 3; round++) {
        rows[me] = round;
        barrier.await();
        barrier.await();
      }
    });
    final CyclicBarrier broken = new CyclicBarrier(2);
    try {
      broken.await(2, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      System.out.println("timeout " + broken.isBroken());
    }
    try {
      broken.await();
    } catch (BrokenBarrierException e) {
      System.out.println("broken " + none);
    }
    broken.reset();
    System.out.println(total + " " + broken.isBroken() + broken.getParties());
  }

  private static void exchanger() throws Exception {
    final Exchanger<String> exchanger = new Exchanger<>();
    final String[] got = new String[2];
    inThreads(2, me -> got[me] = exchanger.exchange("from " + me));
    System.out.println(got[0] + ", " + got[1]);
  }

  private static volatile boolean ready;

  private static void parking() throws InterruptedException {
    final Thread main = Thread.currentThread();
    final Thread t = new Thread(() -> {
      while (!ready) LockSupport.park();
      LockSupport.unpark(main);
    });
    t.start();
    ready = true;
    LockSupport.unpark(t);
    LockSupport.park();
    LockSupport.parkNanos(1000);
    t.join();
    System.out.println("unparked");
  }

  private static void semaphores() throws InterruptedException {
    final Semaphore s = new Semaphore(0, true);
    final AtomicInteger taken = new AtomicInteger();
    final Thread adds = new Thread(() -> {
      for (int i = 0; i < 9; i++) s.release();
    });
    adds.start();
    inThreads(THREADS, me -> {
      s.acquire(2);
      taken.addAndGet(2);
    });
    adds.join();
    System.out.println(taken + " " + s.availablePermits() + s.tryAcquire(4) + s.drainPermits()
        + s.tryAcquire(1, 1, TimeUnit.MILLISECONDS));
  }
}
