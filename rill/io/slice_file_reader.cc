#include "rill/io/slice_file_reader.h"

#include <mutex>

#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/io/parse_message.h"
#include "rill/io/slice_copy.h"
#include "rill/io/table_reader.h"
#include "rill/tensor/tensor_proto.h"
#include "tensorflow/core/util/saved_tensor_slice.pb.h"

namespace rill {
namespace {

using tensorflow::SavedTensorSlices;

SavedTensorSlices parse_entry(const TableReader& table) {
  SavedTensorSlices entry;
  if (!parse_message(table.value(), &entry))
    raise(Code::kDataLoss, "cannot parse the entry of ", quoted(table.key()), " in ", table.path());
  return entry;
}

// How many elements the list has that such a tensor is written to.
int value_count(const tensorflow::TensorProto& proto, DType dtype) {
  switch (dtype) {
    case DType::f32:
      return proto.float_val_size();
    case DType::f64:
      return proto.double_val_size();
    case DType::i64:
      return proto.int64_val_size();
    case DType::boolean:
      return proto.bool_val_size();
    case DType::string:
      return proto.string_val_size();
    case DType::c64:
      return proto.scomplex_val_size() / 2;
    case DType::c128:
      return proto.dcomplex_val_size() / 2;
    case DType::f16:
    case DType::bf16:
      return proto.half_val_size();
    case DType::u32:
      return proto.uint32_val_size();
    case DType::u64:
      return proto.uint64_val_size();
    default:
      return proto.int_val_size();
  }
}

struct Parts {
  std::vector<TensorSlice> slices;
  std::vector<TableReader*> tables;  // where each of them is
};

}  // namespace

struct SliceFileReader::State {
  std::mutex mutex;  // a table holds one block at a time
  std::vector<std::unique_ptr<TableReader>> tables;
  std::map<std::string, Parts> parts;

  Tensor read_part(const std::string& name, TableReader& table, const TensorSlice& slice,
                   const StoredTensor& whole) {
    const std::lock_guard lock(mutex);
    if (!table.find(slice_key(name, slice)))
      raise(Code::kDataLoss, "part ", slice, " of tensor ", name, " is missing in ", table.path());
    SavedTensorSlices entry = parse_entry(table);
    auto& proto = *entry.mutable_data()->mutable_data();
    const Shape shape = slice.shape_in(whole.shape);
    if (value_count(proto, whole.dtype) != shape.element_count())
      raise(Code::kDataLoss, "part ", slice, " of tensor ", name, " in ", table.path(), " has ",
            value_count(proto, whole.dtype), " values for shape ", shape);
    proto.set_dtype(static_cast<tensorflow::DataType>(whole.dtype));
    to_proto(PartialShape(shape), proto.mutable_tensor_shape());
    return from_proto(proto);
  }
};

SliceFileReader::SliceFileReader(const std::string& pattern) : state_(std::make_unique<State>()) {
  const auto paths = matching_paths(pattern);
  if (paths.empty())
    raise(Code::kNotFound,
          "Unsuccessful TensorSliceReader constructor: Failed to find any matching files for ",
          pattern);
  for (const std::string& path : paths) {
    auto& table = *state_->tables.emplace_back(
        std::make_unique<TableReader>(file_system_of(path).open(path)));
    if (!table.find("")) raise(Code::kDataLoss, path, " has no list of its tensors");
    const SavedTensorSlices entry = parse_entry(table);
    for (const auto& meta : entry.meta().tensor()) {
      try {
        const StoredTensor stored{dtype_from_proto(meta.type()),
                                  shape_from_proto(meta.shape()).full()};
        const auto& known = tensors_.try_emplace(meta.name(), stored).first->second;
        require(known.dtype == stored.dtype && known.shape == stored.shape,
                "shards disagree about its type or shape");
        Parts& parts = state_->parts[meta.name()];
        for (const auto& slice : meta.slice()) {
          parts.slices.push_back(TensorSlice::from_proto(slice));
          parts.tables.push_back(&table);
        }
      } catch (const Error& error) {
        raise(Code::kDataLoss, "tensor ", meta.name(), " in ", path, ": ", error.message());
      }
    }
  }
}

SliceFileReader::~SliceFileReader() = default;

Tensor SliceFileReader::read_slice(const std::string& name, const TensorSlice& slice) const {
  const StoredTensor& whole = tensor(name);
  const Region wanted = slice.region_in(whole.shape);
  const Shape shape = slice.shape_in(whole.shape);
  const Parts& parts = state_->parts.at(name);
  const auto numbers = parts_for(name, whole.shape, parts.slices, slice);
  const auto read_part = [&](std::size_t i) {
    return state_->read_part(name, *parts.tables[i], parts.slices[i], whole);
  };
  if (numbers.size() == 1 && parts.slices[numbers[0]].shape_in(whole.shape) == shape)
    return read_part(numbers[0]);
  if (!is_trivial(whole.dtype))
    raise(Code::kUnimplemented, "tensor ", name, " of type ", whole.dtype,
          " can be read as it was stored, not in part ", slice);
  Tensor result;
  for (const std::size_t i : numbers) {
    const Tensor part = read_part(i);
    if (!result.has_value()) result = Tensor(whole.dtype, shape);
    SliceCopy copy(parts.slices[i].region_in(whole.shape), wanted, element_size(whole.dtype),
                   static_cast<char*>(result.raw_data()));
    copy.feed(0, {static_cast<const char*>(part.raw_data()), part.byte_size()});
  }
  return result.has_value() ? result : Tensor(whole.dtype, shape);  // no parts: no elements
}

}  // namespace rill
