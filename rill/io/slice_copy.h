#pragma once

#include <span>
#include <string>
#include <vector>

#include "rill/io/tensor_slice.h"

namespace rill {

using Region = std::vector<TensorSlice::Range>;

// Copies what a stored part of a tensor and a wanted one have in common, while the stored one comes
// along in pieces: no piece is ever kept.
class SliceCopy {
 public:
  // `dst` is the wanted part, dense. The parts must have an element in common.
  SliceCopy(const Region& stored, const Region& wanted, std::size_t element_size, char* dst);
  // Bytes of the stored part, which begin `offset` bytes into it.
  void feed(std::uint64_t offset, std::span<const char> bytes);

 private:
  // One dimension: how long it is in the stored and in the wanted part, and where in either the
  // common range begins.
  struct Dim {
    std::uint64_t stored, wanted, common, from, to;
  };
  // Where in the wanted part a row of the stored part begins; false when it is not wanted.
  bool find_row(std::uint64_t row, std::uint64_t* dst_offset) const;

  std::vector<Dim> outer_;
  Dim row_{1, 1, 1, 0, 0};  // in bytes
  char* dst_;
};

// Which of the stored parts make up the wanted one. Throws InvalidArgument when some of it is
// missing ("Does not have sufficient slices for partitioned tensor ...") and Internal when parts
// overlap.
std::vector<std::size_t> parts_for(const std::string& name, const Shape& full,
                                   const std::vector<TensorSlice>& stored,
                                   const TensorSlice& wanted);

}  // namespace rill
