#pragma once

#include <string>
#include <vector>

#include "rill/runtime/session/session.h"

namespace rill {

// Rows that run on a device give the bits that they give on the CPU: what the commands of
// rill_optest compare when they are asked to run on one.

// From now on every row is run on the CPU as well, by sessions without devices of that type.
void compare_with_cpu(const std::string& device_type);
bool compares_with_cpu();

// Options of a session on the CPU, or on the device. Without rewrites both run the same kernels.
SessionOptions options_of_row(bool on_cpu, bool rewrites = true);

// "" where the bits are the same, which is counted.
std::string bits_differ(const std::vector<Tensor>& there, const std::vector<Tensor>& on_cpu);
int same_bits_count();

}  // namespace rill
