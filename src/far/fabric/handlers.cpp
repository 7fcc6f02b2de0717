#include "far/fabric/handlers.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/base/random.hpp"
#include "far/base/version.hpp"

namespace far::fabric {
namespace {

struct entry {
  handler function;
  const char* name;  // the mangled name of the type, which is the same in every process
  std::size_t ticket;
};

/// Filled before main by handler_of's statics, sorted once, then read-only, except `late`.
struct table {
  std::mutex mutex;
  std::vector<entry> entries;         // by ticket, then by name
  std::vector<handler_index> places;  // ticket -> index
  bool sorted = false;
  std::vector<entry> late;  // registered after that
};

table& the_table() {
  static table instance;
  return instance;
}

std::uint64_t hash_bytes(std::uint64_t hash, std::string_view bytes) {
  for (const char c : bytes) hash = base::mix(hash ^ static_cast<unsigned char>(c));
  return hash;
}

/// The GNU build id of a loaded object, as raw bytes; empty if it was linked without one.
std::string build_id(const dl_phdr_info& object) {
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    const auto& segment = object.dlpi_phdr[i];
    if (segment.p_type != PT_NOTE) continue;
    const auto* note = reinterpret_cast<const char*>(object.dlpi_addr + segment.p_vaddr);
    const char* const end = note + segment.p_memsz;
    while (note + sizeof(ElfW(Nhdr)) <= end) {
      ElfW(Nhdr) head;
      std::memcpy(&head, note, sizeof(head));
      const auto padded = [](std::size_t bytes) { return (bytes + 3) & ~std::size_t{3}; };
      const char* const name = note + sizeof(head);
      const char* const id = name + padded(head.n_namesz);
      if (head.n_type == NT_GNU_BUILD_ID && std::string_view(name, 3) == "GNU") {
        return {id, head.n_descsz};
      }
      note = id + padded(head.n_descsz);
    }
  }
  return {};
}

/// Whether a loaded object holds this code.
bool holds(const dl_phdr_info& object, handler function) {
  const auto code = reinterpret_cast<ElfW(Addr)>(function);
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    const auto& segment = object.dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    if (code - (object.dlpi_addr + segment.p_vaddr) < segment.p_memsz) return true;
  }
  return false;
}

/// The build id of the object that holds this code.
std::string build_of(handler function) {
  std::pair<handler, std::string> search{function, {}};
  const auto look = [](dl_phdr_info* object, std::size_t, void* data) {
    auto& [code, id] = *static_cast<std::pair<handler, std::string>*>(data);
    if (!holds(*object, code)) return 0;
    id = build_id(*object);
    return 1;
  };
  dl_iterate_phdr(look, &search);
  return search.second;
}

/// Sorts by name. Libraries whose symbols are hidden may each have a handler of one name; these are
/// sorted by their libraries, whatever the order in which a rank has loaded them.
void sort(std::vector<entry>& entries) {
  const auto before = [](const entry& a, const entry& b) {
    const int order = std::strcmp(a.name, b.name);
    return order == 0 ? build_of(a.function) < build_of(b.function) : order < 0;
  };
  std::stable_sort(entries.begin(), entries.end(), before);
}

const table& sorted_table() {
  static const table& sorted = []() -> const table& {
    table& t = the_table();
    const std::scoped_lock lock(t.mutex);
    sort(t.entries);
    t.places.resize(t.entries.size());
    for (std::size_t i = 0; i < t.entries.size(); ++i) {
      t.places[t.entries[i].ticket] = static_cast<handler_index>(i);
    }
    t.sorted = true;
    return t;
  }();
  return sorted;
}

/// Hashes the build ids of all objects that contain handlers, independent of their load order.
std::uint64_t hash_of_builds() {
  std::set<std::string> ids;
  const auto collect = [](dl_phdr_info* object, std::size_t, void* result) {
    const auto& all = sorted_table().entries;
    if (std::any_of(all.begin(), all.end(),
                    [&](const entry& e) { return holds(*object, e.function); })) {
      static_cast<std::set<std::string>*>(result)->insert(build_id(*object));
    }
    return 0;
  };
  dl_iterate_phdr(collect, &ids);
  std::uint64_t hash = 0;
  for (const std::string& id : ids) hash = hash_bytes(hash, id);
  return hash;
}

/// The index of a handler that was registered too late to have one of its own: that of the same
/// type, of another library.
handler_index index_of_late(const table& t, std::size_t ticket) {
  const char* name = nullptr;
  {
    const std::scoped_lock lock(the_table().mutex);
    name = t.late[ticket - t.entries.size()].name;
  }
  const auto same = std::lower_bound(
      t.entries.begin(), t.entries.end(), name,
      [](const entry& e, const char* wanted) { return std::strcmp(e.name, wanted) < 0; });
  const bool found = same != t.entries.end() && std::strcmp(same->name, name) == 0;
  if (found && std::strstr(name, "_GLOBAL__N_") == nullptr) {  // not of an unnamed namespace
    return static_cast<handler_index>(same - t.entries.begin());
  }
  throw fabric_error(
      "a library with handlers was loaded after the first job started: "
      "load it before far::run");
}

}  // namespace

std::size_t register_handler(handler function, const std::type_info& type) {
  table& t = the_table();
  const std::scoped_lock lock(t.mutex);
  const std::size_t ticket = t.entries.size() + t.late.size();
  (t.sorted ? t.late : t.entries).push_back({function, type.name(), ticket});
  return ticket;
}

handler_index index_of_ticket(std::size_t ticket) {
  const table& t = sorted_table();
  return ticket < t.places.size() ? t.places[ticket] : index_of_late(t, ticket);
}

handler handler_at(handler_index index) noexcept {
  const table& t = sorted_table();
  return index < t.places.size() ? t.entries[index].function : nullptr;
}

std::uint64_t handlers_fingerprint() {
  static const std::uint64_t fingerprint = [] {
    std::uint64_t hash = hash_bytes(hash_of_builds(), FAR_VERSION);
    for (const entry& e : sorted_table().entries) hash = hash_bytes(hash, e.name);
    return hash == 0 ? 1 : hash;  // 0 means that no rank has joined
  }();
  return fingerprint;
}

std::string handlers_description() {
  return fmt::format("libfar {}, {} handlers, fingerprint {:016x}", FAR_VERSION,
                     sorted_table().places.size(), handlers_fingerprint());
}

}  // namespace far::fabric
