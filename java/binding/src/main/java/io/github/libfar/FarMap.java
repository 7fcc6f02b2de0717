package io.github.libfar;

import java.util.function.BiConsumer;

/**
 * A hash map over all ranks, which grows as needed. Each key is at the rank that its hash says, which
 * performs the operations on it: a message each way, or a lock and a search for a rank's own keys.
 *
 * <p>Operations on a key take place one after the other; a thread sees what others had done before.
 * Null is neither a key nor a value.
 *
 * @param <K> keys
 * @param <V> values
 */
public final class FarMap<K, V> implements AutoCloseable {
  private final Handle handle;
  private final Codec<K> keys;
  private final Codec<V> values;

  /**
   * Collective: makes an empty map.
   *
   * @param job the job
   * @param keys how keys travel
   * @param values how values do
   */
  public FarMap(Job job, Codec<K> keys, Codec<V> values) {
    this.handle = new Handle(Native.mapCreate(), "the map", Native::mapDrop);
    this.keys = keys;
    this.values = values;
  }

  /**
   * Sets a key's value.
   *
   * @param key the key
   * @param value its value from here on
   * @return whether the key is new
   */
  public boolean put(K key, V value) {
    return Native.mapPut(handle.get(), keys.encode(key), values.encode(value));
  }

  /**
   * Sets a key's value if it has none.
   *
   * @param key the key
   * @param value its value, if it is new
   * @return whether it is
   */
  public boolean putIfAbsent(K key, V value) {
    return Native.mapPutNew(handle.get(), keys.encode(key), values.encode(value));
  }

  /**
   * A key's value.
   *
   * @param key the key
   * @return its value, or null
   */
  public V get(K key) {
    byte[] found = Native.mapGet(handle.get(), keys.encode(key));
    return found == null ? null : values.decode(found);
  }

  /**
   * A key's value, or another.
   *
   * @param key the key
   * @param otherwise what to return if it has none
   * @return the value
   */
  public V getOrDefault(K key, V otherwise) {
    V found = get(key);
    return found == null ? otherwise : found;
  }

  /**
   * Removes a key.
   *
   * @param key the key
   * @return whether it was there
   */
  public boolean remove(K key) {
    return Native.mapRemove(handle.get(), keys.encode(key));
  }

  /**
   * Collective: the number of keys of all ranks.
   *
   * @return their number
   */
  public long size() {
    return Native.mapSize(handle.get());
  }

  /** Collective: removes all keys. */
  public void clear() {
    Native.mapClear(handle.get());
  }

  /**
   * Visits the keys that are at this rank; all ranks together visit all. Others may change the map
   * meanwhile.
   *
   * @param visitor is called with each key and value
   */
  public void forEachLocal(BiConsumer<? super K, ? super V> visitor) {
    byte[][] items = Native.mapItems(handle.get());
    for (int i = 0; i < items.length; i += 2) {
      visitor.accept(keys.decode(items[i]), values.decode(items[i + 1]));
    }
  }

  /** This rank does not use it any more. Never waits. */
  @Override
  public void close() {
    handle.close();
  }
}
