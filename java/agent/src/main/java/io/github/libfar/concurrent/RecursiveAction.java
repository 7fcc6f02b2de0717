package io.github.libfar.concurrent;

/** java.util.concurrent.RecursiveAction, over ranks. */
public abstract class RecursiveAction extends ForkJoinTask<Void> {
  protected abstract void compute();

  @Override
  public final Void getRawResult() {
    return null;
  }

  @Override
  protected final void setRawResult(Void value) {}

  @Override
  protected final boolean exec() {
    compute();
    return true;
  }
}
