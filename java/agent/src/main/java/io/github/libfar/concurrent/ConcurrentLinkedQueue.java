package io.github.libfar.concurrent;

import java.util.Collection;

/** java.util.concurrent.ConcurrentLinkedQueue, over ranks: by the monitor of this object. */
public class ConcurrentLinkedQueue<E> extends MonitorQueue<E> {
  public ConcurrentLinkedQueue() {
    super(new ChunkQueue<>(), Integer.MAX_VALUE);
  }

  public ConcurrentLinkedQueue(Collection<? extends E> from) {
    this();
    addAll(from);
  }
}
