// The native methods of io.github.libfar.shared.Native that compare arrays of numbers, and places
// of references. They are here because the JVM would interpret them when a program's first, and
// often only, arrays are shared: a compiler's loop is faster by 50 times then.
//
// Threads of the program may write the array meanwhile: each word of it is read once.

#include <jni.h>

#include <cstdint>
#include <cstring>

namespace {

/// The elements of two Java arrays. The JVM moves neither as long as this lives; nothing may wait.
class pinned {
 public:
  pinned(JNIEnv* env, jarray a, jarray b)
      : env_(env),
        a_(a),
        b_(b),
        first(static_cast<char*>(env->GetPrimitiveArrayCritical(a, nullptr))),
        second(static_cast<char*>(env->GetPrimitiveArrayCritical(b, nullptr))) {}
  pinned(const pinned&) = delete;
  pinned& operator=(const pinned&) = delete;
  ~pinned() {
    env_->ReleasePrimitiveArrayCritical(b_, second, 0);
    env_->ReleasePrimitiveArrayCritical(a_, first, 0);
  }

 private:
  JNIEnv* env_;
  jarray a_;
  jarray b_;

 public:
  char* const first;
  char* const second;
};

template <class T>
T load(const char* at) {
  return __atomic_load_n(reinterpret_cast<const T*>(at), __ATOMIC_RELAXED);
}

template <class T>
void store(char* at, T value) {
  __atomic_store_n(reinterpret_cast<T*>(at), value, __ATOMIC_RELAXED);
}

constexpr std::int64_t word = 8;
constexpr std::int64_t block = 64;

/// Where the next block with a difference begins, from an aligned offset on, or the last few bytes.
std::int64_t next_different(const char* a, const char* b, std::int64_t at, std::int64_t end) {
  for (; at + block <= end; at += block) {
    std::uint64_t differs = 0;
    for (std::int64_t i = 0; i < block; i += word) {
      differs |= load<std::uint64_t>(a + at + i) ^ load<std::uint64_t>(b + at + i);
    }
    if (differs != 0) break;
  }
  return at;
}

/// Whether each element of type T of a word is another one: then none of these is 0.
template <class T>
bool all_differ(std::uint64_t difference) {
  if constexpr (sizeof(T) == word) return difference != 0;
  constexpr std::uint64_t ones = ~std::uint64_t{0} / static_cast<T>(~T{0});
  constexpr std::uint64_t tops = ones << (8 * sizeof(T) - 1);
  return ((difference - ones) & ~difference & tops) == 0;
}

template <class T>
constexpr std::int64_t width = sizeof(T);

template <class T>
void copy_element(const char* from, char* baseline, char* to, std::int64_t at) {
  const T value = load<T>(from + at);
  if (value == load<T>(baseline + at)) return;
  store<T>(baseline + at, value);
  store<T>(to + at, value);
}

template <class T>
void copy_word(const char* from, char* baseline, char* to, std::int64_t at) {
  const auto value = load<std::uint64_t>(from + at);
  const auto difference = value ^ load<std::uint64_t>(baseline + at);
  if (difference == 0) return;
  if (all_differ<T>(difference)) {
    store<std::uint64_t>(baseline + at, value);
    store<std::uint64_t>(to + at, value);
  } else {
    for (std::int64_t i = 0; i < word; i += width<T>) copy_element<T>(from, baseline, to, at + i);
  }
}

/// What differs between `from` and `baseline` goes to `baseline` and `to`, and nothing else: others
/// may be writing the elements beside it. The offsets are in bytes.
template <class T>
void copy_different(const char* from, char* baseline, char* to, std::int64_t at, std::int64_t end) {
  for (; at < end && at % word != 0; at += width<T>) copy_element<T>(from, baseline, to, at);
  while ((at = next_different(from, baseline, at, end)) + block <= end) {
    for (const std::int64_t stop = at + block; at < stop; at += word) {
      copy_word<T>(from, baseline, to, at);
    }
  }
  for (; at + word <= end; at += word) copy_word<T>(from, baseline, to, at);
  for (; at < end; at += width<T>) copy_element<T>(from, baseline, to, at);
}

void copy_different(const char* from, char* baseline, char* to, std::int64_t at, std::int64_t end,
                    jint bytes) {
  switch (bytes) {
    case 8:
      return copy_different<std::uint64_t>(from, baseline, to, at, end);
    case 4:
      return copy_different<std::uint32_t>(from, baseline, to, at, end);
    case 2:
      return copy_different<std::uint16_t>(from, baseline, to, at, end);
    default:
      return copy_different<std::uint8_t>(from, baseline, to, at, end);
  }
}

}  // namespace

#define FAR_JAVA(result, name, ...)                                               \
  extern "C" JNIEXPORT result JNICALL Java_io_github_libfar_shared_Native_##name( \
      JNIEnv* env, jclass, ##__VA_ARGS__)

FAR_JAVA(jlong, mismatch, jarray a, jarray b, jlong begin, jlong end) {
  const pinned arrays(env, a, b);
  std::int64_t at = begin;
  const auto differs = [&] { return arrays.first[at] != arrays.second[at]; };
  for (; at < end && at % word != 0; ++at) {
    if (differs()) return at;
  }
  at = next_different(arrays.first, arrays.second, at, end);
  while (at < end && !differs()) ++at;
  return at;
}

FAR_JAVA(void, writeDifferent, jarray array, jarray twin, jlong address, jlong begin, jlong end,
         jint width) {
  const pinned arrays(env, array, twin);
  copy_different(arrays.first, arrays.second, reinterpret_cast<char*>(address), begin, end, width);
}

FAR_JAVA(void, readDifferent, jarray array, jarray twin, jlong address, jlong begin, jlong end,
         jint width) {
  const pinned arrays(env, array, twin);
  copy_different(reinterpret_cast<const char*>(address), arrays.second, arrays.first, begin, end,
                 width);
}

FAR_JAVA(jint, nextDifferent, jlongArray words, jlong address, jint begin, jint end) {
  auto* const seen = static_cast<char*>(env->GetPrimitiveArrayCritical(words, nullptr));
  const char* const there = reinterpret_cast<const char*>(address);
  std::int64_t at = next_different(seen, there, begin * word, end * word);
  while (at < end * word && load<std::uint64_t>(seen + at) == load<std::uint64_t>(there + at)) {
    at += word;
  }
  env->ReleasePrimitiveArrayCritical(words, seen, JNI_ABORT);
  return static_cast<jint>(at / word);
}

FAR_JAVA(void, writeNotZero, jarray array, jlong address, jlong begin, jlong end) {
  constexpr std::int64_t page = 4096;
  static constexpr char zeros[page] = {};
  auto* const from = static_cast<char*>(env->GetPrimitiveArrayCritical(array, nullptr));
  for (std::int64_t at = begin; at < end;) {
    const std::int64_t n = end - at < page - at % page ? end - at : page - at % page;
    if (std::memcmp(from + at, zeros, static_cast<std::size_t>(n)) != 0) {
      std::memcpy(reinterpret_cast<char*>(address) + at, from + at, static_cast<std::size_t>(n));
    }
    at += n;
  }
  env->ReleasePrimitiveArrayCritical(array, from, JNI_ABORT);
}
