#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "rill/tensor/shape.h"

namespace rill {

// Labels of axes: a character, or kEllipsis + i for the i-th axis from the right of those that an
// ellipsis stands for.
inline constexpr int kEllipsis = 256;
using Labels = std::vector<int>;

// The subscripts of one operand: "ab...c" has two labels before and one behind the ellipsis.
struct Subscripts {
  std::string before, behind;
  bool has_ellipsis = false;

  int named() const { return static_cast<int>(before.size() + behind.size()); }
  // With an ellipsis that stands for `covered` axes.
  Labels labels(int covered) const;
};

// "ab,bc->ac" and the like, for one or two operands.
struct Equation {
  // Throws InvalidArgument when the text is none, or not for that many operands.
  static Equation parse(std::string_view text, int operands);

  // The labels of operand i of this rank; throws InvalidArgument when the rank does not fit.
  Labels operand_labels(int i, int rank) const;
  // The labels of the result when ellipses stand for up to `covered` axes.
  Labels result_labels(int covered) const;

  std::string text;
  std::vector<Subscripts> operands;
  Subscripts result;
};

// The sizes of labels, collected from operands. Those of ellipses broadcast.
class LabelSizes {
 public:
  // Throws InvalidArgument when a size contradicts an earlier one; -1 is unknown.
  void add(const Labels& labels, const PartialShape& shape);
  std::int64_t size(int label) const;
  // The number of axes that the longest ellipsis stands for.
  int covered() const { return covered_; }

 private:
  std::map<int, std::int64_t> sizes_;
  int covered_ = 0;
};

}  // namespace rill
