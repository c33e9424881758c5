// A function with a gradient of its own. The Python twin is own_gradient.py.
#include "tests/tutorials/shown.h"

namespace tf = rill;

int main() {
  const auto x = tf::constant({0.0, 100.0});
  const auto y = tf::custom_gradient(
      [](const std::vector<tf::Output>& args) {
        const auto e = tf::exp(args[0]);
        return tf::WithGradient{
            {tf::log(1 + e)}, [e](const std::vector<tf::Gradient>& dys) {
              return std::vector{tf::Gradient(dys[0].dense() * (1 - 1 / (1 + e)))};
            }};
      },
      {x});
  tf::Session sess;
  show("gradient", sess.run(tf::gradients(y[0], x)[0].dense()));
  return 0;
}
