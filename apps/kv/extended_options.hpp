#pragma once

#include <string>

#include "apps/kv/options.hpp"

namespace far::apps::kv {

/// Reads one of memcached's extended options (-o), NAME or NAME=VALUE. What only tunes slabs, LRU
/// lists, hash table or buffers of memcached is accepted, so that its command lines can stay, and
/// changes nothing. Errors: CLI::ValidationError for names that memcached does not know, and for
/// those that ask for what is not here.
void read_extended_option(const std::string& text, command& c);

}  // namespace far::apps::kv
