// Memory that all ranks reach, for arrays.

#include <cstring>
#include <vector>

#include "jni_calls.hpp"

using far::jni::check;

namespace {

far_ptr ptr_of(jlong memory) { return static_cast<far_ptr>(memory); }

/// A word that has been read, with its sign.
jlong signed_word(std::uint64_t word, jint width) {
  return width == 4 ? static_cast<jlong>(static_cast<std::int32_t>(word))
                    : static_cast<jlong>(word);
}

/// Elements of a Java array, of any type. Nothing may wait meanwhile.
class critical_elements {
 public:
  critical_elements(JNIEnv* env, jobject array, bool changes)
      : env_(env),
        array_(static_cast<jarray>(array)),
        mode_(changes ? 0 : JNI_ABORT),
        first_(env->GetPrimitiveArrayCritical(array_, nullptr)) {}
  ~critical_elements() {
    if (first_ != nullptr) env_->ReleasePrimitiveArrayCritical(array_, first_, mode_);
  }
  critical_elements(const critical_elements&) = delete;
  critical_elements& operator=(const critical_elements&) = delete;

  [[nodiscard]] char* first() const noexcept { return static_cast<char*>(first_); }

 private:
  JNIEnv* env_;
  jarray array_;
  jint mode_;
  void* first_;
};

}  // namespace

FAR_NATIVE(jlong, allocate)(JNIEnv* env, jclass, jlong bytes) {
  far_ptr made = 0;
  check(env, far_allocate(static_cast<uint64_t>(bytes), &made));
  return static_cast<jlong>(made);
}
FAR_NATIVE(void, free)(JNIEnv* env, jclass, jlong memory) { check(env, far_free(ptr_of(memory))); }
FAR_NATIVE(jobject, local)(JNIEnv* env, jclass, jlong memory, jlong bytes) {
  void* place = nullptr;
  if (!check(env, far_local(ptr_of(memory), static_cast<uint64_t>(bytes), &place))) return nullptr;
  return env->NewDirectByteBuffer(place, bytes);
}
FAR_NATIVE(jlong, placeOn)(JNIEnv*, jclass, jlong memory, jint rank, jlong offset) {
  return static_cast<jlong>(far_ptr_plus(far_ptr_on(ptr_of(memory), rank), offset));
}
FAR_NATIVE(jlong, getWord)(JNIEnv* env, jclass, jlong place, jint width) {
  std::uint64_t word = 0;
  check(env, far_get(&word, ptr_of(place), static_cast<size_t>(width)));
  return signed_word(word, width);
}
FAR_NATIVE(void, putWord)(JNIEnv* env, jclass, jlong place, jint width, jlong value) {
  check(env, far_put(ptr_of(place), &value, static_cast<size_t>(width)));
}
FAR_NATIVE(jlong, atomic)
(JNIEnv* env, jclass, jlong place, jint width, jint op, jlong operand, jlong compare) {
  std::uint64_t old = 0;
  check(env, far_atomic(ptr_of(place), width, op, static_cast<uint64_t>(operand),
                        static_cast<uint64_t>(compare), &old));
  return signed_word(old, width);
}
FAR_NATIVE(void, transfer)
(JNIEnv* env, jclass, jlong place, jobject array, jint offset, jint count, jint width,
 jboolean puts) {
  // Through memory of this process, because the transfer may wait.
  const auto bytes = static_cast<size_t>(count) * static_cast<size_t>(width);
  const auto skipped = static_cast<size_t>(offset) * static_cast<size_t>(width);
  std::vector<char> between(bytes);
  if (puts == JNI_TRUE) {
    {
      const critical_elements elements(env, array, false);
      if (elements.first() == nullptr) return;
      std::memcpy(between.data(), elements.first() + skipped, bytes);
    }
    check(env, far_put(ptr_of(place), between.data(), bytes));
    return;
  }
  if (!check(env, far_get(between.data(), ptr_of(place), bytes))) return;
  const critical_elements elements(env, array, true);
  if (elements.first() == nullptr) return;
  std::memcpy(elements.first() + skipped, between.data(), bytes);
}
