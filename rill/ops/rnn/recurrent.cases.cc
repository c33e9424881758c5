#include "tests/optest/op_case.h"

namespace rill {
namespace {

using Inputs = std::vector<CaseInput>;

struct Sizes {
  std::int64_t batch, inputs, cells;
};

// From the state before to the bias.
void add_weights(Inputs& in, DType type, const Sizes& s) {
  const Shape state{s.batch, s.cells};
  in.emplace_back(random(type, state, 2));
  in.emplace_back(random(type, state, 3));
  in.emplace_back(random(type, {s.inputs + s.cells, 4 * s.cells}, 4, -0.5, 0.5));
  for (const std::uint64_t seed : {5u, 6u, 7u}) in.emplace_back(random(type, {s.cells}, seed));
  in.emplace_back(random(type, {4 * s.cells}, 8));
}

Inputs cell_inputs(DType type, const Sizes& s) {
  Inputs in{random(type, {s.batch, s.inputs}, 1)};
  add_weights(in, type, s);
  return in;
}

Inputs cell_grad_inputs(DType type, const Sizes& s) {
  Inputs in = cell_inputs(type, s);
  for (std::uint64_t seed = 10; seed < 18; ++seed)
    in.emplace_back(random(type, {s.batch, s.cells}, seed, 0.1, 0.9));
  return in;
}

Inputs block_inputs(DType type, const Sizes& s, std::int64_t steps, std::int64_t used) {
  Inputs in{scalar<std::int64_t>(used), random(type, {steps, s.batch, s.inputs}, 1)};
  add_weights(in, type, s);
  return in;
}

Inputs block_grad_inputs(DType type, const Sizes& s, std::int64_t steps, std::int64_t used) {
  Inputs in = block_inputs(type, s, steps, used);
  for (std::uint64_t seed = 10; seed < 19; ++seed)
    in.emplace_back(random(type, {steps, s.batch, s.cells}, seed, 0.1, 0.9));
  return in;
}

double tolerance(DType type) { return type == DType::f16 ? 2e-3 : 1e-5; }

void add_cells(std::vector<OpCase>& rows) {
  for (const DType type : {DType::f32, DType::f16})
    for (const bool peephole : {false, true})
      for (const float clip : {3.0F, 0.2F, -1.0F}) {
        const AttrMap attrs{{"use_peephole", peephole}, {"cell_clip", clip}, {"forget_bias", 0.5F}};
        rows.push_back({.op = "LSTMBlockCell",
                        .in = cell_inputs(type, {2, 3, 5}),
                        .attrs = attrs,
                        .atol = tolerance(type),
                        .grad = false});  // only the states pass it on; see recurrent_test.cc
      }
  for (const Sizes& s : {Sizes{17, 33, 40}, Sizes{1, 0, 2}})
    rows.push_back({.op = "LSTMBlockCell",
                    .in = cell_inputs(DType::f32, s),
                    .atol = 1e-5,
                    .grad = false});  // only the states pass it on; see recurrent_test.cc
  for (const DType type : {DType::f32, DType::f16})
    for (const bool peephole : {false, true})
      rows.push_back({.op = "LSTMBlockCellGrad",
                      .in = cell_grad_inputs(type, {3, 2, 5}),
                      .attrs = {{"use_peephole", peephole}},
                      .atol = tolerance(type)});
  rows.push_back({.op = "LSTMBlockCellGrad",
                  .in = cell_grad_inputs(DType::f32, {20, 7, 35}),
                  .attrs = {{"use_peephole", true}},
                  .atol = 1e-5});
}

void add_blocks(std::vector<OpCase>& rows) {
  for (const char* op : {"BlockLSTM", "BlockLSTMV2"})
    for (const DType type : {DType::f32, DType::f16})
      for (const bool peephole : {false, true})
        rows.push_back({.op = op,
                        .in = block_inputs(type, {2, 3, 4}, 3, 3),
                        .attrs = {{"use_peephole", peephole}, {"cell_clip", 0.0F}},
                        .atol = tolerance(type),
                        .grad = false});  // takes no double; recurrent_test.cc checks it
  for (const char* op : {"BlockLSTM", "BlockLSTMV2"}) {
    rows.push_back({.op = op,
                    .in = block_inputs(DType::f32, {2, 3, 4}, 3, 3),
                    .attrs = {{"cell_clip", 0.3F}},
                    .atol = 1e-5,
                    .grad = false});  // takes no double; recurrent_test.cc checks it
    rows.push_back({.op = op,
                    .in = block_inputs(DType::f32, {13, 21, 34}, 6, 6),
                    .atol = 1e-5,
                    .grad = false});  // takes no double; recurrent_test.cc checks it
  }
  for (const char* op : {"BlockLSTMGrad", "BlockLSTMGradV2"}) {
    for (const DType type : {DType::f32, DType::f16})
      for (const bool peephole : {false, true})
        rows.push_back({.op = op,
                        .in = block_grad_inputs(type, {2, 3, 4}, 3, 3),
                        .attrs = {{"use_peephole", peephole}},
                        .atol = type == DType::f16 ? 1e-2 : 1e-5});
    for (const std::int64_t used : {0, 1, 2})
      rows.push_back({.op = op,
                      .in = block_grad_inputs(DType::f32, {2, 3, 4}, 3, used),
                      .attrs = {{"use_peephole", true}},
                      .atol = 1e-5});
    rows.push_back({.op = op,
                    .in = block_grad_inputs(DType::f32, {13, 21, 34}, 6, 5),
                    .attrs = {{"use_peephole", true}},
                    .atol = 1e-4});
  }
}

Inputs gru_inputs(const Sizes& s) {
  const DType type = DType::f32;
  return {random(type, {s.batch, s.inputs}, 1),
          random(type, {s.batch, s.cells}, 2),
          random(type, {s.inputs + s.cells, 2 * s.cells}, 3),
          random(type, {s.inputs + s.cells, s.cells}, 4),
          random(type, {2 * s.cells}, 5),
          random(type, {s.cells}, 6)};
}

void add_gru(std::vector<OpCase>& rows) {
  for (const Sizes& s : {Sizes{2, 3, 5}, Sizes{1, 1, 1}, Sizes{17, 33, 40}}) {
    rows.push_back({.op = "GRUBlockCell",
                    .in = gru_inputs(s),
                    .atol = 1e-5,
                    .grad = false});  // only the state passes it on; see recurrent_test.cc
    Inputs in = gru_inputs(s);
    for (const std::uint64_t seed : {7u, 8u, 9u, 10u})
      in.emplace_back(random(DType::f32, {s.batch, s.cells}, seed, 0.1, 0.9));
    rows.push_back({.op = "GRUBlockCellGrad", .in = in, .atol = 2e-5});
  }
}

void add_errors(std::vector<OpCase>& rows) {
  const auto refuse = [&](const char* op, Inputs in, std::size_t which, Tensor bad,
                          AttrMap attrs = {}) {
    in.at(which) = std::move(bad);
    rows.push_back({.op = op, .in = in, .attrs = std::move(attrs), .error = ".*"});
  };
  const Inputs cell = cell_inputs(DType::f32, {2, 3, 4});
  refuse("LSTMBlockCell", cell, 1, random<float>({3, 4}, 1));
  refuse("LSTMBlockCell", cell, 3, random<float>({6, 16}, 1));
  refuse("LSTMBlockCell", cell, 3, random<float>({7, 12}, 1));
  refuse("LSTMBlockCell", cell, 7, random<float>({12}, 1));
  const Inputs block = block_inputs(DType::f32, {2, 3, 4}, 3, 3);
  refuse("BlockLSTM", block, 4, random<float>({7, 12}, 1));
  refuse("BlockLSTM", block, 3, random<float>({2, 5}, 1));
  const Inputs gru = gru_inputs({2, 3, 4});
  refuse("GRUBlockCell", gru, 1, random<float>({3, 4}, 1));
  refuse("GRUBlockCell", gru, 2, random<float>({7, 7}, 1));
  refuse("GRUBlockCell", gru, 5, random<float>({5}, 1));
}

}  // namespace

extern const OpCases kRecurrentCases{"recurrent", [] {
                                       std::vector<OpCase> rows;
                                       add_cells(rows);
                                       add_blocks(rows);
                                       add_gru(rows);
                                       add_errors(rows);
                                       return rows;
                                     }};

}  // namespace rill
