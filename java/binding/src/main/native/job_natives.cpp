// The job and its threads.

#include "jni_calls.hpp"

using far::jni::check;

FAR_NATIVE(void, join)(JNIEnv* env, jclass) { check(env, far_join()); }
FAR_NATIVE(void, leave)(JNIEnv* env, jclass) { check(env, far_leave()); }
FAR_NATIVE(void, fail)(JNIEnv* env, jclass, jstring why) {
  const char* const text = why == nullptr ? nullptr : env->GetStringUTFChars(why, nullptr);
  check(env, far_fail(text));
  if (text != nullptr) env->ReleaseStringUTFChars(why, text);
}
FAR_NATIVE(void, exit)(JNIEnv*, jclass, jint status) { far_exit_job(status); }
FAR_NATIVE(jint, rank)(JNIEnv*, jclass) { return far_rank(); }
FAR_NATIVE(jint, size)(JNIEnv*, jclass) { return far_size(); }
FAR_NATIVE(jint, nodeOf)(JNIEnv* env, jclass, jint rank) {
  int node = -1;
  check(env, far_node_of(rank, &node));
  return node;
}
FAR_NATIVE(void, barrier)(JNIEnv* env, jclass) { check(env, far_barrier()); }
FAR_NATIVE(void, attach)(JNIEnv* env, jclass, jlong nanos) {
  check(env, far_attach(far::jni::timeout_of(nanos)));
}
FAR_NATIVE(void, detach)(JNIEnv* env, jclass) { check(env, far_detach()); }
