#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rill/api/array/extent.h"
#include "rill/api/core/default_graph.h"

namespace rill::image::parts {

// What the functions of this folder are made of. All build in current_scope().

// Checks of an image before it is used: what is known is checked at once, the rest in the step.
class Checks {
 public:
  // That x has three dimensions or more, of which the last three are not empty. Throws
  // InvalidArgument where that is known to be wrong.
  void at_least_3d(Output x);
  void at_least(const Extent& a, const Extent& b, const std::string& message);  // a >= b
  void greater(const Extent& a, const Extent& b, const std::string& message);
  void equal(const Extent& a, const Extent& b, const std::string& message);
  // That x is not less than 0.
  void non_negative(Output x, const std::string& message);

  // x, once everything is checked.
  Output then(Output x) const;

 private:
  void add(Output condition, const std::string& message);
  std::vector<Node*> nodes_;
};

// x, once it is checked to be an image or a batch of them.
Output checked_image(Output x);

// An image as a batch of one, a batch as it is; a tensor of unknown rank is taken for an image.
// Throws InvalidArgument when it has neither three nor four dimensions.
struct ImageBatch {
  Output images = {};
  bool was_single = false;
  Output undo(Output x) const;  // without the dimension that was added
};
ImageBatch as_batch(Output x);

// x, of which this is known, too.
Output with_shape(Output x, const PartialShape& shape);
PartialShape shape_of(const std::vector<Extent>& dims);

// make(rows), where `rows` is the dimension of rows: 0 of an image, 1 of a batch. Where the rank of
// x is not known, both are made and the step decides.
using MakeByRank = std::function<Output(int rows)>;
Output by_rank(Output x, const MakeByRank& make);

}  // namespace rill::image::parts
