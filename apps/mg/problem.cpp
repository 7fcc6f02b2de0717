#include "apps/mg/problem.hpp"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "apps/common/printable.hpp"
#include "far/base/error.hpp"

namespace far::apps::mg {
namespace {

constexpr stencil smoother_a = {-3.0 / 8.0, 1.0 / 32.0, -1.0 / 64.0, 0.0};
constexpr stencil smoother_b = {-3.0 / 17.0, 1.0 / 33.0, -1.0 / 61.0, 0.0};

constexpr problem problems[] = {
    {'S', 5, 4, smoother_a, 0.5307707005734e-04},
    {'W', 7, 4, smoother_a, 0.6467329375339e-05},
    {'A', 8, 4, smoother_a, 0.2433365309069e-05},
    {'B', 8, 20, smoother_b, 0.1800564401355e-05},
};

constexpr std::size_t charges_of_a_sign = 10;

/// A cell and its pseudorandom number.
struct drawn {
  std::uint64_t number;
  std::uint64_t cell;
};

/// Keeps the ten cells whose numbers come first in an order.
template <class Before>
class first_ten {
 public:
  void offer(const drawn& d) {
    if (kept_.size() == charges_of_a_sign && !before_(d.number, kept_.back().number)) return;
    const auto place =
        std::ranges::find_if(kept_, [&](const drawn& k) { return before_(d.number, k.number); });
    kept_.insert(place, d);
    if (kept_.size() > charges_of_a_sign) kept_.pop_back();
  }
  [[nodiscard]] const std::vector<drawn>& kept() const noexcept { return kept_; }

 private:
  std::vector<drawn> kept_;
  Before before_;
};

}  // namespace

const problem& problem_of_class(const std::string& name) {
  for (const problem& p : problems) {
    if (name.size() == 1 && (name[0] == p.name || name[0] == p.name - 'A' + 'a')) return p;
  }
  throw bad_argument(fmt::format("far-mg: there is no class '{}'; the classes are S, W, A and B",
                                 printable(name)));
}

std::vector<charge> charges_of(int n) {
  const auto extent = static_cast<std::uint64_t>(n);
  first_ten<std::greater<>> largest;
  first_ten<std::less<>> smallest;
  std::uint64_t number = random_seed;
  for (std::uint64_t cell = 0; cell < extent * extent * extent; ++cell) {
    number = number * random_factor & random_mask;  // the product modulo 2^64 is enough
    largest.offer({number, cell});
    smallest.offer({number, cell});
  }
  std::vector<charge> result;
  const auto add = [&](const std::vector<drawn>& cells, double value) {
    for (const drawn& d : cells) {
      result.push_back({static_cast<int>(d.cell / extent / extent),
                        static_cast<int>(d.cell / extent % extent),
                        static_cast<int>(d.cell % extent), value});
    }
  };
  add(largest.kept(), +1.0);
  add(smallest.kept(), -1.0);
  return result;
}

}  // namespace far::apps::mg
