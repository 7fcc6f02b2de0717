package io.github.libfar.concurrent;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** java.util.concurrent.Exchanger, over ranks: by the monitor of this object. */
public class Exchanger<V> {
  private static final class Meeting<V> {
    private final V first;
    private V second;
    private boolean complete;

    Meeting(V first) {
      this.first = first;
    }
  }

  /** With the thread that has come first; null: nobody waits. */
  private Meeting<V> open;

  public V exchange(V mine) throws InterruptedException {
    try {
      return exchange(mine, null);
    } catch (TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }

  public V exchange(V mine, long time, TimeUnit unit)
      throws InterruptedException, TimeoutException {
    return exchange(mine, new Deadline(time, unit));
  }

  private synchronized V exchange(V mine, Deadline deadline)
      throws InterruptedException, TimeoutException {
    if (Thread.interrupted()) throw new InterruptedException();
    final Meeting<V> other = open;
    if (other != null) {
      other.second = mine;
      other.complete = true;
      open = null;
      notifyAll();
      return other.first;
    }
    final Meeting<V> meeting = new Meeting<>(mine);
    open = meeting;
    try {
      while (!meeting.complete) {
        if (deadline == null) {
          wait();
        } else if (!deadline.await(this)) {
          throw new TimeoutException();
        }
      }
    } finally {
      if (open == meeting) open = null;
    }
    return meeting.second;
  }
}
