#include "far/object/thread_record.hpp"

#include <algorithm>
#include <new>

#include "far/object/copy/packets.hpp"

namespace far::objects {

thread_record::thread_record(int ranks, const fabric::context& thread)
    : reaches(static_cast<std::size_t>(ranks)), context(&thread) {}
thread_record::~thread_record() = default;

std::uint64_t* thread_record::make_bitmap(std::uint64_t bytes) {
  auto* const made =
      static_cast<std::uint64_t*>(std::calloc(words_of_bitmap(bytes), sizeof(std::uint64_t)));
  if (made == nullptr) throw std::bad_alloc();
  bitmaps_.emplace_back(made);
  return made;
}

}  // namespace far::objects
