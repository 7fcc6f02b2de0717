#pragma once
// The only instruction of the library that a processor family names its own way.

namespace far::base {

/// Tells the processor that the calling thread polls: it saves power, and gives way to the other
/// hyperthread of its core, for a few to some hundred cycles.
inline void relax() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
  asm volatile("yield" ::: "memory");
#endif
}

}  // namespace far::base
