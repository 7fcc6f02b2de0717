// Three algorithms that combine in the same order (reduce.hpp):
// - a rendezvous, where one member folds all lists;
// - a binomial tree to rank 0, then a broadcast down from there;
// - an exchange, where each member receives its share of all lists and folds it, then a second
//   exchange that sends all shares to every member.

#include "far/team/reduce.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "far/team/broadcast_tree.hpp"
#include "far/team/exchange.hpp"
#include "far/team/link.hpp"
#include "far/team/matching.hpp"
#include "far/team/rendezvous.hpp"

namespace far::detail {
namespace {

/// Folds n contiguous lists of `elements` elements each into the first.
void fold_lists(std::byte* lists, std::size_t n, std::size_t elements, const combiner& fold) {
  const std::size_t bytes = elements * fold.element_bytes;
  for (std::size_t step = 1; step < n; step *= 2) {
    for (std::size_t i = 0; i + step < n; i += 2 * step) {
      fold(lists + i * bytes, lists + i * bytes, lists + (i + step) * bytes, elements);
    }
  }
}

/// One member's part in the tree. Lists are sent in pieces of whole elements.
class tree_reduction {
 public:
  tree_reduction(fabric::context& context, team_state& team, const combiner& fold)
      : links_(context, team), team_(&team), fold_(&fold) {
    const auto rank = static_cast<unsigned>(team.rank());
    for (int level = 0; level < team.layout().levels(); ++level) {
      if ((rank >> level & 1) != 0) {
        parent_ = link_at(level, direction::up);
        break;
      }
      if (team.rank() + (1 << level) < team.size()) {
        children_.push_back(link_at(level, direction::up));
      }
    }
    piece_ = std::max<std::size_t>(links_.chunk() / fold.element_bytes, 1) * fold.element_bytes;
  }

  /// Combines all lists; the result is at rank 0, in `result`, which may be `list`.
  void run(std::span<const std::byte> list, std::byte* result) {
    constexpr std::size_t buffers = 2;  // one is filled while the other is in flight
    const bool long_elements = piece_ > links_.chunk();
    const std::size_t own = parent_ >= 0 && !children_.empty() ? buffers : 0;
    std::byte* const room = team_->scratch((own + (long_elements ? 1 : 0)) * padded());
    std::byte* const child_buffer = room + own * padded();
    fabric::completion sources[buffers];
    std::size_t turn = 0;
    for (std::size_t at = 0; at < list.size(); at += piece_) {
      const std::size_t bytes = std::min(piece_, list.size() - at);
      fabric::completion& source = sources[turn % buffers];
      if (children_.empty()) {
        links_.send(parent_, list.data() + at, bytes, source);
        continue;
      }
      std::byte* sum = result + at;
      if (parent_ >= 0) {
        links_.finish(source);
        sum = room + turn++ % buffers * padded();
      }
      const std::byte* left = list.data() + at;
      for (const int child : children_) {
        const std::byte* right = links_.receive_message(child, bytes, child_buffer);
        (*fold_)(sum, left, right, bytes / fold_->element_bytes);
        links_.release_message(child, bytes);
        left = sum;
      }
      if (parent_ >= 0) links_.send(parent_, sum, bytes, source);
    }
    for (fabric::completion& source : sources) links_.finish(source);
  }

 private:
  [[nodiscard]] std::size_t padded() const noexcept {
    return (piece_ + sizeof(cache_line) - 1) / sizeof(cache_line) * sizeof(cache_line);
  }

