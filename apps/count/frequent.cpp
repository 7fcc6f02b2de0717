#include "apps/count/frequent.hpp"

namespace far::apps {

std::vector<counted_item> most_frequent(const world& world, const std::vector<counted_item>& mine,
                                        std::size_t k) {
  std::vector<char> letters;
  std::vector<std::uint64_t> lengths, numbers;
  for (const counted_item& c : mine) {
    letters.insert(letters.end(), c.item.begin(), c.item.end());
    lengths.push_back(c.item.size());
    numbers.push_back(c.count);
  }
  letters = gather_lists(world, letters);
  lengths = gather_lists(world, lengths);
  numbers = gather_lists(world, numbers);

  std::vector<counted_item> all;
  auto from = letters.begin();
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const auto to = from + static_cast<std::ptrdiff_t>(lengths[i]);
    all.push_back({std::string(from, to), numbers[i]});
    from = to;
  }
  const auto end = all.begin() + static_cast<std::ptrdiff_t>(std::min(k, all.size()));
  std::partial_sort(all.begin(), end, all.end(), [](const counted_item& a, const counted_item& b) {
    return a.count != b.count ? a.count > b.count : a.item < b.item;
  });
  all.erase(end, all.end());
  return all;
}

}  // namespace far::apps
