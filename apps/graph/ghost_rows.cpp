#include "apps/graph/ghost_rows.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "apps/graph/build.hpp"
#include "far/graph/ghost_exchange.hpp"

namespace far::apps {

ghost_rows::ghost_rows(world& world, const local_graph& graph, const oriented_rows& rows)
    : world_(&world), graph_(&graph), rows_(&rows), lookup_(graph.ghosts, graph.vertices) {
  publish();
  find_wanted();
  barrier(world);  // all have published
}

ghost_rows::~ghost_rows() {
  scope_.leave(*world_);
  try {
    deallocate(*world_, published_);
  } catch (const std::exception&) {
    // The job has failed: its memory is freed with it.
  }
}

void ghost_rows::publish() {
  const std::uint64_t mine = rows_->targets.size();
  published_ = allocate<entry>(*world_, allreduce(*world_, mine, maximum()));
  const std::span<entry> own = local_span(*world_, published_, mine);
  const std::uint64_t first = graph_->first(world_->rank());
  for (std::size_t i = 0; i < own.size(); ++i) {
    const std::uint32_t column = rows_->column_at[rows_->targets[i]];
    const std::uint64_t number =
        column < graph_->own() ? first + column : graph_->ghosts[column - graph_->own()];
    own[i] = 2 * number + (!rows_->arcs.empty() && rows_->arcs[i] == 2 ? 1 : 0);
  }
}

void ghost_rows::find_wanted() {
  const std::size_t own = graph_->own();
  ghost_exchange<std::uint64_t> begins(*world_, *graph_), ends(*world_, *graph_);
  std::ranges::copy(std::span(rows_->offsets).first(own), begins.next().begin());
  std::ranges::copy(std::span(rows_->offsets).subspan(1), ends.next().begin());
  begins.bring();
  ends.bring();
  for (std::uint32_t g = 0; g < graph_->ghosts.size(); ++g) {
    const std::size_t column = own + g;
    const row found{g, owner_of(graph_->starts, graph_->ghosts[g]), begins.values()[column],
                    ends.values()[column]};
    if (found.begin == found.end || rows_->sources_of(rows_->place_of[column]).empty()) continue;
    wanted_.push_back(found);
  }
}

ghost_rows::batch ghost_rows::fetch(std::size_t& next) const {
  struct piece {
    ptr<entry> from;
    std::uint64_t place, count;
  };
  batch result;
  std::vector<piece> pieces;
  std::uint64_t size = 0;
  for (; next < wanted_.size() && size < batch_entries; ++next) {
    const row& r = wanted_[next];
    const bool joins = !result.rows.empty() && result.rows.back().owner == r.owner &&
                       r.begin - result.rows.back().end <= max_gap;
    if (joins) {
      size += r.begin - result.rows.back().end;
      pieces.back().count += r.end - result.rows.back().end;
    } else {
      pieces.push_back(
          {published_.on(r.owner) + static_cast<std::int64_t>(r.begin), size, r.end - r.begin});
    }
    result.places.push_back(size);
    result.rows.push_back(r);
    size += r.end - r.begin;
  }
  result.entries.resize(size);
  std::vector<get_part> parts;
  for (const piece& p : pieces) {
    parts.push_back(get_part_of(p.from, std::span(result.entries).subspan(p.place, p.count)));
  }
  if (!parts.empty()) result.arrival = get_async(*world_, parts);
  return result;
}

std::optional<std::uint32_t> ghost_rows::column_of(std::uint64_t number) const {
  const std::uint64_t first = graph_->first(world_->rank());
  if (number >= first && number - first < graph_->own()) {
    return static_cast<std::uint32_t>(number - first);
  }
  const auto ghost = lookup_.find(number);
  if (!ghost) return std::nullopt;
  return static_cast<std::uint32_t>(graph_->own() + *ghost);
}

void ghost_rows::visit(const visitor& visit) {
  std::vector<std::uint32_t> targets;
  std::vector<std::uint8_t> arcs;
  std::size_t next = 0;
  for (batch coming = fetch(next); !coming.rows.empty();) {
    coming.arrival->wait();
    const batch now = std::exchange(coming, fetch(next));
    for (std::size_t i = 0; i < now.rows.size(); ++i) {
      const row& r = now.rows[i];
      targets.clear();
      arcs.clear();
      for (const entry e : std::span(now.entries).subspan(now.places[i], r.end - r.begin)) {
        const auto column = column_of(e / 2);
        if (!column) continue;
        targets.push_back(rows_->place_of[*column]);
        if (!rows_->arcs.empty()) arcs.push_back(static_cast<std::uint8_t>(1 + e % 2));
      }
      visit(rows_->place_of[graph_->own() + r.ghost], targets, arcs);
    }
  }
}

}  // namespace far::apps
