#pragma once
// Loops that are compiled once for each kind of processor.

/// Before a function: compiles it also for the processors that are named, such as "avx2". The
/// version that fits is selected when the program is loaded. Elsewhere than with GCC and glibc on
/// x86-64 there is only the default; nor under sanitizers, whose runtime is not ready that early.
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__) && !defined(__clang__)
#define FAR_APPS_ALSO_FOR(...) __attribute__((target_clones("default", __VA_ARGS__)))
#else
#define FAR_APPS_ALSO_FOR(...)
#endif
