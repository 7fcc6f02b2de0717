#pragma once
// Splits a batch of keys among their owners, into chunks that fit in messages.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <optional>
#include <span>
#include <vector>

#include "far/rma/future.hpp"
#include "far/rpc/function.hpp"
#include "far/rpc/reply.hpp"
#include "far/rpc/serialize.hpp"

namespace far::containers {

/// The elements of a span that belong to a chunk. They are sent as a vector, and arrive as one.
template <class T>
struct gathered {
  std::span<const T> all;
  std::span<const std::uint32_t> chosen;

  template <class Archive>
  void serialize(Archive& archive) {
    wire::put_length(archive, chosen.size());
    for (const std::uint32_t i : chosen) archive(all[i]);
  }
};

/// Groups the indices of a block by owner.
class owner_groups {
 public:
  explicit owner_groups(int ranks) : begin_(static_cast<std::size_t>(ranks) + 1) {}

  /// Replaces the previous block. owner_of(i) returns the owner of each i in [0, count).
  template <class OwnerOf>
  void sort(std::size_t count, OwnerOf owner_of) {
    owners_.resize(count);
    order_.resize(count);
    begin_.assign(begin_.size(), 0);
    for (std::size_t i = 0; i < count; ++i) {
      owners_[i] = static_cast<std::uint32_t>(owner_of(i));
      ++begin_[owners_[i] + 1];
    }
    for (std::size_t rank = 1; rank < begin_.size(); ++rank) begin_[rank] += begin_[rank - 1];
    // next_[r] runs from the begin of owner r's indices to their end, where those of r + 1 begin.
    next_.assign(begin_.begin(), begin_.end() - 1);
    for (std::size_t i = 0; i < count; ++i) {
      order_[next_[owners_[i]]++] = static_cast<std::uint32_t>(i);
    }
  }

  /// The indices that belong to `rank`, in ascending order.
  [[nodiscard]] std::span<const std::uint32_t> of(int rank) const noexcept {
    const auto r = static_cast<std::size_t>(rank);
    return std::span(order_).subspan(begin_[r], begin_[r + 1] - begin_[r]);
  }

 private:
  std::vector<std::uint32_t> owners_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> begin_;
  std::vector<std::uint32_t> next_;
};

/// Cuts a group into chunks, and calls visit(chunk) for each. A chunk has at most `max_count`
/// elements and `max_bytes` bytes, by bytes_of(index); a larger element is a chunk of its own.
template <class BytesOf, class Visit>
void for_each_chunk(std::span<const std::uint32_t> group, std::size_t max_count,
                    std::size_t max_bytes, BytesOf bytes_of, Visit visit) {
  while (!group.empty()) {
    std::size_t count = 0;
    std::size_t bytes = 0;
    do {
      bytes += bytes_of(group[count]);
    } while (++count < group.size() && count < max_count &&
             bytes + bytes_of(group[count]) <= max_bytes);
    visit(group.first(count));
    group = group.subspan(count);
  }
}

/// The inline bytes of a result of type R in a reply, or 0 if they depend on the value.
template <class R>
[[nodiscard]] constexpr std::size_t result_bytes() {
  if constexpr (wire::is_instance<R, std::optional>) {
    constexpr std::size_t inside = wire::fixed_bytes<typename R::value_type>();
    return inside == 0 ? 0 : inside + 1;
  } else {
    return wire::fixed_bytes<R>();
  }
}

/// The bytes of a reply besides its results: the status, and the number of results.
inline constexpr std::size_t reply_overhead = 8;

/// The max number of results in a chunk whose reply should fit in `room` bytes. If sizes vary,
/// replies that do not fit are fetched.
template <class R>
[[nodiscard]] constexpr std::size_t max_results(std::size_t room) {
  constexpr std::size_t each = result_bytes<R>();
  constexpr std::size_t guess = 32;
  return std::max<std::size_t>((room - reply_overhead) / (each != 0 ? each : guess), 1);
}

/// The inline space to reserve for `count` results, which is at most max_results.
template <class R>
[[nodiscard]] std::uint32_t reply_bytes_of(std::size_t count, std::size_t room) {
  constexpr std::size_t each = result_bytes<R>();
  constexpr std::size_t guess = 32;
  constexpr std::size_t min_guess = 216;  // with its header, four cells of shm
  const std::size_t bytes = reply_overhead + count * (each != 0 ? each : guess);
  const std::size_t min = each != 0 ? std::size_t{detail::min_reply_bytes} : min_guess;
  return static_cast<std::uint32_t>(std::min(std::max(bytes, min), room));
}

/// The calls of one batch that are in flight, up to 128 at a time. The first failure is thrown when
/// all have ended.
class calls_in_flight {
 public:
  /// May wait for an earlier call.
  void add(future<void> call);
  /// Runs f. An exception of f is treated like the failure of a call.
  template <class F>
  void guard(F f) {
    try {
      f();
    } catch (...) {
      if (failure_ == nullptr) failure_ = std::current_exception();
    }
  }
  /// Waits for all calls, then throws the first failure.
  void wait();

 private:
  void wait_for_oldest();

  std::deque<future<void>> calls_;
  std::exception_ptr failure_;
};

/// Throws bad_argument unless there is one operand for each key.
void check_lengths(std::size_t keys, std::size_t operands);
/// For messages: throws fabric_error unless there is one operand of each kind for each key.
template <class... Lengths>
void check_operands([[maybe_unused]] std::size_t keys, Lengths... lengths) {
  if (((lengths != keys) || ...)) wire::throw_malformed("as many operands as keys are expected");
}
/// Throws fabric_error unless there is one result for each key of a chunk.
void check_results(std::size_t keys, std::size_t results);

}  // namespace far::containers

template <class T>
struct far::detail::arrives_as_type<far::containers::gathered<T>> {
  using type = std::vector<T>;
};
