package io.github.libfar.concurrent;

/** java.util.concurrent.atomic.AtomicStampedReference, over ranks: by a monitor. */
public class AtomicStampedReference<V> {
  private V reference;
  private int stamp;

  public AtomicStampedReference(V initial, int stamp) {
    reference = initial;
    this.stamp = stamp;
  }

  public synchronized V getReference() {
    return reference;
  }

  public synchronized int getStamp() {
    return stamp;
  }

  public synchronized V get(int[] holder) {
    holder[0] = stamp;
    return reference;
  }

  public boolean weakCompareAndSet(V expected, V to, int expectedStamp, int newStamp) {
    return compareAndSet(expected, to, expectedStamp, newStamp);
  }

  public synchronized boolean compareAndSet(V expected, V to, int expectedStamp,
      int newStamp) {
    if (stamp != expectedStamp || !AtomicReference.isSame(reference, expected)) return false;
    set(to, newStamp);
    return true;
  }

  public synchronized void set(V to, int newStamp) {
    reference = to;
    stamp = newStamp;
  }

  public synchronized boolean attemptStamp(V expected, int newStamp) {
    return compareAndSet(expected, expected, stamp, newStamp);
  }
}
