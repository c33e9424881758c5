#include "rill/ops/ctc/decoded.h"

#include <algorithm>

#include "rill/base/error.h"

namespace rill {

void check_frames(const KernelCall& call) {
  const Tensor &inputs = call.input_tensor(0), &lengths = call.input_tensor(1);
  require(inputs.rank() == 3, "inputs is not a 3-Tensor, its shape is ", inputs.shape());
  require(lengths.rank() == 1, "sequence_length is not a vector, its shape is ", lengths.shape());
  require(inputs.element_count() > 0, "inputs must not be empty, their shape is ", inputs.shape());
  if (lengths.dim(0) != inputs.dim(1))
    raise(Code::kFailedPrecondition,
          "len(sequence_length) != batch_size.  len(sequence_length):  ", lengths.dim(0),
          " batch_size: ", inputs.dim(1));
  const auto length = lengths.flat<std::int32_t>();
  for (std::size_t b = 0; b < length.size(); ++b)
    if (length[b] > inputs.dim(0))
      raise(Code::kFailedPrecondition, "sequence_length(", b, ") <= ", inputs.dim(0),
            " is needed, it is ", length[b]);
}

void output_sequences(const KernelCall& call, std::span<const LabelSequence> sequences, int indices,
                      int values, int shape) {
  std::int64_t count = 0, longest = 0;
  for (const LabelSequence& sequence : sequences) {
    count += static_cast<std::int64_t>(sequence.size());
    longest = std::max(longest, static_cast<std::int64_t>(sequence.size()));
  }
  auto* index = call.allocate_output(indices, {count, 2}).data<std::int64_t>();
  auto* value = call.allocate_output(values, {count}).data<std::int64_t>();
  for (std::size_t b = 0; b < sequences.size(); ++b)
    for (std::size_t i = 0; i < sequences[b].size(); ++i) {
      *index++ = static_cast<std::int64_t>(b);
      *index++ = static_cast<std::int64_t>(i);
      *value++ = sequences[b][i];
    }
  auto* dims = call.allocate_output(shape, {2}).data<std::int64_t>();
  dims[0] = static_cast<std::int64_t>(sequences.size());
  dims[1] = longest;
}

}  // namespace rill
