package io.github.libfar.concurrent;

import java.util.Collection;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.SortedSet;
import java.util.Spliterator;
import java.util.Spliterators;

/** java.util.concurrent.PriorityBlockingQueue, over ranks. */
public class PriorityBlockingQueue<E> extends MonitorBlockingQueue<E> {
  private static final int CAPACITY = 11;

  public PriorityBlockingQueue() {
    this(CAPACITY);
  }

  public PriorityBlockingQueue(int capacity) {
    this(capacity, null);
  }

  public PriorityBlockingQueue(int capacity, Comparator<? super E> order) {
    super(new PriorityQueue<>(capacity, order), Integer.MAX_VALUE);
  }

  public PriorityBlockingQueue(Collection<? extends E> from) {
    this(CAPACITY, orderOf(from));
    addAll(from);
  }

  @Override
  public Spliterator<E> spliterator() {
    return Spliterators.spliterator(toArray(), Spliterator.NONNULL);
  }

  @SuppressWarnings("unchecked")
  private static <E> Comparator<? super E> orderOf(Collection<? extends E> from) {
    if (from instanceof SortedSet) return ((SortedSet<E>) from).comparator();
    return from instanceof PriorityBlockingQueue ? ((PriorityBlockingQueue<E>) from).comparator()
        : null;
  }

  public Comparator<? super E> comparator() {
    return ((PriorityQueue<E>) items).comparator();
  }
}
