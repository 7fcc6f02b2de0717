#include "jni_calls.hpp"

namespace far::jni {

bool check(JNIEnv* env, far_status status) {
  if (status == FAR_OK) return true;
  const jclass exceptions = env->FindClass("io/github/libfar/FarException");
  if (exceptions == nullptr) return false;
  const jmethodID make = env->GetStaticMethodID(
      exceptions, "of", "(IILjava/lang/String;)Ljava/lang/RuntimeException;");
  if (make == nullptr) return false;
  const jstring message = env->NewStringUTF(far_error_message());
  if (message == nullptr) return false;
  const auto thrown = static_cast<jthrowable>(env->CallStaticObjectMethod(
      exceptions, make, static_cast<jint>(status), static_cast<jint>(far_failed_rank()), message));
  if (thrown != nullptr) env->Throw(thrown);
  return false;
}

jbyteArray bytes_of(JNIEnv* env, const void* bytes, std::size_t count) {
  const auto size = static_cast<jsize>(count);
  const jbyteArray made = env->NewByteArray(size);
  if (made != nullptr) {
    env->SetByteArrayRegion(made, 0, size, static_cast<const jbyte*>(bytes));
  }
  return made;
}

java_bytes::java_bytes(JNIEnv* env, jbyteArray array) : env_(env), array_(array) {
  if (array == nullptr) {
    const jclass type = env->FindClass("java/lang/NullPointerException");
    if (type != nullptr) env->ThrowNew(type, "a codec has encoded a value as null");
    return;
  }
  size_ = static_cast<std::size_t>(env->GetArrayLength(array));
  bytes_ = env->GetByteArrayElements(array, nullptr);
}

java_bytes::~java_bytes() {
  if (bytes_ != nullptr) env_->ReleaseByteArrayElements(array_, bytes_, JNI_ABORT);
}

}  // namespace far::jni
