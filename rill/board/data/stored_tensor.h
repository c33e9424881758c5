#pragma once

#include <string>
#include <vector>

#include "rill/board/log/run.h"

namespace rill::board {

// A tensor of a log as numbers or texts.
struct LoggedTensor {
  std::vector<std::int64_t> shape;
  std::vector<double> numbers;  // one of the two is empty
  std::vector<std::string> texts;
  bool is_text = false;

  std::int64_t rows() const { return shape.empty() ? 1 : shape[0]; }
};

// The tensor of a TensorProto. Throws DataLoss when the bytes are none, Unimplemented for types
// that are neither numbers nor texts.
LoggedTensor tensor_of(std::string_view bytes);

// Buckets (left, right, count) of a histogram, whichever way it was written.
struct Bucket {
  double left, right, count;
};
std::vector<Bucket> buckets_of(ValueKind kind, std::string_view bytes);

// A picture or a clip as it was encoded, and what it is.
struct Blob {
  std::string bytes, content_type;
};
Blob image_of(ValueKind kind, std::string bytes, std::size_t sample);
Blob audio_of(ValueKind kind, std::string bytes, std::size_t sample);

// What browsers may take bytes for, by how they begin; octets for what is not known to be a
// picture.
std::string image_type(std::string_view bytes);

}  // namespace rill::board
