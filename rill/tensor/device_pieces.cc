#include "rill/tensor/device_pieces.h"

#include <algorithm>
#include <cstring>

#include "rill/base/error.h"
#include "rill/tensor/device_memory.h"

namespace rill {
namespace {

std::future<void> begin_copy(const Tensor& from, const Tensor& to) {
  auto ended = std::make_shared<std::promise<void>>();
  std::future<void> result = ended->get_future();
  start_copy(from, to, [ended](std::exception_ptr error) {
    error ? ended->set_exception(std::move(error)) : ended->set_value();
  });
  return result;
}

Tensor bytes_of(const Tensor& whole, std::size_t begin, std::size_t size) {
  return {DType::u8, Shape{static_cast<std::int64_t>(size)}, whole.buffer(),
          static_cast<char*>(whole.raw_data()) + begin};
}

Tensor staging_for(const Tensor& device) {
  Allocator* const pinned = device.buffer()->allocator()->copier()->staging();
  const std::size_t size = std::min(kStagingBytes, device.byte_size());
  return {DType::u8, Shape{static_cast<std::int64_t>(size)},
          pinned == nullptr ? cpu_allocator() : *pinned};
}

}  // namespace

void take_pieces(const Tensor& from, FunctionRef<void(std::span<const char>)> take) {
  const std::size_t bytes = from.byte_size(), count = (bytes + kStagingBytes - 1) / kStagingBytes;
  std::array<Tensor, 2> staging;
  std::array<std::future<void>, 2> ended;
  const auto size_of = [&](std::size_t i) {
    return std::min(kStagingBytes, bytes - i * kStagingBytes);
  };
  const auto begin = [&](std::size_t i) {
    Tensor& there = staging[i % 2];
    if (!there.has_value()) there = staging_for(from);
    ended[i % 2] =
        begin_copy(bytes_of(from, i * kStagingBytes, size_of(i)), bytes_of(there, 0, size_of(i)));
  };
  if (count > 0) begin(0);
  for (std::size_t i = 0; i < count; ++i) {
    if (i + 1 < count) begin(i + 1);
    ended[i % 2].get();
    take({static_cast<const char*>(staging[i % 2].raw_data()), size_of(i)});
  }
}

void PieceWriter::put(std::span<const char> bytes) {
  require(bytes.size() <= to_.byte_size() - done_, "a tensor of ", to_.byte_size(),
          " bytes was given more");
  for (; !bytes.empty(); bytes = bytes.subspan(std::min(bytes.size(), kStagingBytes)))
    put_piece(bytes.first(std::min(bytes.size(), kStagingBytes)));
}

void PieceWriter::put_piece(std::span<const char> bytes) {
  Piece& piece = pieces_[next_++ % 2];
  if (!piece.staging.has_value()) piece.staging = staging_for(to_);
  if (piece.ended.valid()) piece.ended.get();
  std::memcpy(piece.staging.raw_data(), bytes.data(), bytes.size());
  piece.ended =
      begin_copy(bytes_of(piece.staging, 0, bytes.size()), bytes_of(to_, done_, bytes.size()));
  done_ += bytes.size();
}

void PieceWriter::finish() {
  for (Piece& piece : pieces_)
    if (piece.ended.valid()) piece.ended.get();
}

}  // namespace rill
