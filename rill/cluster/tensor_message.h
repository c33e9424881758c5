#pragma once

#include <google/protobuf/io/zero_copy_stream.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "rill/net/grpc/grpc_client.h"
#include "rill/tensor/tensor.h"

namespace rill::cluster {

// A RecvTensorResponse as bytes, which large tensors go through without being copied into a
// message.
struct TensorMessage {
  Tensor value;
  bool is_dead = false;
  // The value has its type and shape only so far: its bytes are to be had in pieces, so many of
  // them under this number.
  std::int64_t pieces = 0;
};

// The bytes are `head`, and behind them those of the tensor, which stay where they are.
struct WrittenTensor {
  std::string head;
  std::string_view body;
};
// As TensorFlow writes it: the tensor last, and its bytes last in it.
WrittenTensor write_tensor_message(const TensorMessage& message, std::int64_t send_start_micros);
// The same without the bytes, which are given out in pieces under a number.
std::string write_pieces_message(const Tensor& value, std::int64_t pieces,
                                 std::int64_t send_start_micros);
// Whether its bytes may be sent as they are.
bool is_sent_plain(const Tensor& value);
// In any order. Throws InvalidArgument for bytes that are no such message.
TensorMessage read_tensor_message(google::protobuf::io::ZeroCopyInputStream& bytes);

// Takes such a message as it comes: the bytes of a large tensor go to their place at once.
class TensorSink final : public net::AnswerSink {
 public:
  void begin(std::size_t size) override;
  void take(std::string_view bytes) override;
  // When all of it has come. Throws as read_tensor_message.
  TensorMessage finish();
  bool has_begun() const { return has_begun_; }

 private:
  void find_content();

  std::size_t size_ = 0, taken_ = 0;
  std::string head_;  // what is read at the end
  TensorMessage message_;
  char* content_ = nullptr;  // of the message's tensor; null: there is none so far
  bool has_begun_ = false, has_looked_ = false;
};

}  // namespace rill::cluster
