// Maps.

#include <string>
#include <vector>

#include "jni_calls.hpp"

using far::jni::bytes_of;
using far::jni::check;
using far::jni::handle_of;
using far::jni::java_bytes;

namespace {

using put_function = far_status(far_map*, const void*, size_t, const void*, size_t, int*);

jboolean put(JNIEnv* env, put_function* how, jlong map, jbyteArray key, jbyteArray value) {
  const java_bytes k(env, key);
  if (!k.are_there()) return JNI_FALSE;
  const java_bytes v(env, value);
  if (!v.are_there()) return JNI_FALSE;
  int added = 0;
  check(env, how(handle_of<far_map>(map), k.data(), k.size(), v.data(), v.size(), &added));
  return added != 0 ? JNI_TRUE : JNI_FALSE;
}

int keep_item(void* items, const void* key, size_t key_bytes, const void* value,
              size_t value_bytes) {
  auto& all = *static_cast<std::vector<std::string>*>(items);
  all.emplace_back(static_cast<const char*>(key), key_bytes);
  all.emplace_back(static_cast<const char*>(value), value_bytes);
  return 0;
}

}  // namespace

FAR_NATIVE(jlong, mapCreate)(JNIEnv* env, jclass) {
  far_map* made = nullptr;
  check(env, far_map_create(&made));
  return handle_of(made);
}
FAR_NATIVE(void, mapDrop)(JNIEnv* env, jclass, jlong map) {
  check(env, far_map_destroy(handle_of<far_map>(map)));
}
FAR_NATIVE(jboolean, mapPut)(JNIEnv* env, jclass, jlong map, jbyteArray key, jbyteArray value) {
  return put(env, far_map_put, map, key, value);
}
FAR_NATIVE(jboolean, mapPutNew)
(JNIEnv* env, jclass, jlong map, jbyteArray key, jbyteArray value) {
  return put(env, far_map_put_new, map, key, value);
}
FAR_NATIVE(jbyteArray, mapGet)(JNIEnv* env, jclass, jlong map, jbyteArray key) {
  const java_bytes k(env, key);
  if (!k.are_there()) return nullptr;
  const void* value = nullptr;
  size_t bytes = 0;
  if (!check(env, far_map_get(handle_of<far_map>(map), k.data(), k.size(), &value, &bytes))) {
    return nullptr;
  }
  return value == nullptr ? nullptr : bytes_of(env, value, bytes);
}
FAR_NATIVE(jboolean, mapRemove)(JNIEnv* env, jclass, jlong map, jbyteArray key) {
  const java_bytes k(env, key);
  if (!k.are_there()) return JNI_FALSE;
  int removed = 0;
  check(env, far_map_remove(handle_of<far_map>(map), k.data(), k.size(), &removed));
  return removed != 0 ? JNI_TRUE : JNI_FALSE;
}
FAR_NATIVE(jlong, mapSize)(JNIEnv* env, jclass, jlong map) {
  uint64_t keys = 0;
  check(env, far_map_size(handle_of<far_map>(map), &keys));
  return static_cast<jlong>(keys);
}
FAR_NATIVE(void, mapClear)(JNIEnv* env, jclass, jlong map) {
  check(env, far_map_clear(handle_of<far_map>(map)));
}
FAR_NATIVE(jobjectArray, mapItems)(JNIEnv* env, jclass, jlong map) {
  std::vector<std::string> items;
  if (!check(env, far_map_visit_local(handle_of<far_map>(map), keep_item, &items))) return nullptr;
  const jclass bytes = env->FindClass("[B");
  if (bytes == nullptr) return nullptr;
  const jobjectArray all = env->NewObjectArray(static_cast<jsize>(items.size()), bytes, nullptr);
  if (all == nullptr) return nullptr;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const jbyteArray one = bytes_of(env, items[i].data(), items[i].size());
    if (one == nullptr) return nullptr;
    env->SetObjectArrayElement(all, static_cast<jsize>(i), one);
    env->DeleteLocalRef(one);
  }
  return all;
}
