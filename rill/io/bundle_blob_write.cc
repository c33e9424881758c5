#include "rill/base/crc32c.h"
#include "rill/base/error.h"
#include "rill/io/bundle_blob.h"
#include "rill/io/bundle_format.h"
#include "rill/io/coding.h"
#include "rill/tensor/base128.h"
#include "rill/tensor/device_pieces.h"
#include "rill/tensor/tensor_proto.h"
#include "tensorflow/core/framework/tensor.pb.h"

namespace rill {
namespace {

// Appends to the file and to the checksum at once.
class Sink {
 public:
  explicit Sink(WritableFile& file) : file_(file) {}
  void append(std::string_view bytes) {
    for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), kBundlePiece))) {
      const std::string_view piece = bytes.substr(0, kBundlePiece);
      crc_ = extend_crc32c(crc_, piece);
      append_unchecked(piece);
    }
  }
  void append_unchecked(std::string_view bytes) {
    file_.append(bytes);
    size_ += bytes.size();
  }
  // The checksum so far, which then counts itself.
  void append_checksum() {
    char stored[4];
    store_fixed(mask_crc(crc_), stored);
    append({stored, sizeof stored});
  }
  void count_length(std::uint64_t length) { crc_ = extend_crc_by_length(crc_, length); }
  void count(std::string_view bytes) { crc_ = extend_crc32c(crc_, bytes); }
  BlobFacts facts() const { return {size_, mask_crc(crc_)}; }

 private:
  WritableFile& file_;
  std::uint64_t size_ = 0;
  std::uint32_t crc_ = 0;
};

void write_strings(std::span<const std::string> strings, Sink& sink) {
  std::string lengths;
  for (const std::string& string : strings) {
    append_base128(string.size(), &lengths);
    sink.count_length(string.size());
    if (lengths.size() < kBundlePiece) continue;
    sink.append_unchecked(lengths);
    lengths.clear();
  }
  sink.append_unchecked(lengths);
  sink.append_checksum();
  for (const std::string& string : strings) sink.append(string);
}

void write_variants(const Tensor& tensor, Sink& sink) {
  tensorflow::TensorProto proto;
  to_proto(tensor, &proto, ProtoForm::fields);
  if (proto.variant_val_size() != tensor.element_count())
    raise(Code::kUnimplemented, "these variants have no written form");
  for (const auto& element : proto.variant_val()) {
    const std::string bytes = element.SerializeAsString();
    std::string length;
    append_base128(bytes.size(), &length);
    char fixed[8];
    store_fixed<std::uint64_t>(bytes.size(), fixed);
    sink.append_unchecked(length);
    sink.count({fixed, sizeof fixed});
    sink.append(bytes);
    sink.append_checksum();
  }
}

}  // namespace

BlobFacts write_blob(const Tensor& tensor, WritableFile& file) {
  Sink sink(file);
  if (tensor.memory_kind() == MemoryKind::device) {
    take_pieces(tensor, [&](std::span<const char> piece) {
      sink.append({piece.data(), piece.size()});
    });
  } else if (is_trivial(tensor.dtype())) {
    sink.append({static_cast<const char*>(tensor.raw_data()), tensor.byte_size()});
  } else if (tensor.dtype() == DType::string) {
    write_strings(tensor.flat<std::string>(), sink);
  } else if (tensor.dtype() == DType::variant) {
    write_variants(tensor, sink);
  } else {
    raise(Code::kUnimplemented, "tensors of type ", tensor.dtype(), " cannot be saved");
  }
  return sink.facts();
}

}  // namespace rill
