package io.github.libfar.concurrent;

/** java.util.concurrent.ArrayBlockingQueue, over ranks. */
public class ArrayBlockingQueue<E> extends LinkedBlockingQueue<E> {
  public ArrayBlockingQueue(int capacity) {
    super(capacity);
  }

  /** Threads come as the monitor lets them. */
  public ArrayBlockingQueue(int capacity, boolean fair) {
    super(capacity);
  }
}
