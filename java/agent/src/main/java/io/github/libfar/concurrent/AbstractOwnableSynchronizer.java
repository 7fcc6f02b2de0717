package io.github.libfar.concurrent;

/** java.util.concurrent.locks.AbstractOwnableSynchronizer, over ranks. */
public abstract class AbstractOwnableSynchronizer {
  private volatile Thread owner;

  protected AbstractOwnableSynchronizer() {}

  protected final void setExclusiveOwnerThread(Thread t) {
    owner = t;
  }

  protected final Thread getExclusiveOwnerThread() {
    return owner;
  }
}
