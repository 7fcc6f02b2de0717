package io.github.libfar.concurrent;

/** java.util.concurrent.RecursiveTask, over ranks. */
public abstract class RecursiveTask<V> extends ForkJoinTask<V> {
  private V result;

  protected abstract V compute();

  @Override
  public final V getRawResult() {
    return result;
  }

  @Override
  protected final void setRawResult(V value) {
    result = value;
  }

  @Override
  protected final boolean exec() {
    result = compute();
    return true;
  }
}
