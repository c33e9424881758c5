#pragma once

#include <string>
#include <string_view>

#include "rill/io/input_stream.h"

namespace rill {

// The bytes of a stream, of which as many as one wants stand in one piece.
class StreamText {
 public:
  explicit StreamText(std::unique_ptr<InputStream> stream) : stream_(std::move(stream)) {}

  // What was read and not passed; more() adds to it, false at the end of the stream.
  std::string_view rest() const { return std::string_view(bytes_).substr(begin_); }
  bool more();
  void pass(std::size_t count) { begin_ += count; }

  std::uint64_t position() const { return stream_->position() - (bytes_.size() - begin_); }
  void seek(std::uint64_t position);

 private:
  const std::unique_ptr<InputStream> stream_;
  std::string bytes_;
  std::size_t begin_ = 0;
};

}  // namespace rill
