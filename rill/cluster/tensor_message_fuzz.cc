#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/stubs/logging.h>

#include <cstddef>
#include <cstdint>

#include "rill/base/error.h"
#include "rill/cluster/tensor_message.h"

// The first byte says in how large pieces the message comes. What can be read can be written, and
// read again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rill::cluster;
  static const auto kLoud = google::protobuf::SetLogHandler(nullptr);
  static_cast<void>(kLoud);
  if (size == 0) return 0;
  using google::protobuf::io::ArrayInputStream;
  ArrayInputStream bytes(data + 1, static_cast<int>(size - 1), data[0] == 0 ? -1 : data[0]);
  try {
    const TensorMessage first = read_tensor_message(bytes);
    const WrittenTensor written = write_tensor_message(first, 1);
    const std::string again = written.head + std::string(written.body);
    ArrayInputStream copy(again.data(), static_cast<int>(again.size()));
    const TensorMessage second = read_tensor_message(copy);
    if (first.is_dead != second.is_dead) __builtin_trap();
    if (!first.is_dead && first.value.byte_size() != second.value.byte_size()) __builtin_trap();
  } catch (const rill::Error&) {
  }
  return 0;
}
