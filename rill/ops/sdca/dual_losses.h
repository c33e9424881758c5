#pragma once

#include <string_view>

namespace rill {

// What SDCA needs of a loss of one example, after Shalev-Shwartz and Zhang. `scale` is the number
// of partitions times the example's weight times the squared norm of its features over l2.
struct DualLoss {
  std::string_view name;
  // The dual variable that maximises the dual objective in this coordinate.
  double (*update)(double label, double dual, double prediction, double scale);
  double (*primal)(double prediction, double label);
  double (*dual)(double dual, double label);
  // The derivative of the primal loss, and the bound of the second one (0: there is none).
  double (*slope)(double prediction, double label);
  double smoothness;
  bool is_binary;          // labels 0 and 1 become -1 and 1, others are refused
  bool needs_count_label;  // labels below 0 are refused
};

// Throws InvalidArgument for other names.
const DualLoss& dual_loss(std::string_view name);
// The label as the loss wants it. Throws InvalidArgument for those that it does not take.
double checked_label(const DualLoss& loss, double label);

}  // namespace rill
