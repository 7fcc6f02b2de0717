package io.github.libfar;

/**
 * A first-in first-out queue in the memory of one rank, its host, that all ranks use.
 *
 * @param <E> elements
 */
public final class FarQueue<E> implements AutoCloseable {
  private final Handle handle;
  private final Codec<E> elements;

  /**
   * Collective: makes a queue.
   *
   * @param job the job
   * @param host the rank whose memory it is in
   * @param capacity elements that it holds at most
   * @param maxBytes of an element, at most 8188
   * @param elements how they travel
   */
  public FarQueue(Job job, int host, long capacity, int maxBytes, Codec<E> elements) {
    long made = Native.queueCreate(host, capacity, maxBytes);
    this.handle = new Handle(made, "the queue", Native::queueDrop);
    this.elements = elements;
  }

  /**
   * Appends an element; waits while the queue is full.
   *
   * @param element not null
   * @throws IllegalArgumentException if it takes more than maxBytes
   */
  public void push(E element) {
    Native.queuePush(handle.get(), elements.encode(element), true);
  }

  /**
   * Appends an element unless the queue is full.
   *
   * @param element not null
   * @return whether there was room
   */
  public boolean offer(E element) {
    return Native.queuePush(handle.get(), elements.encode(element), false);
  }

  /**
   * Takes the oldest element; waits while the queue is empty.
   *
   * @return the element
   */
  public E pop() {
    return elements.decode(Native.queuePop(handle.get(), true));
  }

  /**
   * Takes the oldest element.
   *
   * @return the element, or null if there is none
   */
  public E poll() {
    byte[] found = Native.queuePop(handle.get(), false);
    return found == null ? null : elements.decode(found);
  }

  /** This rank does not use it any more. Never waits. */
  @Override
  public void close() {
    handle.close();
  }
}
