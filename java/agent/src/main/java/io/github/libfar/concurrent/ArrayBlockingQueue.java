package io.github.libfar.concurrent;

import java.util.Collection;

/** java.util.concurrent.ArrayBlockingQueue, over ranks. */
public class ArrayBlockingQueue<E> extends MonitorBlockingQueue<E> {
  public ArrayBlockingQueue(int capacity) {
    super(new ChunkQueue<>(), capacity);
  }

  /** Threads come as the monitor lets them. */
  public ArrayBlockingQueue(int capacity, boolean fair) {
    this(capacity);
  }

  public ArrayBlockingQueue(int capacity, boolean fair, Collection<? extends E> from) {
    this(capacity);
    if (from.size() > capacity) throw new IllegalArgumentException();
    addAll(from);
  }
}
