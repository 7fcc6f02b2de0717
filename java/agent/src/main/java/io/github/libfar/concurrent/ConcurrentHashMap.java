package io.github.libfar.concurrent;

import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * java.util.concurrent.ConcurrentHashMap, over ranks: 16 maps, each with a monitor. What iterates
 * sees each of them as it is at one time.
 */
public class ConcurrentHashMap<K, V> extends AbstractMap<K, V> implements ConcurrentMap<K, V> {
  private static final int PARTS = 16;

  private final ArrayList<HashMap<K, V>> parts = new ArrayList<>();

  public ConcurrentHashMap() {
    for (int k = 0; k < PARTS; k++) parts.add(new HashMap<>());
  }

  public ConcurrentHashMap(int capacity) {
    this();
  }

  public ConcurrentHashMap(int capacity, float load) {
    this();
  }

  public ConcurrentHashMap(int capacity, float load, int concurrency) {
    this();
  }

  public ConcurrentHashMap(Map<? extends K, ? extends V> from) {
    this();
    putAll(from);
  }

  public static <T> Set<T> newKeySet() {
    return Collections.newSetFromMap(new ConcurrentHashMap<>());
  }

  private HashMap<K, V> part(Object key) {
    final int hash = key.hashCode() * 0x9e3779b9;
    return parts.get(hash >>> 28);
  }

  @Override
  public V get(Object key) {
    final HashMap<K, V> part = part(key);
    synchronized (part) {
      return part.get(key);
    }
  }

  @Override
  public boolean containsKey(Object key) {
    return get(key) != null;
  }

  @Override
  public V getOrDefault(Object key, V otherwise) {
    final V found = get(key);
    return found == null ? otherwise : found;
  }

  @Override
  public V put(K key, V value) {
    if (value == null) throw new NullPointerException();
    final HashMap<K, V> part = part(key);
    synchronized (part) {
      return part.put(key, value);
    }
  }

  @Override
  public V putIfAbsent(K key, V value) {
    if (value == null) throw new NullPointerException();
    final HashMap<K, V> part = part(key);
    synchronized (part) {
      return part.putIfAbsent(key, value);
    }
  }

  @Override
  public V remove(Object key) {
    final HashMap<K, V> part = part(key);
    synchronized (part) {
      return part.remove(key);
    }
  }

  @Override
  public boolean remove(Object key, Object value) {
    final HashMap<K, V> part = part(key);
    synchronized (part) {
      return part.remove(key, value);
    }
  }

  @Override
  public V replace(K key, V value) {
    final HashMap<K, V> part = part(key);
    synchronized (part) {
      return part.replace(key, value);
    }
  }

  @Override
  public boolean replace(K key, V old, V value) {
    final HashMap<K, V> part = part(key);
    synchronized (part) {
      return part.replace(key, old, value);
    }
  }

  @Override
  public V computeIfAbsent(K key, Function<? super K, ? extends V> f) {
    final HashMap<K, V> part = part(key);
    synchronized (part) {
      return part.computeIfAbsent(key, f);
    }
  }

  @Override
  public V computeIfPresent(K key, BiFunction<? super K, ? super V, ? extends V> f) {
    final HashMap<K, V> part = part(key);
    synchronized (part) {
      return part.computeIfPresent(key, f);
    }
  }

  @Override
  public V compute(K key, BiFunction<? super K, ? super V, ? extends V> f) {
    final HashMap<K, V> part = part(key);
    synchronized (part) {
      return part.compute(key, f);
    }
  }

  @Override
  public V merge(K key, V value, BiFunction<? super V, ? super V, ? extends V> f) {
    final HashMap<K, V> part = part(key);
    synchronized (part) {
      return part.merge(key, value, f);
    }
  }

  @Override
  public int size() {
    int n = 0;
    for (HashMap<K, V> part : parts) {
      synchronized (part) {
        n += part.size();
      }
    }
    return n;
  }

  public long mappingCount() {
    return size();
  }

  @Override
  public void clear() {
    for (HashMap<K, V> part : parts) {
      synchronized (part) {
        part.clear();
      }
    }
  }

  @Override
  public void forEach(BiConsumer<? super K, ? super V> f) {
    for (Map.Entry<K, V> e : entrySet()) f.accept(e.getKey(), e.getValue());
  }

  /** A copy. */
  @Override
  public Set<Map.Entry<K, V>> entrySet() {
    final LinkedHashMap<K, V> copy = new LinkedHashMap<>();
    for (HashMap<K, V> part : parts) {
      synchronized (part) {
        copy.putAll(part);
      }
    }
    return copy.entrySet();
  }
}
