#include "rill/tensor/variant_proto.h"

#include "rill/base/error.h"
#include "rill/tensor/list_proto.h"
#include "rill/tensor/ragged_value.h"
#include "rill/tensor/tensor_proto.h"
#include "tensorflow/core/framework/tensor.pb.h"

namespace rill {
namespace {

using Message = tensorflow::VariantTensorDataProto;

void add_tensor(const Tensor& tensor, Message* proto) {
  to_proto(tensor, proto->add_tensors(), ProtoForm::fields);
}

template <class T>
void check_ascending(std::span<const T> splits, std::int64_t end) {
  bool fits = !splits.empty() && splits.front() == 0 && splits.back() == end;
  for (std::size_t i = 1; i < splits.size(); ++i) fits &= splits[i - 1] <= splits[i];
  require(fits, "the row splits of a ragged tensor in a message do not lead from 0 to ", end);
}

void check_splits(const Tensor& splits, std::int64_t end) {
  require(splits.rank() == 1, "the row splits of a ragged tensor in a message are no vector");
  const auto count = static_cast<std::size_t>(splits.element_count());
  if (splits.dtype() == DType::i32)
    return check_ascending<std::int32_t>({splits.data<std::int32_t>(), count}, end);
  require(splits.dtype() == DType::i64, "the row splits of a ragged tensor in a message are ",
          splits.dtype());
  check_ascending<std::int64_t>({splits.data<std::int64_t>(), count}, end);
}

RaggedValue ragged_from_proto(const Message& proto) {
  require(proto.tensors_size() > 0, "a ragged tensor in a message has no values");
  RaggedValue value;
  for (int i = 0; i + 1 < proto.tensors_size(); ++i)
    value.splits.push_back(from_proto(proto.tensors(i)));
  value.values = from_proto(proto.tensors(proto.tensors_size() - 1));
  require(value.values.rank() > 0, "the values of a ragged tensor in a message are a scalar");
  std::int64_t end = value.values.dim(0);
  for (auto splits = value.splits.rbegin(); splits != value.splits.rend(); ++splits) {
    check_splits(*splits, end);
    end = splits->dim(0) - 1;
  }
  return value;
}

}  // namespace

void to_proto(const Variant& variant, Message* proto) {
  if (variant.empty()) return;
  if (const auto* list = variant.get<ListValue>()) return to_proto(*list, proto);
  if (const auto* kept = variant.get<Message>()) {
    *proto = *kept;
    return;
  }
  proto->set_type_name(variant.type_name());
  if (const auto* tensor = variant.get<Tensor>()) return add_tensor(*tensor, proto);
  const auto* ragged = variant.get<RaggedValue>();
  if (ragged == nullptr)
    raise(Code::kUnimplemented, "a variant of type ", variant.type_name(),
          " cannot be written to a TensorProto");
  for (const Tensor& splits : ragged->splits) add_tensor(splits, proto);
  add_tensor(ragged->values, proto);
}

Variant variant_from_proto(const Message& proto) {
  const std::string& type = proto.type_name();
  if (type.empty()) return {};
  if (type == ListValue::kTypeName) return to_variant(list_from_proto(proto));
  if (type == RaggedValue::kTypeName) return to_variant(ragged_from_proto(proto));
  if (type == kTensorVariant && proto.tensors_size() == 1)
    return to_variant(from_proto(proto.tensors(0)));
  return {type, std::make_shared<const Message>(proto)};
}

}  // namespace rill
