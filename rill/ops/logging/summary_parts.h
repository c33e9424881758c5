#pragma once

#include <string>

#include "rill/kernel/kernel_call.h"
#include "rill/ops/logging/summary_message.h"

namespace rill {

// What the ops that make Summary messages and those that write them to files have in common. Each
// adds what a tensor shows to a message, and throws InvalidArgument where it does not fit. How many
// pictures or sounds at most, the node's attribute says (max_images, max_outputs).
void add_histogram(const KernelCall& call, const std::string& tag, const Tensor& values,
                   SummaryMessage& message);
void add_pictures(const KernelCall& call, const std::string& tag, const Tensor& tensor,
                  const Tensor& bad_color, SummaryMessage& message);
void add_sounds(const KernelCall& call, const std::string& tag, const Tensor& tensor,
                float sample_rate, SummaryMessage& message);

// The first element of a tensor of real numbers.
float number_as_float(const Tensor& value);

}  // namespace rill
