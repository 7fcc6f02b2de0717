#include "far/team/retired_blocks.hpp"

#include <algorithm>

#include "far/memory/allocate.hpp"
#include "far/team/block.hpp"

namespace far::detail {

void retired_blocks::retire(fabric::address block, std::vector<final_word> words,
                            const member_key& key) {
  const std::scoped_lock lock(mutex_);
  blocks_.push_back({block, std::move(words), key});
}

std::size_t retired_blocks::sweep(fabric::context& context) {
  const std::scoped_lock lock(mutex_);
  std::erase_if(blocks_, [&](const retired& gone) {
    const bool quiet = std::all_of(gone.words.begin(), gone.words.end(), [&](const auto& word) {
      return context.peek(word.first) >= word.second;
    });
    if (!quiet) return false;
    if (gone.key) state_->get<member_blocks>().withdraw(gone.key);
    deallocate_local(*state_, ptr<cache_line>(gone.block));
    return true;
  });
  return blocks_.size();
}

}  // namespace far::detail
