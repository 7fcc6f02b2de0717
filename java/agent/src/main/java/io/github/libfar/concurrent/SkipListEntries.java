package io.github.libfar.concurrent;

import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;

/** The entries of a ConcurrentSkipListMap; what iterates looks for the next key each time. */
final class SkipListEntries<K, V> extends AbstractSet<Map.Entry<K, V>> {
  private final ConcurrentSkipListMap<K, V> map;

  SkipListEntries(ConcurrentSkipListMap<K, V> map) {
    this.map = map;
  }

  @Override
  public Iterator<Map.Entry<K, V>> iterator() {
    return new Entries<>(map);
  }

  @Override
  public int size() {
    return map.size();
  }

  @Override
  public boolean contains(Object o) {
    return o instanceof Map.Entry<?, ?> e && e.getValue() != null
        && e.getValue().equals(map.get(e.getKey()));
  }

  @Override
  public boolean remove(Object o) {
    return o instanceof Map.Entry<?, ?> e && map.remove(e.getKey(), e.getValue());
  }

  @Override
  public void clear() {
    map.clear();
  }

  private static final class Entries<K, V> implements Iterator<Map.Entry<K, V>> {
    private final ConcurrentSkipListMap<K, V> map;
    private Map.Entry<K, V> next;
    private Map.Entry<K, V> last;

    Entries(ConcurrentSkipListMap<K, V> map) {
      this.map = map;
      next = map.firstEntry();
    }

    @Override
    public boolean hasNext() {
      return next != null;
    }

    @Override
    public Map.Entry<K, V> next() {
      if (next == null) throw new NoSuchElementException();
      last = next;
      next = map.higherEntry(last.getKey());
      return last;
    }

    @Override
    public void remove() {
      if (last == null) throw new IllegalStateException();
      map.remove(last.getKey());
      last = null;
    }
  }

  static <K, V> Iterator<K> keys(ConcurrentSkipListMap<K, V> map) {
    final Entries<K, V> entries = new Entries<>(map);
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return entries.hasNext();
      }

      @Override
      public K next() {
        return entries.next().getKey();
      }

      @Override
      public void remove() {
        entries.remove();
      }
    };
  }
}
