#include <google/protobuf/stubs/logging.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "rill/base/error.h"
#include "rill/graph/attr_proto.h"
#include "rill/graph/device_name.h"
#include "rill/graph/op.h"
#include "tensorflow/core/framework/attr_value.pb.h"

namespace {

template <class F>
void try_to(F f) {
  try {
    f();
  } catch (const rill::Error&) {
  }
}

// What is written can be read, and is then written the same way.
void round_trip(const rill::AttrValue& value) {
  tensorflow::AttrValue first, second;
  rill::to_proto(value, &first);
  rill::to_proto(rill::from_proto(first), &second);
  if (first.DebugString() != second.DebugString()) __builtin_trap();
  rill::to_text(value);
}

}  // namespace

// The first byte says what the rest is: a declaration's line, a device name or an AttrValue.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto kLoud = google::protobuf::SetLogHandler(nullptr);
  static_cast<void>(kLoud);
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] == 'a') {
    try_to([&] { rill::parse_attr(text); });
  } else if (data[0] == 'i') {
    try_to([&] { rill::parse_arg(text); });
  } else if (data[0] == 'd') {
    try_to([&] { to_text(rill::DeviceName::parse(text)); });
  } else {
    tensorflow::AttrValue proto;
    if (!proto.ParseFromArray(text.data(), static_cast<int>(text.size()))) return 0;
    try_to([&] { round_trip(rill::from_proto(proto)); });
  }
  return 0;
}
