package io.github.libfar.concurrent;

/** java.util.concurrent.ForkJoinWorkerThread, over ranks. */
public class ForkJoinWorkerThread extends Thread {
  private final ForkJoinPool pool;
  private final int index;

  protected ForkJoinWorkerThread(ForkJoinPool pool) {
    this.pool = pool;
    index = pool.nextIndex();
    setDaemon(true);
    setName(pool.nameOf(index + 1));
  }

  public ForkJoinPool getPool() {
    return pool;
  }

  public int getPoolIndex() {
    return index;
  }

  protected void onStart() {}

  protected void onTermination(Throwable thrown) {}

  @Override
  public void run() {
    Throwable thrown = null;
    try {
      onStart();
      pool.work();
    } catch (Throwable e) {
      thrown = e;
    }
    try {
      onTermination(thrown);
    } catch (Throwable e) {
      if (thrown == null) thrown = e;
    }
    pool.leave();
    if (thrown != null) throw ForkJoinWorkerThread.<RuntimeException>unchecked(thrown);
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> E unchecked(Throwable e) throws E {
    throw (E) e;
  }
}
