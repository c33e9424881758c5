#pragma once

#include "rill/graph/shape_ctx.h"

namespace rill {

// Checks shared by shape functions of image ops; all throw InvalidArgument.

// Height and width from input i, a vector of two numbers, none negative; unknown ones are -1.
std::pair<std::int64_t, std::int64_t> size_input(const ShapeCtx& c, int i);
// The shapes of a result of that size. One without pixels can be built, as in TensorFlow, not run.
Shapes resized(std::int64_t height, std::int64_t width, Shapes shapes);
// Images [batch, height, width, channels] that have at least one channel and pixel.
PartialShape resizable(const ShapeCtx& c, int i);
// A vector of two elements.
void require_pair(const ShapeCtx& c, int i, const char* what);

}  // namespace rill
