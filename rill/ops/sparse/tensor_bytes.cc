#include "rill/ops/sparse/tensor_bytes.h"

#include "rill/tensor/base128.h"
#include "rill/tensor/tensor_proto.h"
#include "tensorflow/core/framework/tensor.pb.h"

namespace rill {

std::string to_bytes(const Tensor& tensor) {
  tensorflow::TensorProto proto;
  to_proto(tensor, &proto, ProtoForm::content);
  if (tensor.dtype() == DType::string) {  // their sizes, then what they hold
    proto.clear_string_val();
    for (const std::string& item : tensor.flat<std::string>())
      append_base128(item.size(), proto.mutable_tensor_content());
    for (const std::string& item : tensor.flat<std::string>())
      proto.mutable_tensor_content()->append(item);
  }
  return proto.SerializeAsString();
}

Tensor from_bytes(const std::string& bytes, const std::string& what) {
  tensorflow::TensorProto proto;
  require(proto.ParseFromString(bytes), "Could not parse ", what);
  return from_proto(proto);
}

}  // namespace rill
