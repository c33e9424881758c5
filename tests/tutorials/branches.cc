// Branches that depend on values. The Python twin is branches.py.
#include "tests/tutorials/shown.h"

namespace tf = rill;

int main() {
  const auto x = tf::placeholder(tf::float32, {});
  const auto y = tf::cond(
      x > 0.0, [&] { return tf::sqrt(x); }, [&] { return x * x; });
  const auto z = tf::case_({{x < 0.0, [] { return tf::constant("negative"); }},
                            {x > 10.0, [] { return tf::constant("large"); }}},
                           [] { return tf::constant("small"); });
  tf::Session sess;
  for (const float value : {9.0f, -2.0f, 16.0f}) {
    show("y", sess.run(y, {{x, value}}));
    show("z", sess.run(z, {{x, value}}));
  }
  return 0;
}
