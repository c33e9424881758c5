// Scopes, names and collections. The Python twin is names.py.
#include "tests/tutorials/shown.h"

namespace tf = rill;

int main() {
  {
    const tf::VariableScopeBlock layer("layer");
    tf::get_variable("w", {2}, {.initializer = tf::zeros_initializer()});
    const tf::NameScope inner("inner");
    const auto y = tf::constant(1.0, {.name = "y"});
    tf::add_to_collection("mine", y);
    std::printf("%s\n", y.name().c_str());
  }
  {
    const tf::VariableScopeBlock again("layer", {.reuse = tf::Reuse::kYes});
    std::printf("%s\n", tf::get_variable("w", {2}).name().c_str());
  }
  std::printf("%s\n", tf::add(1, 2).name().c_str());
  std::printf("%s\n", tf::add(1, 2).name().c_str());
  tf::Session sess;
  for (const auto& y : tf::get_tensor_collection("mine")) show(y.name(), sess.run(y));
  return 0;
}
