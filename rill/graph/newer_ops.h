#pragma once

#include <optional>

#include "tensorflow/core/framework/graph.pb.h"

namespace rill {

// A GraphDef of a producer newer than ours, said in our ops where these can do the same:
// MatrixDiagV3, MatrixDiagPartV3 and MatrixSetDiagV3 of one diagonal, or of diagonals that begin
// on the left, are those of V2; ids of sparse segments that are 64 bits wide are narrowed. What is
// left as it was is refused by name when it is imported. Nothing where nothing is to be done.
std::optional<tensorflow::GraphDef> in_our_ops(const tensorflow::GraphDef& def);

}  // namespace rill
