#pragma once
// The options --threads and --protocol of programs of shared objects.

#include <cstdint>
#include <string>

#include "far/object/options.hpp"

namespace CLI {
class App;
}

namespace far::apps {

/// How ranks see each other's objects.
enum class object_protocol : std::uint8_t {
  automatic,   ///< where they are, if all ranks share a machine's memory; otherwise by copies
  invalidate,  ///< by copies, which are fetched again after others have changed the object
  messages,    ///< the same, but what is fetched comes in messages, not one-sided
  update,      ///< by copies, which are sent what others have changed
  in_place,    ///< the same, but the objects' homes write it over them one-sided
};

void add_object_options(CLI::App& app, int& threads, object_protocol& protocol);
[[nodiscard]] std::string name_of(object_protocol protocol);
[[nodiscard]] object_space_options options_of(object_protocol protocol);

}  // namespace far::apps
