#include "rill/ops/parsing/message_bytes.h"

#include <google/protobuf/util/json_util.h>
#include <google/protobuf/util/type_resolver_util.h>

#include "rill/tensor/tensor_proto.h"
#include "tensorflow/core/example/example.pb.h"
#include "tensorflow/core/framework/tensor.pb.h"

namespace rill {

std::string tensor_bytes(const Tensor& tensor) {
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
