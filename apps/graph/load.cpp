#include "apps/graph/load.hpp"

#include <fmt/format.h>

#include "apps/common/input_error.hpp"
#include "apps/common/progress.hpp"
#include "apps/common/shared_plan.hpp"
#include "apps/graph/ldbc.hpp"
#include "apps/graph/metis_check.hpp"
#include "apps/graph/reader.hpp"
#include "apps/graph/serialized_reader.hpp"

namespace far::apps {
namespace {

/// A header that may exist only on rank 0, in a form that can be broadcast.
struct travelling_header {
  bool present = false;
  graph_header header;
};

void check_size(const memory_budget& budget, const std::string& path, const graph_header& header,
                const load_options& wanted) {
  const bool doubled = wanted.both_ways || wanted.outgoing || header.symmetric;
  const graph_size size{.vertices = static_cast<double>(header.vertices),
                        .edges = static_cast<double>(header.entries),
                        .both_ways = doubled && !header.listed_twice,
                        .weighted = wanted.weights && header.weighted()};
  std::string what = fmt::format("the header promises {} vertices", header.vertices);
  if (size.edges > size.vertices) what += fmt::format(" and {} entries", header.entries);
  budget.check(path, size, what, "correct the header");
}

/// Reads a rank's part into a store, and checks from time to time that the rest will fit.
class part_loader {
 public:
  part_loader(world& world, const graph_source& source, const load_options& wanted)
      : world_(&world),
        source_(&source),
        wanted_(wanted),
        budget_(world),
        bar_("reading " + source.file) {}

  loaded_part load() {
    const input_plan plan = plan_together(*world_, {source_->file}, wanted_.read_twice).front();
    graph_reader_settings settings;
    settings.format = source_->format;
    settings.weights = wanted_.weights;
    settings.allowed = wanted_.allowed;
    settings.on_name = [&](std::int64_t id, std::string_view name) {
      part_.names.insert_or_assign(id, std::string(name));
    };
    const bool shows = world_->rank() == 0 && bar_.visible();
    settings.input.on_progress = [this, shows](std::uint64_t done, std::uint64_t total) {
      // Rank 0's progress through its part is an estimate for all ranks.
      if (shows) bar_.update(done, total);
      done_ = done;
      total_ = total;
    };
    graph_reader reader(source_->file, plan, part_of(*world_), settings);
    if (reader.header()) check_size(budget_, source_->file, *reader.header(), wanted_);
    divide_lists(reader, plan);
    read(reader);
    bar_.finish();
    share_header(reader);
    return std::move(part_);
  }

 private:
  void read(graph_reader& reader) {
    std::vector<edge> edges;
    std::vector<double> weights;
    std::uint64_t next_check = edges_per_check;
    while (reader.read(edges, &weights)) {
      part_.edges.append(edges, weights);
      edges.clear();
      weights.clear();
      if (part_.edges.size() < next_check) continue;
      next_check += edges_per_check;
      check_rest();
    }
  }

  /// Expects the rest of the file to have as many edges per byte as what was read.
  void check_rest() const {
    if (done_ == 0 || total_ == 0) return;
    const double share = static_cast<double>(done_) / static_cast<double>(total_);
    const double all = static_cast<double>(part_.edges.size()) / share * world_->size();
    budget_.check(source_->file,
                  {.edges = all,
                   .both_ways = wanted_.both_ways || wanted_.outgoing,
                   .weighted = part_.edges.weighted()},
                  fmt::format("has about {:.3g} edges", all), {});
  }

  /// Tells each part of a METIS file which vertices its lines belong to.
  void divide_lists(graph_reader& reader, const input_plan& plan) {
    if (plan_for(reader.format(), plan).kind == input_kind::stream) return;
    if (reader.format() != graph_format::metis) return;
    lists_ = reader.count_lists();
    reader.start_at(exclusive_scan(*world_, lists_, std::uint64_t{0}));
  }

