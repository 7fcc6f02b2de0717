package io.github.libfar.concurrent;

import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.DoubleBinaryOperator;
import java.util.function.Function;
import java.util.function.IntBinaryOperator;
import java.util.function.LongBinaryOperator;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntBiFunction;
import java.util.function.ToIntFunction;
import java.util.function.ToLongBiFunction;
import java.util.function.ToLongFunction;

/**
 * The bulk operations of a ConcurrentHashMap, by the calling thread, whatever the threshold of
 * parallelism is. They go over a copy.
 */
abstract class ConcurrentBulk<K, V> extends AbstractMap<K, V> {
  abstract ArrayList<ConcurrentHashMap.Entry<K, V>> entries();

  public long mappingCount() {
    return size();
  }

  public void forEach(long threshold, BiConsumer<? super K, ? super V> action) {
    for (Map.Entry<K, V> e : entries()) action.accept(e.getKey(), e.getValue());
  }

  public <U> void forEach(long threshold, BiFunction<? super K, ? super V, ? extends U> f,
      Consumer<? super U> action) {
    for (Map.Entry<K, V> e : entries()) {
      final U u = f.apply(e.getKey(), e.getValue());
      if (u != null) action.accept(u);
    }
  }

  public <U> U search(long threshold, BiFunction<? super K, ? super V, ? extends U> f) {
    for (Map.Entry<K, V> e : entries()) {
      final U u = f.apply(e.getKey(), e.getValue());
      if (u != null) return u;
    }
    return null;
  }

  public <U> U reduce(long threshold, BiFunction<? super K, ? super V, ? extends U> f,
      BiFunction<? super U, ? super U, ? extends U> reducer) {
    U all = null;
    for (Map.Entry<K, V> e : entries()) {
      final U u = f.apply(e.getKey(), e.getValue());
      if (u != null) all = all == null ? u : reducer.apply(all, u);
    }
    return all;
  }

  public int reduceToInt(long threshold, ToIntBiFunction<? super K, ? super V> f, int basis,
      IntBinaryOperator reducer) {
    int all = basis;
    for (Map.Entry<K, V> e : entries()) {
      all = reducer.applyAsInt(all, f.applyAsInt(e.getKey(), e.getValue()));
    }
    return all;
  }

  public long reduceToLong(long threshold, ToLongBiFunction<? super K, ? super V> f, long basis,
      LongBinaryOperator reducer) {
    long all = basis;
    for (Map.Entry<K, V> e : entries()) {
      all = reducer.applyAsLong(all, f.applyAsLong(e.getKey(), e.getValue()));
    }
    return all;
  }

  public double reduceToDouble(long threshold, ToDoubleBiFunction<? super K, ? super V> f,
      double basis, DoubleBinaryOperator reducer) {
    double all = basis;
    for (Map.Entry<K, V> e : entries()) {
      all = reducer.applyAsDouble(all, f.applyAsDouble(e.getKey(), e.getValue()));
    }
    return all;
  }

  public void forEachKey(long threshold, Consumer<? super K> action) {
    for (Map.Entry<K, V> e : entries()) action.accept(e.getKey());
  }

  public <U> void forEachKey(long threshold, Function<? super K, ? extends U> f,
      Consumer<? super U> action) {
    for (Map.Entry<K, V> e : entries()) {
      final U u = f.apply(e.getKey());
      if (u != null) action.accept(u);
    }
  }

  public <U> U searchKeys(long threshold, Function<? super K, ? extends U> f) {
    for (Map.Entry<K, V> e : entries()) {
      final U u = f.apply(e.getKey());
      if (u != null) return u;
    }
    return null;
  }

  public <U> U reduceKeys(long threshold, Function<? super K, ? extends U> f,
      BiFunction<? super U, ? super U, ? extends U> reducer) {
    U all = null;
    for (Map.Entry<K, V> e : entries()) {
      final U u = f.apply(e.getKey());
      if (u != null) all = all == null ? u : reducer.apply(all, u);
    }
    return all;
  }

  public K reduceKeys(long threshold,
      BiFunction<? super K, ? super K, ? extends K> reducer) {
    K all = null;
    for (Map.Entry<K, V> e : entries()) {
      all = all == null ? e.getKey() : reducer.apply(all, e.getKey());
    }
    return all;
  }

  public int reduceKeysToInt(long threshold, ToIntFunction<? super K> f, int basis,
      IntBinaryOperator reducer) {
    int all = basis;
    for (Map.Entry<K, V> e : entries()) {
      all = reducer.applyAsInt(all, f.applyAsInt(e.getKey()));
    }
    return all;
  }

  public long reduceKeysToLong(long threshold, ToLongFunction<? super K> f, long basis,
      LongBinaryOperator reducer) {
    long all = basis;
    for (Map.Entry<K, V> e : entries()) {
      all = reducer.applyAsLong(all, f.applyAsLong(e.getKey()));
    }
    return all;
  }

