package io.github.libfar.concurrent;

/** java.util.concurrent.atomic.AtomicMarkableReference, over ranks: by a monitor. */
public class AtomicMarkableReference<V> {
  private V reference;
  private boolean mark;

  public AtomicMarkableReference(V initial, boolean mark) {
    reference = initial;
    this.mark = mark;
  }

  public synchronized V getReference() {
    return reference;
  }

  public synchronized boolean isMarked() {
    return mark;
  }

  public synchronized V get(boolean[] holder) {
    holder[0] = mark;
    return reference;
  }

  public boolean weakCompareAndSet(V expected, V to, boolean expectedMark, boolean newMark) {
    return compareAndSet(expected, to, expectedMark, newMark);
  }

  public synchronized boolean compareAndSet(V expected, V to, boolean expectedMark,
      boolean newMark) {
    if (mark != expectedMark || !AtomicReference.isSame(reference, expected)) return false;
    set(to, newMark);
    return true;
  }

  public synchronized void set(V to, boolean newMark) {
    reference = to;
    mark = newMark;
  }

  public synchronized boolean attemptMark(V expected, boolean newMark) {
    return compareAndSet(expected, expected, mark, newMark);
  }
}
