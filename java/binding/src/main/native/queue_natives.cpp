// Queues.

#include "jni_calls.hpp"

using far::jni::check;
using far::jni::handle_of;

FAR_NATIVE(jlong, queueCreate)(JNIEnv* env, jclass, jint host, jlong capacity, jint max_bytes) {
  far_queue* made = nullptr;
  if (capacity < 0 || max_bytes < 0) capacity = max_bytes = 0;  // refused with the same words
  check(env, far_queue_create(host, static_cast<uint64_t>(capacity), static_cast<size_t>(max_bytes),
                              &made));
  return handle_of(made);
}
FAR_NATIVE(void, queueDrop)(JNIEnv* env, jclass, jlong queue) {
  check(env, far_queue_destroy(handle_of<far_queue>(queue)));
}
FAR_NATIVE(jboolean, queuePush)
(JNIEnv* env, jclass, jlong queue, jbyteArray element, jboolean waits) {
  const far::jni::java_bytes bytes(env, element);
  if (!bytes.are_there()) return JNI_FALSE;
  int pushed = 1;
  auto* const it = handle_of<far_queue>(queue);
  if (waits == JNI_TRUE) {
    check(env, far_queue_push(it, bytes.data(), bytes.size()));
  } else {
    check(env, far_queue_try_push(it, bytes.data(), bytes.size(), &pushed));
  }
  return pushed != 0 ? JNI_TRUE : JNI_FALSE;
}
FAR_NATIVE(jbyteArray, queuePop)(JNIEnv* env, jclass, jlong queue, jboolean waits) {
  const void* bytes = nullptr;
  size_t count = 0;
  auto* const it = handle_of<far_queue>(queue);
  const far_status status =
      waits == JNI_TRUE ? far_queue_pop(it, &bytes, &count) : far_queue_try_pop(it, &bytes, &count);
  if (!check(env, status) || bytes == nullptr) return nullptr;
  return far::jni::bytes_of(env, bytes, count);
}
