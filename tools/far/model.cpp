// far model: the costs of operations, and their formulas.

#include "tools/far/model.hpp"

#include <array>

#include "far/base/error.hpp"

namespace far::tools {

void add_model(CLI::App& app, int& status) {
  CLI::App* const model = app.add_subcommand("model", "What operations cost on a fabric, and why");
  model->require_subcommand(0, 1);
  add_model_calibrate(*model, status);
  add_model_explain(*model, status);
  model->callback([model] {
    if (model->get_subcommands().empty()) throw bad_argument("want calibrate or explain");
  });
}

std::string_view meaning_of(model::component what) {
  constexpr std::array<std::string_view, model::components> meanings{
      "put of a word",
      "get of a word",
      "fetch-and-add of any word",
      "fetch-and-add of one word by all ranks",
      "compare-and-swap, one try",
      "compare-and-swap until it is this rank's turn",
      "message and reply, with the handler's work",
      "work in the rank's own memory"};
  return meanings[static_cast<std::size_t>(what)];
}

}  // namespace far::tools
