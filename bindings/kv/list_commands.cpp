// Commands that list keys, and those on the search for expired items.

#include <algorithm>
#include <utility>

#include "bindings/kv/numbers.hpp"
#include "bindings/kv/protocol.hpp"
#include "bindings/kv/slot.hpp"

namespace far::kv {
namespace {

/// The slab classes that a list of their numbers names; all for "all" and "hash". Returns false if
/// a number is none.
bool read_slab_classes(std::string_view word, slab_class_set& classes) {
  if (word == "all" || word == "hash") {
    classes.set();
    return true;
  }
  while (!word.empty()) {
    const std::string_view number = word.substr(0, word.find(','));
    std::uint32_t id = 0;
    if (!number.empty()) {
      if (!read_number(number, id) || id == 0 || id >= slab_classes) return false;
      classes.set(id);
    }
    word.remove_prefix(std::min(word.size(), number.size() + 1));
  }
  return true;
}

}  // namespace

step protocol::stats_cachedump(const tokens& words) {
  if (listing_) return list_items();
  if (!here_.settings.may_dump) return reply("CLIENT_ERROR stats cachedump not allowed");
  std::uint32_t id = 0;
  std::uint32_t limit = 0;
  if (words.size() < 4) return reply("CLIENT_ERROR bad command line");
  if (!read_number(words[2], id) || !read_number(words[3], limit)) {
    return reply("CLIENT_ERROR bad command line format");
  }
  if (id >= slab_classes) return reply("CLIENT_ERROR Illegal slab id");
  if (!pending_.empty()) {
    is_blocked_ = true;
    return step::later;
  }
  listing_.emplace(listing::form::cachedump, slab_class_set().set(id), limit);
  return list_items();
}

step protocol::metadump(std::string_view classes) {
  if (listing_) return list_items();
  if (!here_.crawls()) return reply("CLIENT_ERROR lru crawler disabled");
  if (!here_.settings.may_dump) return reply("ERROR metadump not allowed");
  if (!pending_.empty() || !out().empty()) {
    return reply("ERROR cannot pipeline other commands before metadump");
  }
  slab_class_set wanted;
  if (!read_slab_classes(classes, wanted)) return reply("BADCLASS invalid class id");
  listing_.emplace(listing::form::metadump, wanted, 0);
  return list_items();
}

/// Goes on with a list: until it is whole, there is enough to send, or a page is awaited.
step protocol::list_items() {
  while (!listing_->is_over(here_.ranks())) {
    if (out().size() >= max_output) return step::partial;
    const auto command = std::make_shared<slot>(*this, std::string_view());
    const auto page = here_.list(listing_->rank(), listing_->cursor(), command);
    if (!page) {
      pending_.push_back(command);
      is_blocked_ = true;
      return step::later;
    }
    take_page(*page, out());
  }
  listing_.reset();
  return reply("END");
}

void protocol::take_page(const listed_page& page, output& to) {
  listing_->take(page, here_.start_time(), here_.settings.max_item_bytes, here_.settings.uses_cas,
                 to);
}

step protocol::lru_crawler(const tokens& words) {
  if (words.size() == 2) {
    if (words[1] == "enable") {
      if (here_.crawls()) return reply("ERROR failed to start lru crawler thread");
      return ask_job(job_request::crawler_on, "OK\r\n");
    }
    if (words[1] == "disable") return ask_job(job_request::crawler_off, "OK\r\n");
    return reply("ERROR");
  }
  if (words.size() != 3) return reply("ERROR");
  if (words[1] == "metadump") return metadump(words[2]);
  if (words[1] == "crawl") return crawl(words[2]);
  if (words[1] != "tocrawl" && words[1] != "sleep") return reply("ERROR");
  // Nothing to tune: a search takes a fixed share of a thread's time.
  std::uint32_t number = 0;
  if (!read_number(words[2], number)) return reply("CLIENT_ERROR bad command line format");
  constexpr std::uint32_t max_sleep_us = 1'000'000;
  if (words[1] == "sleep" && number > max_sleep_us) {
    return reply("CLIENT_ERROR sleep must be one second or less");
  }
  return reply("OK");
}

/// Looks for expired items in the whole memory, whichever classes are named.
step protocol::crawl(std::string_view classes) {
  if (!here_.crawls()) return reply("CLIENT_ERROR lru crawler disabled");
  slab_class_set wanted;
  if (!read_slab_classes(classes, wanted)) return reply("BADCLASS invalid class id");
  if (classes == "hash") return reply("ERROR an unknown error happened");
  return ask_job(job_request::crawl, "OK\r\n");
}

}  // namespace far::kv
