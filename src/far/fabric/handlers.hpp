#pragma once
// The table of handlers: every handler type of the program, in an order that all ranks of the
// same build compute without communication.

#include <cstdint>
#include <string>
#include <typeinfo>

#include "far/fabric/message.hpp"

namespace far::fabric {

/// Adds a handler and returns its ticket. The static in handler_of calls it before main.
std::size_t register_handler(handler function, const std::type_info& type);

/// The index of a ticket in the table, which is sorted by type name at the first call. A library
/// that is loaded after that may use only handlers whose types are in the table, by other code's
/// registration; for others, throws fabric_error.
handler_index index_of_ticket(std::size_t ticket);

/// The handler at an index that a message carried, or null.
handler handler_at(handler_index index) noexcept;

/// A fingerprint of the table and of the build of the code in it, as 64 bits to compare and as text
/// for error messages. Ranks whose fingerprints differ must not communicate.
std::uint64_t handlers_fingerprint();
std::string handlers_description();

/// The index of a handler type: a struct with `static void run(message&)`. Using
/// handler_of<H>::index() anywhere in the program registers H before main starts.
template <class Handler>
struct handler_of {
  static handler_index index() {
    static const handler_index value = index_of_ticket(ticket);
    return value;
  }

 private:
  static inline const std::size_t ticket = register_handler(&Handler::run, typeid(Handler));
};

}  // namespace far::fabric
