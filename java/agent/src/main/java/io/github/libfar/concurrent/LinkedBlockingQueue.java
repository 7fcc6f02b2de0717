package io.github.libfar.concurrent;

import java.util.Collection;

/** java.util.concurrent.LinkedBlockingQueue, over ranks. */
public class LinkedBlockingQueue<E> extends MonitorBlockingQueue<E> {
  public LinkedBlockingQueue() {
    this(Integer.MAX_VALUE);
  }

  public LinkedBlockingQueue(int capacity) {
    super(new ChunkQueue<>(), capacity);
  }

  public LinkedBlockingQueue(Collection<? extends E> from) {
    this();
    addAll(from);
  }
}
