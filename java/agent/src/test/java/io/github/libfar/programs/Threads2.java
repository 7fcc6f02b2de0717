package io.github.libfar.programs;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.concurrent.locks.Condition;

/** What is asked of threads, variables of threads, and locks of the program's own. */
public final class Threads2 {
  private static final InheritableThreadLocal<String> NAME = new InheritableThreadLocal<>() {
    @Override
    protected String childValue(String value) {
      return value + "'s child";
    }
  };
  private static final ThreadLocal<List<Integer>> MINE = ThreadLocal.withInitial(ArrayList::new);
  private static final Properties SETTINGS = new Properties();
  private static final ThreadGroup GROUP = new ThreadGroup("a group");
  private static Iterator<Integer> iterator;
  private static ListIterator<String> positions;

  /** Not reentrant. */
  private static final class Mutex {
    private static final class Sync extends AbstractQueuedSynchronizer {
      @Override
      protected boolean tryAcquire(int n) {
        if (!compareAndSetState(0, 1)) return false;
        setExclusiveOwnerThread(Thread.currentThread());
        return true;
      }

      @Override
      protected boolean tryRelease(int n) {
        if (getState() == 0) throw new IllegalMonitorStateException();
        setExclusiveOwnerThread(null);
        setState(0);
        return true;
      }

      @Override
      protected boolean isHeldExclusively() {
        return getExclusiveOwnerThread() == Thread.currentThread();
      }

      Condition condition() {
        return new ConditionObject();
      }
    }

    private final Sync sync = new Sync();

    void lock() {
      sync.acquire(1);
    }

    boolean tryLock(long millis) throws InterruptedException {
      return sync.tryAcquireNanos(1, TimeUnit.MILLISECONDS.toNanos(millis));
    }

    void unlock() {
      sync.release(1);
    }

    Condition condition() {
      return sync.condition();
    }
  }

  private static final Mutex MUTEX = new Mutex();
  private static final Condition CHANGED = MUTEX.condition();
  private static int counter;

  private static void elsewhere(Runnable f) throws InterruptedException {
    final Thread t = new Thread(GROUP, f, "elsewhere");
    System.out.println(t.getState());
    t.start();
    t.join();
    System.out.println(t.getState() + " " + t.isAlive());
  }

  public static void main(String[] args) throws Exception {
    NAME.set("main");
    MINE.get().add(1);
    SETTINGS.setProperty("key", "value");
    iterator = List.of(1, 2, 3).iterator();
    iterator.next();
    positions = new ArrayList<>(List.of("a", "b")).listIterator();
    elsewhere(() -> {
      MINE.get().add(2);
      System.out.println(NAME.get() + MINE.get() + SETTINGS.getProperty("key")
          + SETTINGS.getProperty("none", "default") + iterator.next() + positions.next());
      final Thread me = Thread.currentThread();
      me.setPriority(7);
      System.out.println(me.getThreadGroup().getName() + me.getPriority() + me.getState() + " "
          + me.getStackTrace()[1].getMethodName().contains("lambda") + " "
          + (me.getContextClassLoader() != null));
      NAME.remove();
    });
    System.out.println(NAME.get() + MINE.get() + iterator.next() + positions.next()
        + positions.previousIndex());
    mutex();
  }

  private static void mutex() throws InterruptedException {
    final Thread[] threads = new Thread[4];
    for (int t = 0; t < threads.length; t++) {
      final int me = t;
      threads[t] = new Thread(() -> {
        try {
          for (int i = 0; i < 12; i++) {
            MUTEX.lock();
            try {
              if (me == 0) while (counter < i) CHANGED.await();
              counter++;
              CHANGED.signalAll();
            } finally {
              MUTEX.unlock();
            }
          }
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      });
      threads[t].start();
    }
    for (Thread t : threads) t.join();
    MUTEX.lock();
    System.out.println(counter + " " + MUTEX.tryLock(1));
    MUTEX.unlock();
  }
}