  public double reduceKeysToDouble(long threshold, ToDoubleFunction<? super K> f, double basis,
      DoubleBinaryOperator reducer) {
    double all = basis;
    for (Map.Entry<K, V> e : entries()) {
      all = reducer.applyAsDouble(all, f.applyAsDouble(e.getKey()));
    }
    return all;
  }

  public void forEachValue(long threshold, Consumer<? super V> action) {
    for (Map.Entry<K, V> e : entries()) action.accept(e.getValue());
  }

  public <U> void forEachValue(long threshold, Function<? super V, ? extends U> f,
      Consumer<? super U> action) {
    for (Map.Entry<K, V> e : entries()) {
      final U u = f.apply(e.getValue());
      if (u != null) action.accept(u);
    }
  }

  public <U> U searchValues(long threshold, Function<? super V, ? extends U> f) {
    for (Map.Entry<K, V> e : entries()) {
      final U u = f.apply(e.getValue());
      if (u != null) return u;
    }
    return null;
  }

  public <U> U reduceValues(long threshold, Function<? super V, ? extends U> f,
      BiFunction<? super U, ? super U, ? extends U> reducer) {
    U all = null;
    for (Map.Entry<K, V> e : entries()) {
      final U u = f.apply(e.getValue());
      if (u != null) all = all == null ? u : reducer.apply(all, u);
    }
    return all;
  }

  public V reduceValues(long threshold,
      BiFunction<? super V, ? super V, ? extends V> reducer) {
    V all = null;
    for (Map.Entry<K, V> e : entries()) {
      all = all == null ? e.getValue() : reducer.apply(all, e.getValue());
    }
    return all;
  }

  public int reduceValuesToInt(long threshold, ToIntFunction<? super V> f, int basis,
      IntBinaryOperator reducer) {
    int all = basis;
    for (Map.Entry<K, V> e : entries()) {
      all = reducer.applyAsInt(all, f.applyAsInt(e.getValue()));
    }
    return all;
  }

  public long reduceValuesToLong(long threshold, ToLongFunction<? super V> f, long basis,
      LongBinaryOperator reducer) {
    long all = basis;
    for (Map.Entry<K, V> e : entries()) {
      all = reducer.applyAsLong(all, f.applyAsLong(e.getValue()));
    }
    return all;
  }

  public double reduceValuesToDouble(long threshold, ToDoubleFunction<? super V> f, double basis,
      DoubleBinaryOperator reducer) {
    double all = basis;
    for (Map.Entry<K, V> e : entries()) {
      all = reducer.applyAsDouble(all, f.applyAsDouble(e.getValue()));
    }
    return all;
  }

  public void forEachEntry(long threshold, Consumer<Map.Entry<K, V>> action) {
    for (Map.Entry<K, V> e : entries()) action.accept(e);
  }

  public <U> void forEachEntry(long threshold, Function<Map.Entry<K, V>, ? extends U> f,
      Consumer<? super U> action) {
    for (Map.Entry<K, V> e : entries()) {
      final U u = f.apply(e);
      if (u != null) action.accept(u);
    }
  }

  public <U> U searchEntries(long threshold, Function<Map.Entry<K, V>, ? extends U> f) {
    for (Map.Entry<K, V> e : entries()) {
      final U u = f.apply(e);
      if (u != null) return u;
    }
    return null;
  }

  public <U> U reduceEntries(long threshold, Function<Map.Entry<K, V>, ? extends U> f,
      BiFunction<? super U, ? super U, ? extends U> reducer) {
    U all = null;
    for (Map.Entry<K, V> e : entries()) {
      final U u = f.apply(e);
      if (u != null) all = all == null ? u : reducer.apply(all, u);
    }
    return all;
  }

  public Map.Entry<K, V> reduceEntries(long threshold,
      BiFunction<Map.Entry<K, V>, Map.Entry<K, V>, ? extends Map.Entry<K, V>> reducer) {
    Map.Entry<K, V> all = null;
    for (Map.Entry<K, V> e : entries()) {
      all = all == null ? e : reducer.apply(all, e);
    }
    return all;
  }

  public int reduceEntriesToInt(long threshold, ToIntFunction<Map.Entry<K, V>> f, int basis,
      IntBinaryOperator reducer) {
    int all = basis;
    for (Map.Entry<K, V> e : entries()) {
      all = reducer.applyAsInt(all, f.applyAsInt(e));
    }
    return all;
  }

  public long reduceEntriesToLong(long threshold, ToLongFunction<Map.Entry<K, V>> f, long basis,
      LongBinaryOperator reducer) {
    long all = basis;
    for (Map.Entry<K, V> e : entries()) {
      all = reducer.applyAsLong(all, f.applyAsLong(e));
    }
    return all;
  }

  public double reduceEntriesToDouble(long threshold, ToDoubleFunction<Map.Entry<K, V>> f,
      double basis, DoubleBinaryOperator reducer) {
    double all = basis;
    for (Map.Entry<K, V> e : entries()) {
      all = reducer.applyAsDouble(all, f.applyAsDouble(e));
    }
    return all;
  }
}
