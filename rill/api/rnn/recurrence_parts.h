#pragma once

#include "rill/api/rnn/recurrence.h"

// What recurrences have in common.
namespace rill::nn::rnn_cell {

// activation(x), tanh(x) where there is none.
Output activated(const Activation& activation, Output x);
// [a, b] side by side, times the kernel.
Output joined_product(Output a, Output b, const Input& kernel);
// The same plus a bias.
Output affine(Output a, Output b, const Input& kernel, const Input& bias);
// Columns [first, first + count) of a matrix.
Output columns(Output x, std::int64_t first, std::int64_t count);
// A step of an LSTM without extras as one op, in eager execution where nobody asks for what is
// computed on the way: no tape, no observer, no other device. Nothing where it is not so, or where
// shapes and types are not an LSTM's.
std::optional<CellOutput> lstm_step_now(const Output& input, const Output& c, const Output& h,
                                        const Inputs& weights, double forget_bias);
// Throws InvalidArgument unless there are `count` tensors, all of floats.
void check_state(const State& state, std::size_t count);
void check_supported(DType dtype);
// Throws InvalidArgument unless a number of units lies in [0, 2^30].
std::int64_t checked_units(std::int64_t num_units);

}  // namespace rill::nn::rnn_cell
