// Locks.

#include "jni_calls.hpp"

using far::jni::check;
using far::jni::handle_of;

FAR_NATIVE(jlong, lockCreate)(JNIEnv* env, jclass, jint home) {
  far_lock* made = nullptr;
  check(env, far_lock_create(home, &made));
  return handle_of(made);
}
FAR_NATIVE(void, lockDrop)(JNIEnv* env, jclass, jlong lock) {
  check(env, far_lock_destroy(handle_of<far_lock>(lock)));
}
FAR_NATIVE(jboolean, lockAcquire)(JNIEnv* env, jclass, jlong lock, jlong nanos) {
  int acquired = 0;
  check(env, far_lock_acquire(handle_of<far_lock>(lock), far::jni::timeout_of(nanos), &acquired));
  return acquired != 0 ? JNI_TRUE : JNI_FALSE;
}
FAR_NATIVE(void, lockRelease)(JNIEnv* env, jclass, jlong lock) {
  check(env, far_lock_release(handle_of<far_lock>(lock)));
}

FAR_NATIVE(jlong, rwLockCreate)(JNIEnv* env, jclass) {
  far_rw_lock* made = nullptr;
  check(env, far_rw_lock_create(&made));
  return handle_of(made);
}
FAR_NATIVE(void, rwLockDrop)(JNIEnv* env, jclass, jlong lock) {
  check(env, far_rw_lock_destroy(handle_of<far_rw_lock>(lock)));
}
FAR_NATIVE(jboolean, rwLockAcquire)(JNIEnv* env, jclass, jlong lock, jint mode, jlong nanos) {
  int acquired = 0;
  check(env, far_rw_lock_acquire(handle_of<far_rw_lock>(lock), mode, far::jni::timeout_of(nanos),
                                 &acquired));
  return acquired != 0 ? JNI_TRUE : JNI_FALSE;
}
FAR_NATIVE(void, rwLockRelease)(JNIEnv* env, jclass, jlong lock, jint mode) {
  check(env, far_rw_lock_release(handle_of<far_rw_lock>(lock), mode));
}
