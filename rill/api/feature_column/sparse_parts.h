#pragma once

#include "rill/api/feature_column/feature_column.h"

namespace rill::feature_column {

// What columns do with sparse tensors and sequences.

// Reshaped to [examples, row]; -1: whatever there is.
SparseTensor with_rows(const SparseTensor& x, int row);

// A size as int32, of which shapes in graphs are made; throws InvalidArgument where it is larger.
int as_int32(std::int64_t size);

// A dense feature without values that mean nothing: "" among strings, -1 among integers, 0 among
// others, or what is given. A sparse one as it is.
SparseTensor to_sparse_input(const Transformed& input, const OptionalInput& ignored = {});

// How many steps the sequence of each example has, int64; a step has `num_elements` values in a
// row. Examples without values have 0.
Output sequence_length(const SparseTensor& x, std::int64_t num_elements = 1);

// The numbers of each step of a sequence in one row.
Output flat_steps(Output tensor, const SequenceDenseColumn& column);
// The first of tensors; the step fails where others differ from it.
Output all_equal(const std::vector<Output>& tensors);

// Throws InvalidArgument where tensors say that they have different numbers of examples.
void verify_same_batch_size(const std::vector<Output>& tensors, const Columns& columns);

}  // namespace rill::feature_column
