#include "test/litmus/shapes.hpp"

namespace far::litmus {

const std::vector<shape>& shapes() {
  static const std::vector<shape> all = {
      {"mp", {{{x, 1}, {y, 1}}, {{y, 0}, {x, 0}}}},
      {"sb", {{{x, 1}, {y, 0}}, {{y, 1}, {x, 0}}}, true},
      {"lb", {{{x, 0}, {y, 1}}, {{y, 0}, {x, 1}}}, true},
      {"s", {{{x, 2}, {y, 1}}, {{y, 0}, {x, 1}}}},
      {"r", {{{x, 1}, {y, 1}}, {{y, 2}, {x, 0}}}},
      {"2+2w", {{{x, 1}, {y, 2}}, {{y, 1}, {x, 2}}}, true},
      {"corr", {{{x, 1}}, {{x, 0}, {x, 0}}}},
      {"coww", {{{x, 1}, {x, 2}}, {{x, 0}, {x, 0}}}},
      {"corw", {{{x, 0}, {x, 1}}, {{x, 2}}}},
      {"cowr", {{{x, 1}, {x, 0}}, {{x, 2}}}},
      {"sb+own", {{{x, 1}, {x, 0}, {y, 0}}, {{y, 1}, {y, 0}, {x, 0}}}, true},
      {"wrc", {{{x, 1}}, {{x, 0}, {y, 1}}, {{y, 0}, {x, 0}}}},
      {"rwc", {{{x, 1}}, {{x, 0}, {y, 0}}, {{y, 1}, {x, 0}}}},
      {"isa2", {{{x, 1}, {y, 1}}, {{y, 0}, {z, 1}}, {{z, 0}, {x, 0}}}},
      {"iriw", {{{x, 1}}, {{x, 0}, {y, 0}}, {{y, 1}}, {{y, 0}, {x, 0}}}, true},
  };
  return all;
}

}  // namespace far::litmus
