// Exports a model and asks it by its signature. The Python twin is saved_model.py.
#include "tests/tutorials/shown.h"

namespace tf = rill;

int main() {
  const std::string folder = temporary_folder("saved_model");
  {
    const tf::AsDefault exported(tf::make_graph());
    const auto x = tf::placeholder(tf::float32, {tf::None, 2}, {.name = "x"});
    const tf::Variable w(tf::constant({{2.0f}, {3.0f}}));
    tf::Session sess;
    sess.run(tf::global_variables_initializer());
    tf::saved_model::simple_save(sess, folder + "/1", {{"x", x}}, {{"y", tf::matmul(x, w)}});
  }
  auto model = tf::saved_model::load(folder + "/1");
  show("y", model.run({{"x", tf::Tensor::of<float>({2, 2}, {1, 1, 1, 2})}}).at("y"));
  return 0;
}
