#pragma once

#include <memory>

#include "rill/api/layers/scope_choice.h"
#include "rill/api/rnn/cell.h"

// What networks have in common. These functions make nodes under the names that TensorFlow's make
// them under, some of which nothing reads.
namespace rill::nn {

// [batch, size...] as a tensor.
Output batch_shape(const BatchSize& batch, const PartialShape& size);
// The same as far as it is known.
PartialShape static_batch_shape(const BatchSize& batch, const PartialShape& size);
// [time, batch, size...]; kUnknownDim: not known.
PartialShape static_time_shape(std::int64_t time, std::int64_t batch, const PartialShape& size);

// Tensors of zeros, one for each size.
rnn_cell::State zero_tensors(const rnn_cell::Sizes& sizes, const BatchSize& batch, DType dtype);

// Opens the scope of a network, whose variables are read where the network runs.
std::unique_ptr<VariableScopeBlock> open_network(const layers::ScopeChoice& scope,
                                                 const char* otherwise, std::source_location at);

// Reads of variables of this scope are made once, where the network runs, unless a loop around may
// change the variables in each of its rounds.
void read_variables_once(VariableScope& scope);
// [a, b, ...] as [b, a, ...]; vectors and scalars stay. Throws InvalidArgument for unknown ranks.
Output batch_and_time_exchanged(Output x);

// `dtype`, or the one that all tensors of a state have; throws InvalidArgument when there are
// several.
DType state_dtype(DType dtype, const rnn_cell::State& state);
// The given state, or the cell's own; throws InvalidArgument when it has no dtype.
rnn_cell::State first_state(Cell& cell, const std::optional<std::vector<Input>>& given,
                            const BatchSize& batch, DType dtype);

// Each as a tensor; values become constants of their own.
std::vector<Output> each_as_tensor(const Inputs& values);

// For the examples that are `finished` what was, for the others what is new; scalars, which have no
// examples, are new.
std::vector<Output> keep_finished(Output finished, const std::vector<Output>& old,
                                  const std::vector<Output>& fresh);
// Lengths of sequences for ops that take int64 as well: lists of numbers become int32.
OptionalInput lengths_input(const OptionalInput& given);
void set_shapes(const std::vector<Output>& tensors, const std::vector<Output>& like);
// Throws InvalidArgument when a step gave other numbers of tensors than it should.
void check_step(const rnn_cell::CellOutput& step, std::size_t outputs, std::size_t state);

}  // namespace rill::nn
