package io.github.libfar.concurrent;

/** java.util.concurrent.CountedCompleter, over ranks. */
public abstract class CountedCompleter<T> extends ForkJoinTask<T> {
  private final CountedCompleter<?> completer;
  private final AtomicInteger pending;

  protected CountedCompleter() {
    this(null);
  }

  protected CountedCompleter(CountedCompleter<?> completer) {
    this(completer, 0);
  }

  protected CountedCompleter(CountedCompleter<?> completer, int pending) {
    this.completer = completer;
    this.pending = new AtomicInteger(pending);
  }

  public abstract void compute();

  public void onCompletion(CountedCompleter<?> caller) {}

  public boolean onExceptionalCompletion(Throwable thrown, CountedCompleter<?> caller) {
    return true;
  }

  public final CountedCompleter<?> getCompleter() {
    return completer;
  }

  public final int getPendingCount() {
    return pending.get();
  }

  public final void setPendingCount(int n) {
    pending.set(n);
  }

  public final void addToPendingCount(int n) {
    pending.addAndGet(n);
  }

  public final boolean compareAndSetPendingCount(int expected, int n) {
    return pending.compareAndSet(expected, n);
  }

  /** Returns the count before; 0 stays 0. */
  public final int decrementPendingCountUnlessZero() {
    return pending.getAndUpdate(n -> n == 0 ? 0 : n - 1);
  }

  public final CountedCompleter<?> getRoot() {
    CountedCompleter<?> at = this;
    while (at.completer != null) at = at.completer;
    return at;
  }

  public final void tryComplete() {
    CountedCompleter<?> caller = this;
    for (CountedCompleter<?> at = this; at.decrementPendingCountUnlessZero() == 0;) {
      at.onCompletion(caller);
      caller = at;
      at = at.completer;
      if (at == null) {
        caller.quietlyComplete();
        return;
      }
    }
  }

  public final void propagateCompletion() {
    CountedCompleter<?> last = this;
    for (CountedCompleter<?> at = this; at.decrementPendingCountUnlessZero() == 0;) {
      last = at;
      at = at.completer;
      if (at == null) {
        last.quietlyComplete();
        return;
      }
    }
  }

  @Override
  public void complete(T value) {
    setRawResult(value);
    onCompletion(this);
    quietlyComplete();
    if (completer != null) completer.tryComplete();
  }

  public final CountedCompleter<?> firstComplete() {
    return decrementPendingCountUnlessZero() == 0 ? this : null;
  }

  public final CountedCompleter<?> nextComplete() {
    if (completer != null) return completer.firstComplete();
    quietlyComplete();
    return null;
  }

  public final void quietlyCompleteRoot() {
    getRoot().quietlyComplete();
  }

  @Override
  protected final boolean exec() {
    try {
      compute();
    } catch (Throwable e) {
      fail(e);
    }
    return false;
  }

  @Override
  public void completeExceptionally(Throwable thrown) {
    fail(thrown instanceof RuntimeException || thrown instanceof Error ? thrown
        : new RuntimeException(thrown));
  }

  /** Ends this one, and its completers as long as they want to end so. */
  private void fail(Throwable thrown) {
    CountedCompleter<?> caller = this;
    for (CountedCompleter<?> at = this; at != null && at.finish(thrown);) {
      if (!at.onExceptionalCompletion(thrown, caller)) break;
      caller = at;
      at = at.completer;
    }
  }

  @Override
  public T getRawResult() {
    return null;
  }

  @Override
  protected void setRawResult(T value) {}
}
