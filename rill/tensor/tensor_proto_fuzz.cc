// Reads any bytes as a TensorProto; what can be read must survive being written in every form.
#include <google/protobuf/stubs/logging.h>

#include <cstdint>
#include <cstdlib>

#include "rill/tensor/tensor_proto.h"
#include "tensorflow/core/framework/tensor.pb.h"

namespace {

constexpr std::int64_t kMemoryLimit = std::int64_t{64} << 20;

// The target's own claim, not the library's: a broken round trip ends the run here.
void expect_round_trip(const rill::Tensor& tensor, rill::ProtoForm form) {
  tensorflow::TensorProto proto;
  rill::to_proto(tensor, &proto, form);
  const rill::Tensor again = rill::from_proto(proto);
  const bool comparable = is_trivial(tensor.dtype()) || tensor.dtype() == rill::DType::string;
  if (comparable && !identical(again, tensor)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const google::protobuf::LogSilencer no_words_about_bad_utf8;
  rill::cpu_allocator().set_limit(kMemoryLimit);
  tensorflow::TensorProto proto;
  if (!proto.ParseFromArray(data, static_cast<int>(size))) return 0;
  try {
    const rill::Tensor tensor = rill::from_proto(proto);
    rill::print(tensor);
    rill::summary(tensor);
    rill::edge_summary(tensor);
    if (tensor.byte_size() > 1 << 16) return 0;  // large ones are slow and no different
    for (const auto form : {rill::ProtoForm::constant, rill::ProtoForm::content,
                            rill::ProtoForm::fields, rill::ProtoForm::compact})
      expect_round_trip(tensor, form);
  } catch (const rill::Error&) {
  }
  return 0;
}
