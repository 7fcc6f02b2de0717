// The native methods of io.github.libfar.shared.Native: one line of work each.

#include <jni.h>

#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "rank.hpp"

namespace {

using far::objects::place;
using far::objects::type_descriptor;

/// Not destroyed at the end: threads of Java may use it as long. Null: the JVM is alone.
far::java::rank* rank;

/// Runs f. An error ends the job with a line: Java code could not go on.
template <class F>
auto guarded(F f) noexcept -> std::invoke_result_t<F> {
  try {
    return f();
  } catch (const far::rank_failed& failure) {
    // The launcher says which rank has died.
    std::_Exit(1);
  } catch (const far::out_of_memory& failure) {
    std::fprintf(
        stderr,
        "far java: no memory for more shared objects: raise -Dfar.heap=BYTES, or for copies "
        "-Dfar.cache=BYTES (%s)\n",
        failure.what());
    far::exit_job(1);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "far java: %s\n", failure.what());
    far::exit_job(1);
  }
}

const type_descriptor& type_of(jlong type) {
  return *reinterpret_cast<const type_descriptor*>(type);
}

place place_of(jlong bits) { return place(static_cast<std::uint64_t>(bits)); }

std::string text_of(JNIEnv* env, jstring text) {
  const char* const characters = env->GetStringUTFChars(text, nullptr);
  std::string copy(characters);
  env->ReleaseStringUTFChars(text, characters);
  return copy;
}

std::vector<jint> ints_of(JNIEnv* env, jintArray array) {
  std::vector<jint> values(static_cast<std::size_t>(env->GetArrayLength(array)));
  env->GetIntArrayRegion(array, 0, static_cast<jsize>(values.size()), values.data());
  return values;
}

far::atomic_ref<std::int64_t> word_at(jlong object, jlong offset) {
  const auto at = rank->data().at_home(place_of(object), static_cast<std::size_t>(offset));
  return {rank->data_world(), far::reinterpret_pointer_cast<std::int64_t>(at)};
}

}  // namespace

#define FAR_JAVA(result, name, ...)                                               \
  extern "C" JNIEXPORT result JNICALL Java_io_github_libfar_shared_Native_##name( \
      [[maybe_unused]] JNIEnv* env, jclass, ##__VA_ARGS__)

FAR_JAVA(jint, join, jboolean copies, jlong heap, jlong cache) {
  return guarded([&] {
    far::object_space_options options;
    options.force_protocol = copies != JNI_FALSE;
    options.heap_bytes = static_cast<std::uint64_t>(heap);
    options.cache_bytes = static_cast<std::uint64_t>(cache);
    options.collects = false;  // Java does: what its objects refer to is not used any more first
    options.tracks_changes = true;
    auto joined = std::make_unique<far::java::rank>(options);
    if (joined->world().size() == 1) return 0;  // it leaves the job: nothing is ever shared
    rank = joined.release();
    return rank->world().rank();
  });
}

FAR_JAVA(jint, size) { return rank == nullptr ? 1 : rank->world().size(); }

FAR_JAVA(jboolean, coherent) { return rank->part().coherent ? JNI_TRUE : JNI_FALSE; }

FAR_JAVA(void, barrier) {
  guarded([] { rank->barrier(); });
}

FAR_JAVA(void, exit__I, jint status) { far::exit_job(status); }

FAR_JAVA(jlong, type, jstring name, jint size, jintArray offsets, jintArray widths) {
  return guarded([&] {
    const std::vector<jint> at = ints_of(env, offsets);
    const std::vector<jint> width = ints_of(env, widths);
    std::vector<far::objects::cell> cells;
    for (std::size_t i = 0; i < at.size(); ++i) {
      cells.push_back({static_cast<std::uint32_t>(at[i]),
                       static_cast<std::uint8_t>(width[i] == 0 ? 8 : width[i]), width[i] == 0});
    }
    return reinterpret_cast<jlong>(
        rank->add_type(text_of(env, name), static_cast<std::size_t>(size), std::move(cells)));
  });
}

FAR_JAVA(jlong, make, jlong type, jlong n) {
  return guarded([&] {
    const auto count = static_cast<std::uint64_t>(n < 0 ? 1 : n);
    const place made = rank->data().make(type_of(type), count, n >= 0);
    rank->part().keep(made);
    rank->made_bytes += count * type_of(type).size();
    return static_cast<jlong>(made.bits());
  });
}

FAR_JAVA(jlong, at, jlong object, jlong type, jboolean write) {
  return guarded([&] {
    auto& data = rank->data();
    const place at = place_of(object);
    std::byte* found = write != JNI_FALSE ? data.writable(at) : data.readable(at);
    if (found == nullptr) {
      found = write != JNI_FALSE ? data.get_writable(at, type_of(type))
                                 : data.get_readable(at, type_of(type));
    }
    return reinterpret_cast<jlong>(found);
  });
}

