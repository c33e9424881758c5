#include "rill/tensor/list_proto.h"

#include <limits>

#include "rill/tensor/base128.h"
#include "rill/tensor/tensor_proto.h"
#include "tensorflow/core/framework/tensor.pb.h"

namespace rill {
namespace {

constexpr const char* kWhere = "the metadata of a list";

// Ascending positions, so that one pass puts each element in its place.
std::vector<std::uint64_t> take_positions(std::string_view* rest) {
  const std::uint64_t count = take_base128(rest, kWhere);
  require(count <= rest->size(), kWhere, " names ", count, " positions in ", rest->size(),
          " bytes");
  std::vector<std::uint64_t> positions(count);
  for (auto& position : positions) position = take_base128(rest, kWhere);
  for (std::size_t i = 1; i < count; ++i)
    require(positions[i - 1] < positions[i], kWhere, " names positions out of order");
  return positions;
}

void fill(ListValue& list, const std::vector<std::uint64_t>& without_value,
          const tensorflow::VariantTensorDataProto& proto) {
  const std::size_t size = without_value.size() + static_cast<std::size_t>(proto.tensors_size());
  require(without_value.empty() || without_value.back() < size, kWhere, " names position ",
          without_value.empty() ? 0 : without_value.back(), " of ", size, " elements");
  auto gap = without_value.begin();
  int next = 0;
  list.elements.resize(size);
  for (std::size_t i = 0; i < size; ++i) {
    if (gap != without_value.end() && *gap == i) {
      ++gap;
      continue;
    }
    Tensor element = from_proto(proto.tensors(next++));
    require(element.dtype() == list.dtype, "element ", i, " of a list of ", list.dtype, " is ",
            element.dtype());
    list.set(i, std::move(element));
  }
}

}  // namespace

void to_proto(const ListValue& list, tensorflow::VariantTensorDataProto* proto) {
  proto->Clear();
  proto->set_type_name(ListValue::kTypeName);
  std::vector<std::size_t> without_value;
  for (std::size_t i = 0; i < list.elements.size(); ++i) {
    if (list.elements[i].has_value()) {
      to_proto(list.elements[i], proto->add_tensors(), ProtoForm::fields);
    } else {
      without_value.push_back(i);
    }
  }
  std::string metadata;
  append_base128(without_value.size(), &metadata);
  for (const std::size_t i : without_value) append_base128(i, &metadata);
  append_base128(static_cast<std::uint64_t>(list.dtype), &metadata);
  append_base128(static_cast<std::uint64_t>(list.most), &metadata);
  tensorflow::TensorShapeProto shape;
  to_proto(list.element_shape, &shape);
  shape.AppendToString(&metadata);
  proto->set_metadata(std::move(metadata));
}

std::shared_ptr<const ListValue> list_from_proto(const tensorflow::VariantTensorDataProto& proto) {
  std::string_view rest = proto.metadata();
  const std::vector<std::uint64_t> without_value = take_positions(&rest);
  const std::uint64_t number = take_base128(&rest, kWhere);
  require(number <= 255, kWhere, " names the dtype ", number);
  const DType dtype = dtype_from_proto(static_cast<int>(number));
  const auto most = static_cast<std::int32_t>(take_base128(&rest, kWhere));
  tensorflow::TensorShapeProto shape;
  require(shape.ParseFromArray(rest.data(), static_cast<int>(rest.size())), kWhere,
          " does not end in a shape");
  auto list = std::make_shared<ListValue>(dtype, shape_from_proto(shape), most);
  fill(*list, without_value, proto);
  return list;
}

}  // namespace rill
