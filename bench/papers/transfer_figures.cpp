#include "bench/papers/transfer_figures.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace far::bench {
namespace {

namespace names = transfer_names;

using shapes = std::vector<transfer_shape>;

shapes shapes_of(const std::vector<std::uint64_t>& bytes, transfer_shape (*of)(std::uint64_t)) {
  shapes all;
  std::ranges::transform(bytes, std::back_inserter(all), of);
  return all;
}

figure empty_figure(const std::string& number, const std::string& title, quantity shows,
                    const shapes& places) {
  figure result{"paper-d-figure-" + number, fmt::format("Figure {}: {}", number, title), "bytes"};
  result.shows = shows;
  for (const transfer_shape& s : places) result.places.push_back(std::to_string(s.bytes()));
  return result;
}

/// The curve of times of one byte.
curve bandwidth(const char* name, std::vector<double> ns, const shapes& places) {
  for (std::size_t i = 0; i < ns.size(); ++i) ns[i] /= static_cast<double>(places[i].bytes());
  return {name, std::move(ns)};
}

/// A protocol, and its name in a figure.
struct rival {
  const char* name;
  section_protocol how;
};

void measure_gets(transfer_jobs& on, figure& into, const shapes& places,
                  const std::vector<rival>& all, target meanwhile) {
  for (const rival& r : all) {
    into.curves.push_back(bandwidth(
        r.name, get_times(on, into.name + ", " + r.name, places, {r.how, meanwhile}), places));
  }
}

figure memory_figure(transfer_jobs& on, const std::vector<std::uint64_t>& bytes) {
  figure result = empty_figure("2", "registering memory, and copying as much; lower is better",
                               quantity::time, shapes_of(bytes, contiguous));
  memory_times times = registrations_and_copies(on, bytes);
  result.curves = {{names::registering, std::move(times.registering)},
                   {names::copying, std::move(times.copying)}};
  result.note = "registration: of memory that no transfer has met; not undone";
  return result;
}

void measure_plain(transfer_jobs& on, const shapes& places, transfer_results& into) {
  into.puts = empty_figure("3", "put; higher is better", quantity::bandwidth, places);
  into.gets = empty_figure("4", "get; higher is better", quantity::bandwidth, places);
  const auto add = [&](figure& to, const char* name, plain how) {
    to.curves.push_back(
        bandwidth(name, plain_times(on, to.name + ", " + name, places, how), places));
  };
  add(into.puts, names::put, plain::put);
  add(into.puts, names::many, plain::many_puts);
  into.puts.curves.push_back(
      bandwidth(names::messages, message_times(on, into.puts.name, places), places));
  add(into.gets, names::get, plain::get);
  add(into.gets, names::many, plain::many_gets);
}

/// Returns what is exposed of the first one's transfers.
std::vector<double> measure_overlap(transfer_jobs& on, figure& into, const shapes& places,
                                    const std::vector<rival>& all) {
  std::vector<double> exposed;
  for (const rival& r : all) {
    overlap found = get_overlap(on, into.name + ", " + r.name, places, r.how);
    if (exposed.empty()) exposed = std::move(found.exposed_ns);
    into.curves.push_back({r.name, std::move(found.percent)});
  }
  return exposed;
}

}  // namespace

transfer_places transfer_places_of(bool quick) {
  if (quick) return {{8, 4096, 1 << 20}, {128, 32768, 1 << 20}, {4096, 1 << 20}};
  transfer_places at;
  for (std::uint64_t bytes = 8; bytes <= 1 << 20; bytes *= 2) {
    at.contiguous.push_back(bytes);
    if (bytes >= 32) at.squares.push_back(bytes);
    if (bytes >= 512) at.registered.push_back(bytes);
  }
  // Sides that are powers of two, and 1 MB.
  std::erase_if(at.squares,
                [](std::uint64_t bytes) { return bytes < 1 << 20 && (bytes & 0xAAAAA) == 0; });
  return at;
}

transfer_results measure_transfer_figures(transfer_jobs& on, const transfer_places& at) {
  constexpr rival zero_copy{names::zero_copy, section_protocol::per_segment};
  constexpr rival buffered{names::buffered, section_protocol::packed};
  constexpr rival pipelined{names::pipelined, section_protocol::pipelined};
  constexpr rival assisted{names::assisted, section_protocol::host_assisted};
  constexpr rival per_segment{names::per_segment, section_protocol::per_segment};
  constexpr rival automatic{names::automatic, section_protocol::automatic};
  const shapes rows = shapes_of(at.contiguous, contiguous);
  const shapes squares = shapes_of(at.squares, square);

  transfer_results all;
  const shapes word{contiguous(sizeof(double))};
  all.put_ns = plain_times(on, "table 1, put", word, plain::put).front();
  all.get_ns = plain_times(on, "table 1, get", word, plain::get).front();
  all.message_ns = message_latency(on);
  all.atomics = atomics(on);
  all.memory = memory_figure(on, at.registered);
  measure_plain(on, rows, all);

  const std::vector<rival> of_rows{zero_copy, buffered, pipelined};
  all.idle = empty_figure("5", "contiguous get by protocol, the other side waits; higher is better",
                          quantity::bandwidth, rows);
  measure_gets(on, all.idle, rows, of_rows, target::waits);
  all.busy =
      empty_figure("6", "contiguous get by protocol, the other side computes; higher is better",
                   quantity::bandwidth, rows);
  measure_gets(on, all.busy, rows, of_rows, target::computes);

  all.overlap = empty_figure("7a", "what a computation hides of a contiguous get; higher is better",
                             quantity::percent, rows);
  all.exposed_ns = measure_overlap(on, all.overlap, rows, {zero_copy, buffered});
  all.overlap_2d =
      empty_figure("7b", "what a computation hides of a get of a square; higher is better",
                   quantity::percent, squares);
  (void)measure_overlap(on, all.overlap_2d, squares, {assisted, buffered});

  const std::vector<rival> of_squares{buffered, assisted, per_segment, automatic};
  all.idle_2d = empty_figure("9", "get of a square of doubles; higher is better",
                             quantity::bandwidth, squares);
  measure_gets(on, all.idle_2d, squares, of_squares, target::waits);
  all.idle_2d.curves.push_back(
      bandwidth(names::messages, message_times(on, all.idle_2d.name, squares), squares));
  all.busy_2d =
      empty_figure("10", "get of a square of doubles, the other side computes; higher is better",
                   quantity::bandwidth, squares);
  measure_gets(on, all.busy_2d, squares, of_squares, target::computes);
  return all;
}

}  // namespace far::bench
