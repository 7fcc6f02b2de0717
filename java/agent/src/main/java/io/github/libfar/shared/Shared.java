package io.github.libfar.shared;

/**
 * An object that ranks can share. Rewritten classes implement it: by SharedObject where that can be
 * their superclass, else by methods that the agent adds.
 */
public interface Shared {
  /** The object may be read and written. */
  byte WRITABLE = 0;
  /** It may be read. Before it is written, the run time keeps a twin of it. */
  byte READABLE = 1;
  /** Others may have changed it since: it is brought up to date before it is read. */
  byte STALE = -1;

  byte far$state();

  void far$state(byte state);

  /** What the rank knows of the object as others see it; null: no other rank knows the object. */
  Mirror far$mirror();

  void far$mirror(Mirror mirror);
}
