// Threads that fill a queue, and their coordinator. The Python twin is runners.py.
#include "tests/tutorials/shown.h"

namespace tf = rill;

int main() {
  auto queue = tf::train::range_input_producer(4, {.num_epochs = 1, .shuffle = false});
  const auto index = queue.dequeue()[0];
  tf::Session sess;
  sess.run(tf::group({&tf::global_variables_initializer(), &tf::local_variables_initializer()}));
  tf::train::Coordinator coord;
  const auto threads = tf::train::start_queue_runners(sess, &coord);
  try {
    while (!coord.should_stop()) show("index", sess.run(index));
  } catch (const tf::errors::OutOfRangeError&) {
    std::printf("the end\n");
  }
  coord.request_stop();
  coord.join(threads);
  return 0;
}