  void share_header(const graph_reader& reader) {
    travelling_header first;
    std::uint64_t lists = lists_;
    if (world_->rank() == 0 && reader.header()) {
      first = {true, *reader.header()};
      if (lists == 0) lists = reader.next_vertex();  // of a file that rank 0 has read alone
    }
    first = broadcast(*world_, first, 0);
    if (!first.present) return (void)allreduce(*world_, reader.entries());
    part_.vertices.header = first.header;
    if (first.header.listed_twice) {
      check_lists(source_->file, first.header, allreduce(*world_, lists));
    }
    check_entries(source_->file, first.header, allreduce(*world_, reader.entries()));
    check_size(budget_, source_->file, first.header, wanted_);
  }

  static constexpr std::uint64_t edges_per_check = std::uint64_t{1} << 21;

  world* world_;
  const graph_source* source_;
  load_options wanted_;
  memory_budget budget_;
  progress_bar bar_;
  loaded_part part_;
  std::uint64_t done_ = 0, total_ = 0;  // bytes of this part
  std::uint64_t lists_ = 0;             // of a METIS file, in this part
};

/// Generates this rank's part of the edges.
loaded_part generate(world& world, const rmat_settings& settings, const load_options& wanted) {
  const memory_budget budget(world);
  budget.check(
      fmt::format("--rmat {}", settings.scale),
      {.vertices = static_cast<double>(settings.vertices()),
       .edges = static_cast<double>(settings.edges()),
       .both_ways = wanted.both_ways || wanted.outgoing},
      fmt::format("asks for {} vertices and {} edges", settings.vertices(), settings.edges()),
      "choose a smaller scale");
  loaded_part part;
  part.vertices.header =
      graph_header{.vertices = settings.vertices(), .entries = settings.edges(), .first_id = 0};
  const rmat_generator edge_at(settings);
  const byte_range mine = contiguous_range(settings.edges(), part_of(world));
  std::vector<edge> edges;
  for (std::uint64_t e = mine.begin; e < mine.end; ++e) {
    edges.push_back(edge_at(e));
    if (edges.size() < edge_store::edges_per_block && e + 1 < mine.end) continue;
    part.edges.append(edges);
    edges.clear();
  }
  return part;
}

}  // namespace

graph_format format_of(const graph_source& source) {
  return source.format == graph_format::automatic ? format_of_name(source.file) : source.format;
}

loaded_part load_graph(world& world, const graph_source& source, const load_options& wanted) {
  if (source.rmat) return generate(world, *source.rmat, wanted);
  return part_loader(world, source, wanted).load();
}

namespace {

loaded_part load_ldbc(world& world, const graph_source& source, const load_options& wanted,
                      graph_options& options) {
  const ldbc_files files = ldbc_files_of(source.file);
  if (broadcast(world, world.rank() == 0 && says_undirected(files.properties), 0)) {
    options.undirected = true;
  }
  std::vector<std::int64_t> vertices = read_vertices(world, files.vertices, wanted.read_twice);
  loaded_part part =
      load_graph(world, {.file = files.edges, .format = graph_format::edges}, wanted);
  part.vertices.listed = std::move(vertices);
  return part;
}

}  // namespace

loaded_graph read_graph(world& world, const graph_source& source, const graph_options& options,
                        load_options wanted) {
  const graph_format format = source.rmat ? graph_format::automatic : format_of(source);
  if (is_serialized(format)) {
    const bool weighted = format == graph_format::weighted_serialized;
    return {read_serialized(world, source.file, weighted, options, wanted), {}, 0};
  }
  graph_options rules = options;
  wanted.both_ways = wanted.both_ways || options.undirected;
  loaded_part part = format == graph_format::ldbc ? load_ldbc(world, source, wanted, rules)
                                                  : load_graph(world, source, wanted);
  const numbering names(world, part.edges, part.vertices);
  if (names.unknown_id()) {
    fail_unknown_vertex(world, ldbc_files_of(source.file), *names.unknown_id());
  }
  names.rename(part.edges);
  if (part.vertices.header && part.vertices.header->listed_twice) {
    check_both_lists(world, source.file, part.edges, names);
  }
  return {
      build_numbered(world, std::move(part.edges), rules, names, part.vertices, wanted.outgoing),
      std::move(part.names), part.vertices.header ? part.vertices.header->first_id : 0};
}

}  // namespace far::apps
