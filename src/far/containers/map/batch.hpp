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

/// The elements of a span that a chunk is about. Written as a vector, and so it arrives.
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

/// Sorts the indices of a block by owner.
class owner_groups {
 public:
  explicit owner_groups(int ranks) : begin_(static_cast<std::size_t>(ranks) + 1) {}

  /// Forgets the last block; owner_of(i) tells the owners of [0, count).
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
    // Each owner's counter runs from its begin to its end, which is the next one's begin.
    next_.assign(begin_.begin(), begin_.end() - 1);
    for (std::size_t i = 0; i < count; ++i) {
      order_[next_[owners_[i]]++] = static_cast<std::uint32_t>(i);
    }
  }

  /// The indices that `rank` owns, in order.
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

/// Cuts a group into chunks: at most `most_count` elements and, where one does not exceed it
/// alone, `most_bytes` bytes by bytes_of(index). Calls visit(chunk).
template <class BytesOf, class Visit>
void for_each_chunk(std::span<const std::uint32_t> group, std::size_t most_count,
                    std::size_t most_bytes, BytesOf bytes_of, Visit visit) {
  while (!group.empty()) {
    std::size_t count = 0;
    std::size_t bytes = 0;
    do {
      bytes += bytes_of(group[count]);
    } while (++count < group.size() && count < most_count &&
             bytes + bytes_of(group[count]) <= most_bytes);
    visit(group.first(count));
    group = group.subspan(count);
  }
}

/// Inline bytes that the reply takes for one result of type R, or 0 where the value decides.
template <class R>
[[nodiscard]] constexpr std::size_t result_bytes() {
  if constexpr (wire::is_instance<R, std::optional>) {
    constexpr std::size_t inside = wire::fixed_bytes<typename R::value_type>();
    return inside == 0 ? 0 : inside + 1;
  } else {
    return wire::fixed_bytes<R>();
  }
}

/// What a reply carries beside results: its status, and their number.
inline constexpr std::size_t reply_overhead = 8;

/// The most results of a chunk whose reply shall fit in `room` bytes. Where sizes vary, replies
/// that do not fit are fetched.
template <class R>
[[nodiscard]] constexpr std::size_t most_results(std::size_t room) {
  constexpr std::size_t each = result_bytes<R>();
  constexpr std::size_t guess = 32;
  return std::max<std::size_t>((room - reply_overhead) / (each != 0 ? each : guess), 1);
}

/// Inline room to reserve for `count` results, at most as many as most_results.
template <class R>
[[nodiscard]] std::uint32_t reply_bytes_of(std::size_t count, std::size_t room) {
  constexpr std::size_t each = result_bytes<R>();
  constexpr std::size_t guess = 32;
  constexpr std::size_t least_guess = 216;  // four cells of shm with their header
  const std::size_t bytes = reply_overhead + count * (each != 0 ? each : guess);
  const std::size_t least = each != 0 ? std::size_t{detail::least_reply_bytes} : least_guess;
  return static_cast<std::uint32_t>(std::min(std::max(bytes, least), room));
}

/// The calls of one batch. At most so many are under way at a time; the first failure is thrown
/// when all have ended.
class calls_under_way {
 public:
  /// May wait for an earlier one.
  void add(future<void> call);
  /// Runs f, which may fail as a call may.
  template <class F>
  void guard(F f) {
    try {
      f();
    } catch (...) {
      if (failure_ == nullptr) failure_ = std::current_exception();
    }
  }
  /// For all of them; then throws.
  void wait();

 private:
  void wait_for_oldest();

  std::deque<future<void>> calls_;
  std::exception_ptr failure_;
};

/// Throws bad_argument unless each of the keys has an operand.
void check_lengths(std::size_t keys, std::size_t operands);
/// Of a message: throws fabric_error unless each of its keys has its operands.
template <class... Lengths>
void check_operands([[maybe_unused]] std::size_t keys, Lengths... lengths) {
  if (((lengths != keys) || ...)) wire::throw_malformed("as many operands as keys are expected");
}
/// Throws fabric_error unless each key of a chunk has a result.
void check_results(std::size_t keys, std::size_t results);

}  // namespace far::containers

template <class T>
struct far::detail::arrives_as_type<far::containers::gathered<T>> {
  using type = std::vector<T>;
};
