// An LSTM and a layer on its last state. The Python twin is lstm.py.
#include "tests/tutorials/shown.h"

namespace tf = rill;

int main() {
  const auto x = tf::reshape(tf::range(8.0), {2, 4, 1}) / 8;
  const tf::VariableScopeBlock scope("net", {.initializer = tf::constant_initializer(0.2)});
  tf::nn::rnn_cell::BasicLSTMCell cell(3);
  const auto network = tf::nn::dynamic_rnn(cell, x, {.dtype = tf::float32});
  const tf::nn::rnn_cell::LSTMStateTuple state(network.state);
  const auto loss = tf::reduce_sum(tf::layers::dense(state.h, 1));
  const auto grads = tf::gradients(loss, tf::trainable_variables());
  tf::Session sess;
  sess.run(tf::global_variables_initializer());
  show("c", sess.run(state.c));
  show("loss", sess.run(loss));
  for (const auto& grad : grads) show("norm", sess.run(tf::norm(grad.dense())));
  return 0;
}
