#pragma once

#include <grpcpp/support/byte_buffer.h>

#include <string>

namespace rill::net {

inline grpc::ByteBuffer buffer_of(const std::string& bytes) {
  const grpc::Slice slice(bytes);
  return {&slice, 1};
}

// The bytes of a buffer in one piece; "" when they cannot be had.
std::string bytes_of(const grpc::ByteBuffer& buffer);

}  // namespace rill::net
