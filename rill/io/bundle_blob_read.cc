#include <algorithm>

#include "rill/base/crc32c.h"
#include "rill/base/crc32c_join.h"
#include "rill/base/error.h"
#include "rill/io/bundle_blob.h"
#include "rill/io/bundle_format.h"
#include "rill/io/coding.h"
#include "rill/io/swap_bytes.h"
#include "rill/tensor/tensor_proto.h"
#include "tensorflow/core/framework/tensor.pb.h"

namespace rill {
namespace {

std::string where(const BlobPlace& place) {
  return str_cat(" (tensor ", place.tensor, " at offset ", place.offset, " of ", place.file.path(),
                 ")");
}

void check_size(const BlobPlace& place, std::uint64_t expected) {
  if (place.size != expected)
    raise(Code::kDataLoss, "Invalid size in bundle entry: key ", place.tensor, "; stored size ",
          place.size, "; expected size ", expected, where(place));
}

// Nothing is allocated for bytes that are not there.
void check_inside_file(const BlobPlace& place) {
  const std::uint64_t size = place.file.size();
  if (place.offset > size || place.size > size - place.offset)
    raise(Code::kDataLoss, "truncated data: ", place.size, " bytes are wanted of a file of ", size,
          where(place));
}

void check_crc(const BlobPlace& place, std::uint32_t crc) {
  if (mask_crc(crc) != place.masked_crc)
    raise(Code::kDataLoss, "Checksum does not match: stored ", unmask_crc(place.masked_crc),
          " vs. calculated on the restored bytes ", crc, where(place));
}

void read_exactly(const BlobPlace& place, std::uint64_t offset, std::span<char> out) {
  if (place.file.read(place.offset + offset, out) < out.size())
    raise(Code::kDataLoss, "truncated data at ", offset, where(place));
}

// What one thread reads of a large tensor.
constexpr std::size_t kThreadPiece = 8 * kBundlePiece;

// Fills `out` and returns its checksum.
std::uint32_t read_summed(const BlobPlace& place, std::uint64_t offset, std::span<char> out) {
  std::uint32_t crc = 0;
  for (std::size_t done = 0; done < out.size(); done += kBundlePiece) {
    const auto piece = out.subspan(done, std::min(kBundlePiece, out.size() - done));
    read_exactly(place, offset + done, piece);
    crc = extend_crc32c(crc, {piece.data(), piece.size()});
  }
  return crc;
}

// The bytes of one tensor in order, through a buffer.
class Source {
 public:
  explicit Source(const BlobPlace& place)
      : place_(place), buffer_(std::min<std::uint64_t>(kBundlePiece, place.size)) {}
  std::uint64_t left() const { return place_.size - position_; }

  void read(std::span<char> out) {
    if (out.size() > left()) raise(Code::kDataLoss, "data ends too early", where(place_));
    while (!out.empty()) {
      if (begin_ == end_) fill();
      const std::size_t count = std::min(out.size(), end_ - begin_);
      std::copy_n(buffer_.data() + begin_, count, out.data());
      begin_ += count;
      position_ += count;
      out = out.subspan(count);
    }
  }
  std::uint64_t read_varint() {
    std::string bytes;
    for (char byte = 0; bytes.empty() || (bytes.back() & 0x80) != 0; bytes.push_back(byte)) {
      if (bytes.size() == 10) break;
      read({&byte, 1});
    }
    std::uint64_t value = 0;
    std::string_view rest = bytes;
    if (!take_varint(&rest, &value)) raise(Code::kDataLoss, "a length is no number", where(place_));
    return value;
  }
  // A checksum that stands among the data, and counts as data itself.
  void read_checksum(std::uint32_t* crc) {
    char stored[4];
    read(stored);
    if (load_fixed<std::uint32_t>(stored) != mask_crc(*crc))
      raise(Code::kDataLoss, "The length checksum does not match: expected ",
            unmask_crc(load_fixed<std::uint32_t>(stored)), " but got ", *crc, where(place_));
    *crc = extend_crc32c(*crc, {stored, sizeof stored});
  }
  void check_end() const {
    if (left() != 0)
      raise(Code::kDataLoss, left(), " bytes are left over in a bundle entry", where(place_));
  }

 private:
  void fill() {
    begin_ = 0;
    end_ = static_cast<std::size_t>(std::min<std::uint64_t>(buffer_.size(), left()));
    read_exactly(place_, position_, {buffer_.data(), end_});
  }

