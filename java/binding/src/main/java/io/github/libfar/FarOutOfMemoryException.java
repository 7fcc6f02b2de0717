package io.github.libfar;

/** A heap, a ring or the pool of contexts is full; the message names what raises the limit. */
public final class FarOutOfMemoryException extends FarException {
  private static final long serialVersionUID = 1L;

  FarOutOfMemoryException(String message) {
    super(message);
  }
}
