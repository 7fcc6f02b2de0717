#include "far/homes/message.hpp"

#include <string>

#include "far/base/error.hpp"

namespace far::homes {

void throw_malformed(const char* what) {
  throw fabric_error(std::string("a message was damaged, or sent by a rank of another build: ") +
                     what);
}

}  // namespace far::homes
