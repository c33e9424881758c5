#include "rill/ops/parsing/message_bytes.h"

#include <google/protobuf/util/json_util.h>
#include <google/protobuf/util/type_resolver_util.h>

#include "rill/tensor/tensor_proto.h"
#include "tensorflow/core/example/example.pb.h"
#include "tensorflow/core/framework/tensor.pb.h"

namespace rill {
namespace {

// Numbers are appended to the message of a tensor without any, as the bytes field that they are.
std::string number_bytes(const Tensor& tensor) {
  const std::size_t size = tensor.byte_size();
  tensorflow::TensorProto proto;
  to_proto(Tensor(tensor.dtype(), {0}), &proto, ProtoForm::content);
  to_proto(tensor.shape(), proto.mutable_tensor_shape());
  std::string bytes;
  bytes.reserve(proto.ByteSizeLong() + size + 16);
  proto.AppendToString(&bytes);
  bytes += static_cast<char>(tensorflow::TensorProto::kTensorContentFieldNumber << 3 | 2);
  for (std::size_t rest = size;; rest >>= 7) {
    bytes += static_cast<char>(rest < 128 ? rest : rest % 128 + 128);
    if (rest < 128) break;
  }
  return bytes.append(static_cast<const char*>(tensor.raw_data()), size);
}

// Messages so much smaller than 2 GB have room for any shape.
constexpr std::size_t kMaxBytes = (std::size_t{1} << 31) - (std::size_t{1} << 16);

}  // namespace

std::string tensor_bytes(const Tensor& tensor) {
  if (is_trivial(tensor.dtype()) && tensor.byte_size() > 0 && tensor.byte_size() < kMaxBytes)
    return number_bytes(tensor);
  tensorflow::TensorProto proto;
  to_proto(tensor, &proto, ProtoForm::content);
  std::string bytes;
  require(proto.ByteSizeLong() < std::size_t{1} << 31 && proto.SerializeToString(&bytes),
          "a tensor of ", proto.ByteSizeLong(),
          " bytes does not fit into a protocol buffer, which is limited to 2GB");
  return bytes;
}

Tensor tensor_from_bytes(const std::string& bytes, DType type) {
  tensorflow::TensorProto proto;
  require(proto.ParseFromString(bytes), "Could not parse `serialized` as TensorProto, of ",
          bytes.size(), " bytes");
  Tensor tensor;
  try {
    tensor = from_proto(proto);
  } catch (const Error& error) {
    throw error.with_context("Cannot parse tensor from proto");
  }
  require(tensor.dtype() == type, "Type mismatch between parsed tensor (", tensor.dtype(),
          ") and dtype (", type, ")");
  return tensor;
}

std::string example_from_json(const std::string& json) {
  namespace util = google::protobuf::util;
  static const std::string kAnyHost = "type.googleapis.com";
  // Made for good: threads may still ask it when the process ends.
  static util::TypeResolver* const types = util::NewTypeResolverForDescriptorPool(
      kAnyHost, tensorflow::Example::descriptor()->file()->pool());
  std::string bytes;
  const auto status =
      util::JsonToBinaryString(types, kAnyHost + "/tensorflow.Example", json, &bytes);
  require(status.ok(), "Error while parsing JSON: ", std::string(status.message()));
  return bytes;
}

}  // namespace rill
