package io.github.libfar.shared;

/** The key of a thread's own variable that new threads get from the one that makes them. */
public interface Inheritable {
  Object valueOfChild(Object value);
}