  link_set links_;
  team_state* team_;
  const combiner* fold_;
  int parent_ = -1;            // links; -1: rank 0
  std::vector<int> children_;  // nearest first
  std::size_t piece_;          // bytes
};

/// Passes `list` from rank 0 to `root`. The ranks on the way have some of the leading bits of
/// `root`, and zeros after them.
void carry_to_root(fabric::context& context, team_state& team, std::span<std::byte> list,
                   int root) {
  link_set links(context, team);
  fabric::completion source;
  int holder = 0;
  for (int level = team.layout().levels() - 1; level >= 0; --level) {
    if ((root >> level & 1) == 0) continue;
    const int link = link_at(level, direction::down);
    const int next = holder + (1 << level);
    if (team.rank() == holder) links.send(link, list.data(), list.size(), source);
    if (team.rank() == next) links.receive(link, list.data(), list.size());
    holder = next;
  }
  links.finish(source);
}

void allreduce_by_rendezvous(fabric::context& context, team_state& team, std::span<std::byte> list,
                             const combiner& fold) {
  const auto combine = [&](std::span<std::byte> all) {
    fold_lists(all.data(), static_cast<std::size_t>(team.size()), list.size() / fold.element_bytes,
               fold);
  };
  const auto share_of = [&](std::span<std::byte> all, int) -> std::span<const std::byte> {
    return all.first(list.size());
  };
  const rendezvous_load load{list, list, combine, share_of};
  rendezvous(context, team, "allreduce", &load);
}

void allreduce_by_shares(fabric::context& context, team_state& team, std::span<std::byte> list,
                         const combiner& fold) {
  const auto n = static_cast<std::size_t>(team.size());
  const std::size_t elements = list.size() / fold.element_bytes;
  const auto share = [&](int member) {
    const auto m = static_cast<std::size_t>(member);
    const std::size_t begin = elements / n * m + std::min(elements % n, m);
    const std::size_t count = elements / n + (m < elements % n ? 1 : 0);
    return list.subspan(begin * fold.element_bytes, count * fold.element_bytes);
  };
  const std::span<std::byte> mine = share(team.rank());
  learn_all_blocks(context, team);  // first, as it uses the scratch memory too
  std::byte* const all = team.scratch(n * mine.size());
  const auto theirs = [&](int member) {
    return std::span(all + static_cast<std::size_t>(member) * mine.size(), mine.size());
  };
  exchange(context, team, {share, theirs});
  std::memcpy(theirs(team.rank()).data(), mine.data(), mine.size());
  fold_lists(all, n, mine.size() / fold.element_bytes, fold);
  std::memcpy(mine.data(), all, mine.size());
  const auto result = [&](int) -> std::span<const std::byte> { return mine; };
  exchange(context, team, {result, share});
}

call call_of(collective what, std::span<const std::byte> list, const combiner& fold, int root) {
  return {what, fold.element_bytes, list.size() / fold.element_bytes, root, fold.name};
}

}  // namespace

void reduce_bytes(const world& world, team_state& team, std::span<std::byte> list,
                  const combiner& fold, int root) {
  const collective_scope scope(world, team, call_of(collective::reduce, list, fold, root));
  if (scope.is_alone() || list.empty()) return;
  fabric::context& context = world.context();
  if (root == 0) return tree_reduction(context, team, fold).run(list, list.data());
  // Rank 0 and the ranks on the way to the root must not change their lists.
  std::vector<cache_line> passing;
  std::span<std::byte> result = list;
  const int rank = team.rank();
  const bool on_the_way = rank == 0 || (root ^ rank) < (rank & -rank);
  if (rank != root && on_the_way) {
    passing.resize(list.size() / sizeof(cache_line) + 1);
    result = {passing.front().bytes, list.size()};
  }
  tree_reduction(context, team, fold).run(list, result.data());
  carry_to_root(context, team, result, root);
}

void allreduce_bytes(const world& world, team_state& team, std::span<std::byte> list,
                     const combiner& fold) {
  const collective_scope scope(world, team, call_of(collective::allreduce, list, fold, -1));
  if (scope.is_alone() || list.empty()) return;
  fabric::context& context = world.context();
  constexpr std::size_t long_share = 4096;
  const auto n = static_cast<std::size_t>(team.size());
  if (fits_rendezvous(team, list.size(), list.size())) {
    allreduce_by_rendezvous(context, team, list, fold);
  } else if (list.size() >= n * std::max(long_share, fold.element_bytes)) {
    allreduce_by_shares(context, team, list, fold);
  } else {
    tree_reduction(context, team, fold).run(list, list.data());
    broadcast_in_tree(context, team, list, 0);
  }
}

}  // namespace far::detail
