// A function of the program as a node of the graph. The Python twin is host.py.
#include "tests/tutorials/shown.h"

namespace tf = rill;

int main() {
  const auto x = tf::placeholder(tf::float32, {2});
  const auto y = tf::py_func(
      [](const std::vector<tf::Tensor>& args) {
        tf::Tensor result(tf::float32, args[0].shape());
        for (std::size_t i = 0; i < 2; ++i) result.data<float>()[i] = args[0].flat<float>()[i] * 2;
        return std::vector{result};
      },
      {x}, {tf::float32})[0];
  tf::Session sess;
  show("y", sess.run(y + 1, {{x, {1, 2}}}));
  return 0;
}
