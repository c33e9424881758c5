#include "rill/io/safetensors.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "rill/base/durable_files.h"
#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/base/json.h"
#include "rill/io/bundle_format.h"
#include "rill/io/coding.h"

namespace rill {
namespace {

static_assert(std::endian::native == std::endian::little, "elements are written as they are");

constexpr std::uint64_t kMaxHeader = 100'000'000;  // as other readers have it
constexpr std::size_t kCopySize = 1 << 20;
constexpr std::string_view kMetadata = "__metadata__";

// From the narrowest to the widest: writers put the widest first, so that all lie aligned.
struct NamedType {
  const char* name;
  DType dtype;
};
constexpr NamedType kSafetensorsTypes[] = {
    {"BOOL", DType::boolean}, {"U8", DType::u8},   {"I8", DType::i8},     {"I16", DType::i16},
    {"U16", DType::u16},      {"F16", DType::f16}, {"BF16", DType::bf16}, {"I32", DType::i32},
    {"U32", DType::u32},      {"F32", DType::f32}, {"C64", DType::c64},   {"F64", DType::f64},
    {"I64", DType::i64},      {"U64", DType::u64}};

const NamedType* find_type(DType dtype) {
  const auto found = std::ranges::find(kSafetensorsTypes, dtype, &NamedType::dtype);
  return found == std::end(kSafetensorsTypes) ? nullptr : found;
}

std::string shape_json(const Shape& shape) {
  std::vector<std::string> sizes;
  for (const std::int64_t size : shape.dims()) sizes.push_back(str_cat(size));
  return "[" + join(sizes, ",") + "]";
}

std::uint64_t bytes_of(const StoredTensor& tensor) {
  return tensor.shape.byte_size(element_size(tensor.dtype));
}

Shape shape_of_json(const Json& json) {
  require(json.kind == Json::Kind::array, "the shape is no list");
  std::vector<std::int64_t> sizes;
  for (const Json& item : json.items) {
    long long size = 0;
    require(item.is_count(&size), "the shape has a size that is no count");
    sizes.push_back(size);
  }
  return Shape(std::span<const std::int64_t>(sizes));
}

// Of one member of the header: what it is and where it begins. Throws InvalidArgument.
std::pair<StoredTensor, std::uint64_t> read_entry(const Json& json) {
  const Json *type = json.find("dtype"), *shape = json.find("shape"),
             *place = json.find("data_offsets");
  require(json.kind == Json::Kind::object && type != nullptr && shape != nullptr &&
              place != nullptr && json.members.size() == 3 && type->kind == Json::Kind::string,
          "its entry is not made of dtype, shape and data_offsets");
  const auto found = std::ranges::find(kSafetensorsTypes, type->text, &NamedType::name);
  if (found == std::end(kSafetensorsTypes))
    raise(Code::kUnimplemented, "elements of the type '", type->text, "' cannot be read");
  StoredTensor tensor{found->dtype, shape_of_json(*shape)};
  long long begin = 0, end = 0;
  require(place->kind == Json::Kind::array && place->items.size() == 2 &&
              place->items[0].is_count(&begin) && place->items[1].is_count(&end) && begin <= end,
          "data_offsets is no place");
  require(static_cast<std::uint64_t>(end - begin) == bytes_of(tensor), "it has ", end - begin,
          " bytes, but its shape ", tensor.shape, " needs ", bytes_of(tensor));
  return {std::move(tensor), static_cast<std::uint64_t>(begin)};
}

}  // namespace

bool fits_safetensors(DType dtype) { return find_type(dtype) != nullptr; }

void SafetensorsReader::broken(const std::string& why) const {
  raise(Code::kDataLoss, file_->path(), " is no safetensors file: ", why);
}

SafetensorsReader::SafetensorsReader(const std::string& path)
    : file_(file_system_of(path).open(path)) {
  char length[8];
  const std::uint64_t size = file_->size();
  if (file_->read(0, length) < sizeof length) broken("it is shorter than eight bytes");
  const std::uint64_t header_size = load_fixed<std::uint64_t>(length);
  if (header_size > kMaxHeader || header_size > size - sizeof length)
    broken(str_cat("its header would have ", header_size, " bytes"));
  std::string header(header_size, '\0');
  if (file_->read(sizeof length, header) < header.size()) broken("it ends within its header");
  data_begin_ = sizeof length + header_size;
  Json json;
  try {
    json = parse_json(header);
  } catch (const Error& error) {
    broken(error.message());
  }
  if (json.kind != Json::Kind::object) broken("its header is no JSON object");
  for (const auto& [name, entry] : json.members) {
    if (name == kMetadata) {
      for (const auto& [key, value] : entry.members) metadata_[key] = value.text;
      continue;
    }
    try {
      std::tie(tensors_[name], offsets_[name]) = read_entry(entry);
    } catch (const Error& error) {
      const std::string why = str_cat("the tensor ", name, ": ", error.message());
      if (error.code() == Code::kUnimplemented)
        raise(Code::kUnimplemented, file_->path(), ": ", why);
      broken(why);
    }
  }
  check_places(size - data_begin_);
}

void SafetensorsReader::check_places(std::uint64_t data_size) const {
  std::vector<std::pair<std::uint64_t, std::string>> places;
  for (const auto& [name, offset] : offsets_) places.emplace_back(offset, name);
  // Of tensors that begin at one place, those without elements come first.
  std::ranges::sort(places, {}, [&](const auto& place) {
    return std::tuple(place.first, bytes_of(tensors_.at(place.second)), place.second);
  });
  std::uint64_t end = 0;
  for (const auto& [offset, name] : places) {
    if (offset != end)
      broken(str_cat("the tensor ", name, " begins at ", offset, " where ", end, " was expected"));
    const std::uint64_t bytes = bytes_of(tensors_.at(name));
    if (bytes > data_size - end) broken(str_cat("the tensor ", name, " reaches beyond the end"));
    end += bytes;
  }
  if (end != data_size)
    broken(str_cat("there are ", data_size, " bytes of data, and tensors of ", end));
}

Tensor SafetensorsReader::read(const std::string& name) const {
  const auto found = tensors_.find(name);
  if (found == tensors_.end())
    raise(Code::kNotFound, "There is no tensor ", name, " in ", file_->path());
  Tensor result(found->second.dtype, found->second.shape);
  const std::span<char> bytes(static_cast<char*>(result.raw_data()), result.byte_size());
  const std::uint64_t begin = data_begin_ + offsets_.at(name);
  for (std::size_t done = 0; done < bytes.size(); done += kCopySize) {
    const auto piece = bytes.subspan(done, std::min(kCopySize, bytes.size() - done));
    if (file_->read(begin + done, piece) < piece.size()) broken(str_cat("it ends within ", name));
  }
  if (result.dtype() == DType::boolean &&
      std::ranges::any_of(bytes, [](char byte) { return byte != 0 && byte != 1; }))
    broken(str_cat("the tensor ", name, " has values that are neither true nor false"));
  return result;
}

SafetensorsWriter::SafetensorsWriter(const std::string& path,
                                     const std::map<std::string, StoredTensor>& tensors,
                                     const std::map<std::string, std::string>& metadata)
    : path_(path), temporary_(temporary_path(path)), tensors_(tensors) {
  for (const auto& [name, tensor] : tensors_) {
    require(find_type(tensor.dtype) != nullptr, "The tensor ", name, " has elements of type ",
            tensor.dtype, ", for which safetensors files have no place");
    require(name != kMetadata, "No tensor of such a file can be named ", kMetadata);
    order_.push_back(name);
  }
  std::ranges::stable_sort(order_, std::greater(), [&](const std::string& name) {
    return find_type(tensors_.at(name).dtype);
  });
  std::vector<std::string> entries;
  if (!metadata.empty()) {
    std::vector<std::string> pairs;
    for (const auto& [key, value] : metadata)
      pairs.push_back(str_cat(json_quoted(key), ":", json_quoted(value)));
    entries.push_back(str_cat(json_quoted(kMetadata), ":{", join(pairs, ","), "}"));
  }
  std::uint64_t offset = 0;
  for (const std::string& name : order_) {
    const StoredTensor& tensor = tensors_.at(name);
    const std::uint64_t end = offset + bytes_of(tensor);
    entries.push_back(str_cat(json_quoted(name), ":{\"dtype\":\"", find_type(tensor.dtype)->name,
                              "\",\"shape\":", shape_json(tensor.shape), ",\"data_offsets\":[",
                              offset, ",", end, "]}"));
    offset = end;
  }
  std::string header = "{" + join(entries, ",") + "}";
  header.resize((header.size() + 7) / 8 * 8, ' ');  // so that the data is aligned
  require(header.size() <= kMaxHeader, "The header of ", path, " would have ", header.size(),
          " bytes, more than ", kMaxHeader);
  char length[8];
  store_fixed<std::uint64_t>(header.size(), length);
  if (const std::string directory = parent_path(path); !directory.empty())
    make_directories(directory);
  file_ = file_system_of(path).create(temporary_, WriteMode::truncate);
  file_->append({length, sizeof length});
  file_->append(header);
}

SafetensorsWriter::~SafetensorsWriter() {
  if (!file_) return;
  file_.reset();
  try {
    file_system_of(temporary_).remove_file(temporary_);
  } catch (const Error&) {
    // Nobody is there to be told.
  }
}

void SafetensorsWriter::add(const Tensor& tensor) {
  require(added_ < order_.size(), "All tensors of ", path_, " were given");
  const std::string& name = order_[added_];
  const StoredTensor& announced = tensors_.at(name);
  require(tensor.dtype() == announced.dtype && tensor.shape() == announced.shape, "The tensor ",
          name, " was announced as ", announced.dtype, " ", announced.shape, " and is ",
          tensor.dtype(), " ", tensor.shape());
  const auto* bytes = static_cast<const char*>(tensor.raw_data());
  for (std::size_t done = 0; done < tensor.byte_size(); done += kCopySize)
    file_->append({bytes + done, std::min(kCopySize, tensor.byte_size() - done)});
  ++added_;
}

void SafetensorsWriter::finish() {
  if (added_ < order_.size())
    raise(Code::kFailedPrecondition, "The tensor ", order_[added_], " of ", path_, " is missing");
  file_->close();
  file_.reset();
  publish_as(temporary_, path_);
}

}  // namespace rill