FAR_JAVA(jlong, elements, jlong array, jlong type, jlong i, jboolean write, jlongArray count) {
  return guarded([&] {
    const auto found = rank->data().elements_from(place_of(array), static_cast<std::uint64_t>(i),
                                                  type_of(type), write != JNI_FALSE);
    const auto n = static_cast<jlong>(found.count);
    env->SetLongArrayRegion(count, 0, 1, &n);
    return reinterpret_cast<jlong>(found.first);
  });
}

FAR_JAVA(void, head, jlong object, jlongArray words) {
  guarded([&] {
    const jlong head[2] = {word_at(object, 0).load(), word_at(object, 8).load()};
    env->SetLongArrayRegion(words, 0, 2, head);
  });
}

FAR_JAVA(void, publish) {
  guarded([] { rank->data().publish(); });
}

FAR_JAVA(void, refresh) {
  guarded([] { rank->data().refresh(); });
}

FAR_JAVA(void, keep, jlong object) {
  guarded([&] { rank->part().keep(place_of(object)); });
}

FAR_JAVA(void, release, jlongArray objects, jint n) {
  guarded([&] {
    std::vector<jlong> all(static_cast<std::size_t>(n));
    env->GetLongArrayRegion(objects, 0, n, all.data());
    for (const jlong object : all) rank->part().release(place_of(object));
  });
}

FAR_JAVA(void, park) {
  guarded([] { rank->data().begin_outside(); });
}

FAR_JAVA(void, unpark) {
  guarded([] {
    rank->data().end_outside();
    rank->made_bytes = 0;
  });
}

FAR_JAVA(jlong, made) { return static_cast<jlong>(rank->made_bytes); }

FAR_JAVA(jlong, used) {
  const std::scoped_lock lock(rank->part().mutex);
  return static_cast<jlong>(rank->part().heap.used());
}

FAR_JAVA(jlong, heapBytes) { return static_cast<jlong>(rank->part().heap.bytes()); }

FAR_JAVA(void, collect) {
  guarded([] {
    rank->data().collect();
    rank->made_bytes = 0;
  });
}

FAR_JAVA(jlongArray, takeChanged) {
  return guarded([&]() -> jlongArray {
    const std::vector<place> changed = rank->part().take_changed();
    if (changed.empty()) return nullptr;
    std::vector<jlong> bits;
    for (const place at : changed) bits.push_back(static_cast<jlong>(at.bits()));
    const auto n = static_cast<jsize>(bits.size());
    const jlongArray result = env->NewLongArray(n);
    if (result != nullptr) env->SetLongArrayRegion(result, 0, n, bits.data());
    return result;
  });
}

FAR_JAVA(void, setRoot, jstring name, jlong object, jlong type) {
  guarded([&] { rank->data().set_root(text_of(env, name), place_of(object), type_of(type)); });
}

FAR_JAVA(jlong, root, jstring name, jlong type) {
  return guarded([&] {
    return static_cast<jlong>(rank->data().root(text_of(env, name), type_of(type)).bits());
  });
}

FAR_JAVA(jlong, load, jlong object, jlong offset) {
  return guarded([&] { return static_cast<jlong>(word_at(object, offset).load()); });
}

FAR_JAVA(void, store, jlong object, jlong offset, jlong value) {
  guarded([&] { (void)word_at(object, offset).exchange(value); });
}

FAR_JAVA(jlong, fetchAdd, jlong object, jlong offset, jlong value) {
  return guarded([&] { return static_cast<jlong>(word_at(object, offset).fetch_add(value)); });
}

FAR_JAVA(jlong, compareExchange, jlong object, jlong offset, jlong expected, jlong desired) {
  return guarded([&] {
    std::int64_t seen = expected;
    word_at(object, offset).compare_exchange(seen, desired);
    return static_cast<jlong>(seen);
  });
}

FAR_JAVA(jint, threads) { return rank->threads(); }

FAR_JAVA(void, enter, jint thread, jlong object) {
  guarded([&] { rank->enter(thread, place_of(object)); });
}

FAR_JAVA(void, exit__IJ, jint thread, jlong object) {
  guarded([&] { rank->exit(thread, place_of(object)); });
}

FAR_JAVA(void, post, jint thread, jint to, jlong kind, jlong a, jlong b) {
  guarded([&] {
    rank->post(thread, to,
               {static_cast<std::uint64_t>(kind), static_cast<std::uint64_t>(a),
                static_cast<std::uint64_t>(b)});
  });
}

FAR_JAVA(void, take, jint thread, jlongArray message) {
  guarded([&] {
    const auto m = rank->take(thread);
    const jlong words[3] = {static_cast<jlong>(m.kind), static_cast<jlong>(m.a),
                            static_cast<jlong>(m.b)};
    env->SetLongArrayRegion(message, 0, 3, words);
  });
}
