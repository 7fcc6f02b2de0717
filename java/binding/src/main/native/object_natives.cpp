// Objects.

#include <cstring>
#include <vector>

#include "jni_calls.hpp"

#define FAR_OBJECT_NATIVE(type, name) FAR_NATIVE_OF(type, NativeObjects, name)

using far::jni::check;
using far::jni::handle_of;

namespace {

far_space* space_of(jlong space) { return handle_of<far_space>(space); }
const far_type* type_of(jlong type) { return handle_of<const far_type>(type); }
far_ref ref_of(jlong object) { return static_cast<far_ref>(object); }

/// Throws IndexOutOfBoundsException unless the field is inside the type, and aligned.
bool check_field(JNIEnv* env, jlong type, jint offset, jint width) {
  const auto size = far_type_size(type_of(type));
  const bool is_inside =
      offset >= 0 && static_cast<size_t>(offset) + static_cast<size_t>(width) <= size;
  if (is_inside && offset % width == 0) return true;
  const jclass exceptions = env->FindClass("java/lang/IndexOutOfBoundsException");
  if (exceptions != nullptr) env->ThrowNew(exceptions, "the type has no such field there");
  return false;
}

template <class T>
jlong load(const void* place) {
  T value;
  std::memcpy(&value, place, sizeof(value));
  return value;
}

jlong load_field(const void* data, jint offset, jint width) {
  const auto* const place = static_cast<const char*>(data) + offset;
  return width == 4 ? load<jint>(place) : load<jlong>(place);
}

void store_field(void* data, jint offset, jint width, jlong value) {
  std::memcpy(static_cast<char*>(data) + offset, &value, static_cast<size_t>(width));
}

/// A string's characters.
class java_text {
 public:
  java_text(JNIEnv* env, jstring text)
      : env_(env),
        text_(text),
        characters_(text == nullptr ? nullptr : env->GetStringUTFChars(text, nullptr)) {}
  ~java_text() {
    if (characters_ != nullptr) env_->ReleaseStringUTFChars(text_, characters_);
  }
  java_text(const java_text&) = delete;
  java_text& operator=(const java_text&) = delete;

  [[nodiscard]] const char* get() const noexcept { return characters_; }

 private:
  JNIEnv* env_;
  jstring text_;
  const char* characters_;
};

}  // namespace

