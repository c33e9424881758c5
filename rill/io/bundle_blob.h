#pragma once

#include <cstdint>
#include <string>

#include "rill/base/file_system.h"
#include "rill/base/function_ref.h"
#include "rill/tensor/tensor.h"

namespace rill {

// A tensor's bytes in a data shard: elements as they are in memory; of strings first all lengths
// and a checksum of these; of variants message by message.
struct BlobFacts {
  std::uint64_t size = 0;
  std::uint32_t masked_crc = 0;
};

// Appends the tensor. Throws Unimplemented for resources and for variants without a written form.
BlobFacts write_blob(const Tensor& tensor, WritableFile& file);

// Where a tensor lies, and what its entry says about it.
struct BlobPlace {
  const ReadableFile& file;
  std::string tensor;  // its name, for messages
  std::uint64_t offset = 0, size = 0;
  std::uint32_t masked_crc = 0;
  bool swap_bytes = false;  // it was written on a machine of the other byte order
};

// These throw DataLoss with file, tensor and offset when the file is too short, the size is not
// that of such a tensor, or the checksum is another.
void check_blob(const BlobPlace& place, DType dtype, const Shape& shape);  // the checksum aside
Tensor read_blob(const BlobPlace& place, DType dtype, const Shape& shape);
// Numbers alone, in pieces that `each` may read at the same time.
Tensor read_blob_in_pieces(
    const BlobPlace& place, DType dtype, const Shape& shape,
    FunctionRef<void(std::size_t count, FunctionRef<void(std::size_t)> piece)> each);
// Numbers alone, in pieces of at most kBundlePiece: `take` gets each with its offset in the tensor.
// Bytes have the right order; the checksum is verified at the end.
void read_pieces(const BlobPlace& place, DType dtype, const Shape& shape,
                 FunctionRef<void(std::uint64_t offset, std::span<const char> bytes)> take);

// To fill memory that must keep what it holds when the file is broken: numbers are read twice,
// first without keeping them, then, once all that belongs together was found whole, into their
// place.
void verify_blob(const BlobPlace& place, DType dtype, const Shape& shape);
void fill_from_blob(const BlobPlace& place, DType dtype, std::span<char> memory);

}  // namespace rill
