// A recurrent network over sequences of different lengths. The Python twin is rnn.py.
#include "tests/tutorials/shown.h"

namespace tf = rill;

int main() {
  const auto x = tf::reshape(tf::range(12.0), {2, 3, 2}) / 10;
  const tf::VariableScopeBlock scope("rnn", {.initializer = tf::constant_initializer(0.1)});
  tf::nn::rnn_cell::BasicRNNCell cell(2);
  const auto network =
      tf::nn::dynamic_rnn(cell, x, {.sequence_length = tf::constant({3, 2}), .dtype = tf::float32});
  tf::Session sess;
  sess.run(tf::global_variables_initializer());
  show("outputs", sess.run(network.output()));
  show("state", sess.run(network.state)[0]);
  return 0;
}