FAR_OBJECT_NATIVE(jlong, create)
(JNIEnv* env, jclass, jlong heap_bytes, jlong cache_bytes, jboolean copies) {
  far_space_options options{};
  options.heap_bytes = static_cast<uint64_t>(heap_bytes);
  options.cache_bytes = static_cast<uint64_t>(cache_bytes);
  options.force_protocol = copies == JNI_TRUE ? 1 : 0;
  far_space* made = nullptr;
  check(env, far_space_create(&options, &made));
  return handle_of(made);
}
FAR_OBJECT_NATIVE(void, drop)(JNIEnv* env, jclass, jlong space) {
  check(env, far_space_destroy(space_of(space)));
}
FAR_OBJECT_NATIVE(jlong, type)
(JNIEnv* env, jclass, jlong space, jstring name, jint size, jintArray offsets, jintArray widths) {
  const jsize count = env->GetArrayLength(offsets);
  std::vector<jint> places(static_cast<size_t>(count));
  std::vector<jint> bytes(static_cast<size_t>(count));
  env->GetIntArrayRegion(offsets, 0, count, places.data());
  env->GetIntArrayRegion(widths, 0, count, bytes.data());
  std::vector<far_cell> cells;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const bool is_reference = bytes[i] == 0;
    cells.push_back({static_cast<uint32_t>(places[i]),
                     static_cast<uint8_t>(is_reference ? 8 : bytes[i]),
                     static_cast<uint8_t>(is_reference ? 1 : 0)});
  }
  const far_type* made = nullptr;
  const java_text text(env, name);
  check(env, far_type_create(space_of(space), text.get(), static_cast<size_t>(size), cells.data(),
                             cells.size(), &made));
  return handle_of(made);
}
FAR_OBJECT_NATIVE(jlong, make)(JNIEnv* env, jclass, jlong space, jlong type, jlong length) {
  far_ref made = 0;
  check(env, length < 0 ? far_object_make(space_of(space), type_of(type), &made)
                        : far_array_make(space_of(space), type_of(type),
                                         static_cast<uint64_t>(length), &made));
  return static_cast<jlong>(made);
}
FAR_OBJECT_NATIVE(jlong, length)(JNIEnv* env, jclass, jlong space, jlong array, jlong type) {
  uint64_t length = 0;
  check(env, far_array_length(space_of(space), ref_of(array), type_of(type), &length));
  return static_cast<jlong>(length);
}
FAR_OBJECT_NATIVE(jlong, get)
(JNIEnv* env, jclass, jlong space, jlong object, jlong type, jint offset, jint width) {
  const void* data = nullptr;
  if (!check_field(env, type, offset, width) ||
      !check(env, far_object_read(space_of(space), ref_of(object), type_of(type), &data))) {
    return 0;
  }
  return load_field(data, offset, width);
}
FAR_OBJECT_NATIVE(void, set)
(JNIEnv* env, jclass, jlong space, jlong object, jlong type, jint offset, jint width, jlong value) {
  void* data = nullptr;
  if (check_field(env, type, offset, width) &&
      check(env, far_object_write(space_of(space), ref_of(object), type_of(type), &data))) {
    store_field(data, offset, width, value);
  }
}
FAR_OBJECT_NATIVE(jlong, getElement)
(JNIEnv* env, jclass, jlong space, jlong array, jlong type, jlong i, jint offset, jint width) {
  const void* data = nullptr;
  uint64_t count = 0;
  if (!check_field(env, type, offset, width) ||
      !check(env, far_array_read(space_of(space), ref_of(array), type_of(type),
                                 static_cast<uint64_t>(i), &data, &count))) {
    return 0;
  }
  return load_field(data, offset, width);
}
FAR_OBJECT_NATIVE(void, setElement)
(JNIEnv* env, jclass, jlong space, jlong array, jlong type, jlong i, jint offset, jint width,
 jlong value) {
  void* data = nullptr;
  uint64_t count = 0;
  if (check_field(env, type, offset, width) &&
      check(env, far_array_write(space_of(space), ref_of(array), type_of(type),
                                 static_cast<uint64_t>(i), &data, &count))) {
    store_field(data, offset, width, value);
  }
}
FAR_OBJECT_NATIVE(void, setRoot)
(JNIEnv* env, jclass, jlong space, jstring name, jlong object, jlong type) {
  const java_text text(env, name);
  check(env, far_root_set(space_of(space), text.get(), ref_of(object), type_of(type)));
}
FAR_OBJECT_NATIVE(jlong, root)(JNIEnv* env, jclass, jlong space, jstring name) {
  const java_text text(env, name);
  far_ref found = 0;
  check(env, far_root_get(space_of(space), text.get(), &found));
  return static_cast<jlong>(found);
}
FAR_OBJECT_NATIVE(void, keep)(JNIEnv* env, jclass, jlong space, jlong object) {
  check(env, far_object_keep(space_of(space), ref_of(object)));
}
FAR_OBJECT_NATIVE(void, release)(JNIEnv* env, jclass, jlong space, jlong object) {
  check(env, far_object_release(space_of(space), ref_of(object)));
}
FAR_OBJECT_NATIVE(void, publish)(JNIEnv* env, jclass, jlong space) {
  check(env, far_publish(space_of(space)));
}
FAR_OBJECT_NATIVE(void, refresh)(JNIEnv* env, jclass, jlong space) {
  check(env, far_refresh(space_of(space)));
}
FAR_OBJECT_NATIVE(void, collect)(JNIEnv* env, jclass, jlong space) {
  check(env, far_collect(space_of(space)));
}
FAR_OBJECT_NATIVE(void, enter)(JNIEnv* env, jclass, jlong space, jlong object) {
  check(env, far_monitor_enter(space_of(space), ref_of(object)));
}
FAR_OBJECT_NATIVE(void, exit)(JNIEnv* env, jclass, jlong space, jlong object) {
  check(env, far_monitor_exit(space_of(space), ref_of(object)));
}
FAR_OBJECT_NATIVE(jboolean, await)(JNIEnv* env, jclass, jlong space, jlong object, jlong nanos) {
  far_wait_end end = FAR_TIMED_OUT;
  check(env, far_monitor_wait(space_of(space), ref_of(object), far::jni::timeout_of(nanos), &end));
  return end == FAR_NOTIFIED ? JNI_TRUE : JNI_FALSE;
}
FAR_OBJECT_NATIVE(void, signal)(JNIEnv* env, jclass, jlong space, jlong object, jboolean all) {
  check(env, all == JNI_TRUE ? far_monitor_notify_all(space_of(space), ref_of(object))
                             : far_monitor_notify(space_of(space), ref_of(object)));
}
