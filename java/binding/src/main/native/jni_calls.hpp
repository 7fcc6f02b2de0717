#pragma once
// What the native methods of io.github.libfar.Native share.

#include <jni.h>

#include <cstddef>
#include <cstdint>

#include "far/c.h"

/// A native method of a class of io.github.libfar.
#define FAR_NATIVE_OF(type, class, name) \
  extern "C" JNIEXPORT type JNICALL Java_io_github_libfar_##class##_##name
#define FAR_NATIVE(type, name) FAR_NATIVE_OF(type, Native, name)

namespace far::jni {

/// Throws the Java exception of a status. Returns whether it was FAR_OK.
bool check(JNIEnv* env, far_status status);

/// Negative: no limit.
inline std::uint64_t timeout_of(jlong nanos) {
  return nanos < 0 ? FAR_FOREVER : static_cast<std::uint64_t>(nanos);
}

template <class T>
[[nodiscard]] T* handle_of(jlong handle) {
  return reinterpret_cast<T*>(handle);
}
template <class T>
[[nodiscard]] jlong handle_of(T* handle) {
  return reinterpret_cast<jlong>(handle);
}

/// New bytes of Java; null with an exception if there is no memory.
[[nodiscard]] jbyteArray bytes_of(JNIEnv* env, const void* bytes, std::size_t count);

/// Bytes of Java. Null with an exception, NullPointerException, for a null array.
class java_bytes {
 public:
  java_bytes(JNIEnv* env, jbyteArray array);
  ~java_bytes();
  java_bytes(const java_bytes&) = delete;
  java_bytes& operator=(const java_bytes&) = delete;

  [[nodiscard]] bool are_there() const noexcept { return bytes_ != nullptr; }
  [[nodiscard]] const void* data() const noexcept { return bytes_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

 private:
  JNIEnv* env_;
  jbyteArray array_;
  jbyte* bytes_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace far::jni
