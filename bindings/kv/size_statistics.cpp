// stats items and stats slabs: the items of all ranks are counted by size, some at a time, and
// others have their turn between.

#include <utility>

#include "bindings/kv/job_commands.hpp"
#include "bindings/kv/statistics.hpp"
#include "bindings/kv/worker_backend.hpp"
#include "far/rpc/rpc.hpp"

namespace far::kv {
namespace {

template <class Value>
void state(output& out, std::string_view begin, unsigned number, std::string_view name,
           const Value& value) {
  out << "STAT " << begin << number << ':' << name << ' ' << value << "\r\n";
}

void write_class_items(unsigned number, const size_count& of, output& out) {
  const auto line = [&](std::string_view name, std::uint64_t value) {
    state(out, "items:", number, name, value);
  };
  line("number", of.items);
  line("age", of.age);
  line("mem_requested", of.bytes);
  line("evicted", of.evicted);
  line("reclaimed", of.expired);
  line("expired_unfetched", of.expired_unfetched);
  line("evicted_unfetched", of.evicted_unfetched);
  line("crawler_reclaimed", of.searched);
}

void write_class_slabs(const server& here, unsigned number, const size_count& of, output& out) {
  state(out, "", number, "chunk_size", here.sizes().largest(number));
  state(out, "", number, "used_chunks", of.items);
  state(out, "", number, "mem_requested", of.bytes);
}

void write_sizes(const server& here, size_report what, const size_table& sums, output& out) {
  unsigned used = 0;
  for (unsigned number = 1; number < slab_classes; ++number) {
    const size_count& of = sums[number];
    if (!of.is_used()) continue;
    ++used;
    if (what == size_report::items) {
      write_class_items(number, of, out);
    } else {
      write_class_slabs(here, number, of, out);
    }
  }
  if (what == size_report::items) return;
  out << "STAT active_slabs " << used << "\r\nSTAT total_malloced ";
  out << here.items().options().memory_bytes << "\r\n";
}

/// A count for one client. Belongs to the thread that asks the ranks.
struct size_question {
  server& here;
  size_report what;
  mailbox& mail;
  std::shared_ptr<pending_command> to;
  int ranks_left;
  size_table sums{};

  /// Takes the last page of a rank.
  void count_down() {
    if (--ranks_left > 0) return;
    output text;
    write_sizes(here, what, sums, text);
    mail.post([to = std::move(to), text = std::string(text.text())] { to->finish(text); });
  }
  void add(const size_table& counts) noexcept {
    for (std::size_t i = 0; i < slab_classes; ++i) sums[i].add(counts[i]);
  }
};

using question = std::shared_ptr<size_question>;

void count_rank(const question& asked, int rank, std::uint64_t cursor) {
  asked->here.remote().post([asked, rank, cursor](const world& world, const store_view&) {
    return rpc(
               world, rank,
               [](rank_state& target, std::uint64_t from) {
                 auto& slot = target.get<server_of_rank>();
                 const std::scoped_lock lock(slot.mutex);
                 return slot.here == nullptr ? size_page() : slot.here->count_sizes(from);
               },
               cursor)
        .then([asked, rank](const size_page& page) {
          asked->add(page.counts);
          if (page.is_last) {
            asked->count_down();
          } else {
            count_rank(asked, rank, page.next);
          }
        });
  });
}

/// The only rank: by the client's thread itself.
void count_here(const question& asked, std::uint64_t cursor) {
  const size_page page = asked->here.count_sizes(cursor);
  asked->add(page.counts);
  if (page.is_last) return asked->count_down();
  asked->mail.post([asked, next = page.next] { count_here(asked, next); });
}

}  // namespace

size_page server::count_sizes(std::uint64_t cursor) {
  size_page page = count_page(items_, departures_.sizes(), cursor);
  if (page.is_last) departures_.add_to(page.counts);
  return page;
}

void ask_sizes(server& here, size_report what, mailbox& mail, std::shared_ptr<pending_command> to) {
  const auto asked =
      std::make_shared<size_question>(size_question{here, what, mail, std::move(to), here.ranks()});
  if (here.ranks() == 1) return count_here(asked, 0);
  for (int rank = 0; rank < here.ranks(); ++rank) count_rank(asked, rank, 0);
}

}  // namespace far::kv
