#pragma once
// The events of a history that a search has not explained yet, in order.

#include <cstddef>
#include <vector>

namespace far::linearizability {

/// Calls have slots 0, 1, ...; node 2 * slot is a call's invocation, 2 * slot + 1 its response.
/// There are two doubly linked lists: of completed calls, and of the invocations of pending ones.
/// Nodes are put back in the reverse of the order in which they were taken, so this changes only
/// two links each.
class event_list {
 public:
  using node = std::size_t;

  explicit event_list(std::size_t slots)
      : head_(2 * slots), next_(head_ + 3), previous_(head_ + 3) {
    for (const node list : {answered(), pending()}) next_[list] = previous_[list] = list;
  }

  static constexpr node invocation(std::size_t slot) noexcept { return 2 * slot; }
  static constexpr node response(std::size_t slot) noexcept { return 2 * slot + 1; }
  static constexpr std::size_t slot_of(node n) noexcept { return n / 2; }
  static constexpr bool is_response(node n) noexcept { return n % 2 == 1; }

  /// The lists' heads: in front of the first node, and behind the last. They count as no responses.
  [[nodiscard]] node answered() const noexcept { return head_; }
  [[nodiscard]] node pending() const noexcept { return head_ + 2; }
  [[nodiscard]] node after(node n) const { return next_[n]; }

  void append(node list, node n) {
    next_[n] = list;
    previous_[n] = previous_[list];
    put_back(n);
  }
  void take(node n) {
    next_[previous_[n]] = next_[n];
    previous_[next_[n]] = previous_[n];
  }
  /// `n`: the node that was taken last.
  void put_back(node n) {
    next_[previous_[n]] = n;
    previous_[next_[n]] = n;
  }

  /// The slot of the first response left. The calls that begin before it may go next.
  [[nodiscard]] std::size_t first_answered() const {
    node n = next_[answered()];
    while (!is_response(n)) n = next_[n];
    return slot_of(n);
  }

 private:
  node head_;
  std::vector<node> next_;
  std::vector<node> previous_;
};

}  // namespace far::linearizability
