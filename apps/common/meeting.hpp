#pragma once
// A barrier of threads, as a program of shared objects writes it: an object and its monitor.

#include <cstdint>

#include "far/base/error.hpp"
#include "far/far.hpp"

namespace far::apps {

struct meeting {
  std::uint64_t threads;  ///< that meet
  std::uint64_t arrived;  ///< of this round
  std::uint64_t round;
  std::uint64_t abandoned;  ///< 1: there is no further round
};

/// Thrown to threads that would wait for one that has failed.
class abandoned : public error {
 public:
  abandoned() : error("another thread of the program has failed") {}
};

/// Waits until all threads have called it. Errors: abandoned.
void meet(object_view& space, ref<meeting> all);

/// Ends all meetings, because this thread will come to none.
void abandon(object_view& space, ref<meeting> all);

}  // namespace far::apps

template <>
struct far::object_type<far::apps::meeting>
    : far::object_fields<far::apps::meeting, &far::apps::meeting::threads,
                         &far::apps::meeting::arrived, &far::apps::meeting::round,
                         &far::apps::meeting::abandoned> {};
