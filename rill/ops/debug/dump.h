#pragma once

#include <cstdint>
#include <string>

#include "rill/tensor/tensor.h"

namespace rill {

// An output of a node, from "node:slot"; throws InvalidArgument for other texts.
struct TensorName {
  explicit TensorName(const std::string& text);
  std::string node;
  int slot = 0;
};

// A tensor that is watched: which, by which debug op, when.
struct Watched {
  std::string device;
  TensorName tensor;
  std::string debug_op;
  std::int64_t micros = 0;
};

// Writes `value` as one Event below the directory that a file:// URL names. Throws InvalidArgument
// for other URLs or names, ResourceExhausted when the process has written as much as the
// environment variable TFDBG_DISK_BYTES_LIMIT allows (100 GiB where it is not set), and what
// writing throws.
void dump_tensor(const std::string& url, const Watched& watched, const Tensor& value);

}  // namespace rill
