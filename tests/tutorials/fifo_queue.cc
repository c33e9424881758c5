// A queue that holds what steps put there. The Python twin is fifo_queue.py.
#include "tests/tutorials/shown.h"

namespace tf = rill;

int main() {
  tf::FIFOQueue queue(3, {tf::float32}, {.shapes = {tf::Shape{}}});
  auto& init = queue.enqueue_many({{0.0, 0.1, 0.2}});
  const auto x = queue.dequeue()[0];
  auto& increment = queue.enqueue({x + 1});
  tf::Session sess;
  sess.run(init);
  for (int i = 0; i < 4; ++i) sess.run(increment);
  show("size", sess.run(queue.size()));
  for (int i = 0; i < 3; ++i) show("x", sess.run(x));
  return 0;
}
