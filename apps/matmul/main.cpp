// far-matmul: multiplies matrices, on one rank or many.

#include "apps/common/program.hpp"
#include "apps/matmul/blas_product.hpp"
#include "apps/matmul/matmul.hpp"
#include "apps/matmul/options.hpp"
#include "apps/matmul/report.hpp"

int main(int argc, char** argv) {
  using namespace far::apps;
  using namespace far::apps::matmul;
  const blas with = open_blas();
  run_program(argc, argv, parse_command, [&with](far::world& world, const command& asked) {
    const result found = multiply(world, asked, with);
    return asked.json ? as_json(found) : as_text(found);
  });
}
