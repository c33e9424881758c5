#include "rill/io/slice_file_writer.h"

#include "rill/base/durable_files.h"
#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/io/bundle_format.h"
#include "rill/io/bundle_publish.h"
#include "rill/io/table_writer.h"
#include "rill/tensor/tensor_proto.h"
#include "tensorflow/core/util/saved_tensor_slice.pb.h"

namespace rill {
namespace {

constexpr std::size_t kMaxMessageBytes = std::size_t{1} << 31;  // of a message

template <class T, class List>
void append_values(const Tensor& tensor, List* list) {
  list->Reserve(static_cast<int>(tensor.element_count()));
  for (const T& value : tensor.flat<T>()) {
    if constexpr (std::is_same_v<T, half> || std::is_same_v<T, bfloat16>) {
      list->Add(value.bits);
    } else if constexpr (kQuantizedTypes.contains(dtype_of<T>)) {
      list->Add(value.value);
    } else {
      list->Add(value);
    }
  }
}
template <class T, class List>
void append_complex(const Tensor& tensor, List* list) {
  for (const std::complex<T>& value : tensor.flat<std::complex<T>>()) {
    list->Add(value.real());
    list->Add(value.imag());
  }
}

// The lists of values alone: this format writes neither type nor shape beside them.
void write_values(const Tensor& t, tensorflow::TensorProto* proto) {
  switch (t.dtype()) {
    case DType::f32:
      return append_values<float>(t, proto->mutable_float_val());
    case DType::f64:
      return append_values<double>(t, proto->mutable_double_val());
    case DType::i64:
      return append_values<std::int64_t>(t, proto->mutable_int64_val());
    case DType::boolean:
      return append_values<bool>(t, proto->mutable_bool_val());
    case DType::c64:
      return append_complex<float>(t, proto->mutable_scomplex_val());
    case DType::c128:
      return append_complex<double>(t, proto->mutable_dcomplex_val());
    case DType::f16:
      return append_values<half>(t, proto->mutable_half_val());
    case DType::i32:
      return append_values<std::int32_t>(t, proto->mutable_int_val());
    case DType::i16:
      return append_values<std::int16_t>(t, proto->mutable_int_val());
    case DType::i8:
      return append_values<std::int8_t>(t, proto->mutable_int_val());
    case DType::u16:
      return append_values<std::uint16_t>(t, proto->mutable_int_val());
    case DType::u8:
      return append_values<std::uint8_t>(t, proto->mutable_int_val());
    case DType::qi8:
      return append_values<qint8>(t, proto->mutable_int_val());
    case DType::qu8:
      return append_values<quint8>(t, proto->mutable_int_val());
    case DType::qi32:
      return append_values<qint32>(t, proto->mutable_int_val());
    case DType::string:
      for (const std::string& text : t.flat<std::string>()) proto->add_string_val(text);
      return;
    default:
      raise(Code::kUnimplemented, "a V1 checkpoint of ", t.dtype(), " values");
  }
}

}  // namespace

SliceFileWriter::SliceFileWriter(std::string path) : path_(std::move(path)) {}
SliceFileWriter::~SliceFileWriter() = default;

void SliceFileWriter::add(const std::string& name, const Tensor& tensor) {
  add_slice(name, tensor.shape(), TensorSlice::whole(tensor.rank()), tensor);
}

void SliceFileWriter::add_slice(const std::string& name, const Shape& full,
                                const TensorSlice& slice, const Tensor& part) {
  require(part.shape() == slice.shape_in(full), "Slice ", slice, " of tensor ", name,
          " with shape ", full, " does not have shape ", part.shape());
  require(part.byte_size() < kMaxMessageBytes, "Tensor slice is too large to serialize: ", name);
  const std::string key = slice_key(name, slice);
  require(!entries_.contains(key), "Adding duplicate key: ", name, " slice ", slice);
  auto& meta = tensors_[name];
  if (meta == nullptr) {
    meta = std::make_unique<tensorflow::SavedSliceMeta>();
    meta->set_name(name);
    to_proto(PartialShape(full), meta->mutable_shape());
    meta->set_type(static_cast<tensorflow::DataType>(part.dtype()));
  }
  require(shape_from_proto(meta->shape()) == PartialShape(full) &&
              meta->type() == static_cast<tensorflow::DataType>(part.dtype()),
          "Slice ", slice, " of tensor ", name, " is of another type or shape than those before");
  slice.to_proto(meta->add_slice());
  tensorflow::SavedTensorSlices entry;
  entry.mutable_data()->set_name(name);
  slice.to_proto(entry.mutable_data()->mutable_slice());
  write_values(part, entry.mutable_data()->mutable_data());
  entries_.emplace(key, entry.SerializeAsString());
}

void SliceFileWriter::finish() {
  tensorflow::SavedTensorSlices list;
  list.mutable_meta()->mutable_versions()->set_producer(1);
  for (const auto& [name, meta] : tensors_) *list.mutable_meta()->add_tensor() = *meta;
  FileSystem& files = file_system_of(path_);
  if (const std::string directory = parent_path(path_); !directory.empty())
    make_durable_directories(directory);
  const auto lock = lock_checkpoint(path_);
  const std::string temporary = temporary_path(path_);
  try {
    const auto file = files.create(temporary, WriteMode::truncate);
    TableWriter table(*file);
    table.add("", list.SerializeAsString());
    for (const auto& [key, value] : entries_) table.add(key, value);
    table.finish();
    sync_written(*file);
    file->close();
    files.rename(temporary, path_);
  } catch (...) {
    try {
      files.remove_file(temporary);
    } catch (const Error&) {  // the first error is the one to tell
    }
    throw;
  }
  sync_parent(path_);
}

}  // namespace rill
