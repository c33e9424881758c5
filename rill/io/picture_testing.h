#pragma once

#include <vector>

#include "rill/io/picture.h"

namespace rill {

// A picture as a decoder left it.
struct Decoded {
  PictureSize size;
  std::vector<std::uint8_t> samples;
  void* operator()(const PictureSize& s) {
    size = s;
    samples.resize(static_cast<std::size_t>(s.frames * s.height * s.width * s.channels));
    return samples.data();
  }
};

}  // namespace rill
