package io.github.libfar.concurrent;

import java.util.AbstractQueue;
import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * A queue in chunks, for one thread at a time. An array is compared and copied as a whole when
 * ranks share it: so what an element costs must not grow with the queue. Removed elements leave a
 * null.
 */
final class ChunkQueue<E> extends AbstractQueue<E> {
  private static final int LENGTH = 16;

  private static final class Chunk {
    private final Object[] items = new Object[LENGTH];
    private Chunk next;
  }

  private Chunk head = new Chunk();
  private Chunk tail = head;
  /** In the first chunk, and where the next element comes in the last one. */
  private int first;
  private int end;
  private int size;

  @Override
  public boolean offer(E e) {
    if (e == null) throw new NullPointerException();
    if (end == LENGTH) {
      tail.next = new Chunk();
      tail = tail.next;
      end = 0;
    }
    tail.items[end++] = e;
    size++;
    return true;
  }

  /** Leaves out what has been removed. Returns null at the end. */
  private Object skip() {
    while (head != tail || first != end) {
      if (first < LENGTH) {
        final Object item = head.items[first];
        if (item != null) return item;
        first++;
      } else {
        head = head.next;
        first = 0;
      }
    }
    return null;
  }

  @Override
  @SuppressWarnings("unchecked")
  public E peek() {
    return size == 0 ? null : (E) skip();
  }

  @Override
  @SuppressWarnings("unchecked")
  public E poll() {
    if (size == 0) return null;
    final E item = (E) skip();
    head.items[first++] = null;
    size--;
    if (size == 0) {
      head = tail;
      first = 0;
      end = 0;
    }
    return item;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public void clear() {
    while (poll() != null) {
    }
  }

  @Override
  public Iterator<E> iterator() {
    return new Items();
  }

  private final class Items implements Iterator<E> {
    private Chunk chunk = head;
    private int at = first;
    private int left = size;
    private Chunk lastChunk;
    private int last;

    @Override
    public boolean hasNext() {
      return left > 0;
    }

    @Override
    @SuppressWarnings("unchecked")
    public E next() {
      if (left == 0) throw new NoSuchElementException();
      for (;;) {
        if (at == LENGTH) {
          chunk = chunk.next;
          at = 0;
        }
        final Object item = chunk.items[at++];
        if (item == null) continue;
        left--;
        lastChunk = chunk;
        last = at - 1;
        return (E) item;
      }
    }

    @Override
    public void remove() {
      if (lastChunk == null) throw new IllegalStateException();
      lastChunk.items[last] = null;
      lastChunk = null;
      size--;
    }
  }
}
