#pragma once

#include <google/protobuf/io/zero_copy_stream.h>

#include <string>
#include <string_view>

#include "rill/tensor/tensor.h"

namespace rill::cluster {

// A RecvTensorResponse as bytes, which large tensors go through without being copied into a
// message.
struct TensorMessage {
  Tensor value;
  bool is_dead = false;
};

// The bytes are `head`, and behind them those of the tensor, which stay where they are.
struct WrittenTensor {
  std::string head;
  std::string_view body;
};
// As TensorFlow writes it: the tensor last, and its bytes last in it.
WrittenTensor write_tensor_message(const TensorMessage& message, std::int64_t send_start_micros);
// In any order. Throws InvalidArgument for bytes that are no such message.
TensorMessage read_tensor_message(google::protobuf::io::ZeroCopyInputStream& bytes);

}  // namespace rill::cluster
