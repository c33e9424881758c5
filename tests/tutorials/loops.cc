// Loops: Fibonacci numbers, and how many steps Collatz takes. The Python twin is loops.py.
#include "tests/tutorials/shown.h"

namespace tf = rill;

int main() {
  const auto [_, a, b] = tf::while_loop(
      [](tf::Output i, tf::Output, tf::Output) { return i < 10; },
      [](tf::Output i, tf::Output a, tf::Output b) { return std::tuple(i + 1, b, a + b); },
      {0, 0, 1});
  const auto start = tf::placeholder(tf::int32, {});
  const auto collatz = tf::while_loop(
      [](tf::Output n, tf::Output) { return n > 1; },
      [](tf::Output n, tf::Output steps) {
        return std::tuple(tf::where(tf::equal(n % 2, 0), tf::floordiv(n, 2), 3 * n + 1), steps + 1);
      },
      {start, 0});
  tf::Session sess;
  show("fibonacci", sess.run(a));
  show("next", sess.run(b));
  show("steps", sess.run(collatz[1], {{start, 27}}));
  return 0;
}
