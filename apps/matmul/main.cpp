// far-matmul: multiplies matrices, on one rank or many.

#include "apps/common/output.hpp"
#include "apps/matmul/blas_product.hpp"
#include "apps/matmul/matmul.hpp"
#include "apps/matmul/options.hpp"
#include "apps/matmul/report.hpp"
#include "far/far.hpp"

int main(int argc, char** argv) {
  const far::apps::matmul::blas blas = far::apps::matmul::open_blas();
  far::run([&blas, argc, argv](far::world& world) {
    std::string answer;
    // Every rank parses the same command line, so an error occurs on all; it is reported once.
    if (const auto asked = far::apps::matmul::parse_command(argc, argv, answer)) {
      const far::apps::matmul::result found = far::apps::matmul::multiply(world, *asked, blas);
      answer = asked->json ? far::apps::matmul::as_json(found) : far::apps::matmul::as_text(found);
    }
    if (world.rank() == 0) far::apps::print_result(answer);
  });
}
