#include <algorithm>

#include "rill/base/crc32c.h"
#include "rill/base/error.h"
#include "rill/io/bundle_blob.h"
#include "rill/io/bundle_format.h"
#include "rill/io/swap_bytes.h"

namespace rill {

void verify_blob(const BlobPlace& place, DType dtype, const Shape& shape) {
  read_pieces(place, dtype, shape, [](std::uint64_t, std::span<const char>) {});
}

void fill_from_blob(const BlobPlace& place, DType dtype, std::span<char> memory) {
  std::uint32_t crc = 0;
  std::size_t done = 0;
  while (done < memory.size()) {
    const auto piece = memory.subspan(done, std::min(kBundlePiece, memory.size() - done));
    if (place.file.read(place.offset + done, piece) < piece.size()) break;
    crc = extend_crc32c(crc, {piece.data(), piece.size()});
    if (place.swap_bytes) swap_bytes(dtype, piece);
    done += piece.size();
  }
  if (done < memory.size() || mask_crc(crc) != place.masked_crc)
    raise(Code::kDataLoss, "tensor ", place.tensor, " at offset ", place.offset, " of ",
          place.file.path(), " changed while it was read");
}

}  // namespace rill
