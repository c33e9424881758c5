#include "rill/io/input_stream.h"

#include <algorithm>
#include <cstring>

namespace rill {

FileInput::FileInput(std::unique_ptr<ReadableFile> file, std::size_t buffer_size)
    : file_(std::move(file)), buffer_(buffer_size) {}

std::size_t FileInput::read(std::span<char> out) {
  std::size_t done = 0;
  while (done < out.size()) {
    const bool inside = position_ >= buffer_start_ && position_ - buffer_start_ < buffered_;
    if (inside) {
      const auto at = static_cast<std::size_t>(position_ - buffer_start_);
      const std::size_t count = std::min(buffered_ - at, out.size() - done);
      std::memcpy(out.data() + done, buffer_.data() + at, count);
      done += count;
      position_ += count;
    } else if (out.size() - done >= buffer_.size()) {  // the buffer would only be in the way
      const std::size_t count = file_->read(position_, out.subspan(done));
      position_ += count;
      return done + count;
    } else {
      buffered_ = 0;
      buffer_start_ = position_;
      buffered_ = file_->read(position_, buffer_);
      if (buffered_ == 0) break;
    }
  }
  return done;
}

}  // namespace rill