  const BlobPlace& place_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;
  std::uint64_t position_ = 0;
};

Tensor read_strings(const BlobPlace& place, const Shape& shape) {
  const auto count = static_cast<std::uint64_t>(shape.element_count());
  if (count > place.size)
    raise(Code::kDataLoss, place.size, " bytes cannot hold ", count, " strings", where(place));
  Source source(place);
  std::uint32_t crc = 0;
  std::vector<std::uint64_t> lengths(count);
  std::uint64_t total = 0;
  for (std::uint64_t& length : lengths) {
    length = source.read_varint();
    crc = extend_crc_by_length(crc, length);
    if (length > place.size - total)
      raise(Code::kDataLoss, "a string of ", length, " bytes is longer than the data",
            where(place));
    total += length;
  }
  source.read_checksum(&crc);
  if (total != source.left())
    raise(Code::kDataLoss, "strings of ", total, " bytes do not fill ", source.left(),
          where(place));
  Tensor tensor(DType::string, shape);
  auto* string = tensor.data<std::string>();
  for (const std::uint64_t length : lengths) {
    string->resize(length);
    source.read(*string);
    crc = extend_crc32c(crc, *string++);
  }
  check_crc(place, crc);
  return tensor;
}

Tensor read_variants(const BlobPlace& place, const Shape& shape) {
  if (place.swap_bytes)
    raise(Code::kUnimplemented, "variants of the other byte order cannot be read", where(place));
  Source source(place);
  std::uint32_t crc = 0;
  tensorflow::TensorProto proto;
  proto.set_dtype(tensorflow::DT_VARIANT);
  to_proto(PartialShape(shape), proto.mutable_tensor_shape());
  for (std::int64_t i = 0; i < shape.element_count(); ++i) {
    const std::uint64_t length = source.read_varint();
    char fixed[8];
    store_fixed(length, fixed);
    crc = extend_crc32c(crc, {fixed, sizeof fixed});
    if (length > source.left())
      raise(Code::kDataLoss, "a variant of ", length, " bytes is longer than the data",
            where(place));
    std::string bytes(length, '\0');
    source.read(bytes);
    crc = extend_crc32c(crc, bytes);
    source.read_checksum(&crc);
    if (!proto.add_variant_val()->ParseFromString(bytes))
      raise(Code::kDataLoss, "variant ", i, " is no message", where(place));
  }
  source.check_end();
  check_crc(place, crc);
  return from_proto(proto);
}

}  // namespace

void check_blob(const BlobPlace& place, DType dtype, const Shape& shape) {
  if (is_trivial(dtype)) check_size(place, shape.byte_size(element_size(dtype)));
  check_inside_file(place);
}

void read_pieces(const BlobPlace& place, DType dtype, const Shape& shape,
                 FunctionRef<void(std::uint64_t, std::span<const char>)> take) {
  check_blob(place, dtype, shape);
  std::vector<char> buffer(std::min<std::uint64_t>(kBundlePiece, place.size));
  std::uint32_t crc = 0;
  for (std::uint64_t done = 0; done < place.size;) {
    const auto count = std::min<std::uint64_t>(buffer.size(), place.size - done);
    const std::span<char> piece(buffer.data(), static_cast<std::size_t>(count));
    read_exactly(place, done, piece);
    crc = extend_crc32c(crc, {piece.data(), piece.size()});
    if (place.swap_bytes) swap_bytes(dtype, piece);
    take(done, piece);
    done += count;
  }
  check_crc(place, crc);
}

Tensor read_blob(const BlobPlace& place, DType dtype, const Shape& shape) {
  check_blob(place, dtype, shape);
  if (dtype == DType::string) return read_strings(place, shape);
  if (dtype == DType::variant) return read_variants(place, shape);
  if (!is_trivial(dtype))
    raise(Code::kUnimplemented, "tensors of type ", dtype, " cannot be restored", where(place));
  return read_blob_in_pieces(place, dtype, shape,
                             [](std::size_t count, FunctionRef<void(std::size_t)> piece) {
                               for (std::size_t i = 0; i < count; ++i) piece(i);
                             });
}

Tensor read_blob_in_pieces(
    const BlobPlace& place, DType dtype, const Shape& shape,
    FunctionRef<void(std::size_t count, FunctionRef<void(std::size_t)> piece)> each) {
  check_blob(place, dtype, shape);
  Tensor tensor(dtype, shape);
  const std::span<char> all(static_cast<char*>(tensor.raw_data()), tensor.byte_size());
  const auto part = [&](std::size_t i) {
    const std::size_t begin = i * kThreadPiece;
    return all.subspan(begin, std::min(kThreadPiece, all.size() - begin));
  };
  std::vector<std::uint32_t> crcs((all.size() + kThreadPiece - 1) / kThreadPiece);
  each(crcs.size(), [&](std::size_t i) {
    crcs[i] = read_summed(place, i * kThreadPiece, part(i));
    if (place.swap_bytes) swap_bytes(dtype, part(i));
  });
  std::uint32_t crc = 0;
  for (std::size_t i = 0; i < crcs.size(); ++i) crc = join_crc32c(crc, crcs[i], part(i).size());
  check_crc(place, crc);
  return tensor;
}

}  // namespace rill
