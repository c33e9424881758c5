#include "tests/optest/on_cpu.h"

#include "rill/base/error.h"

namespace rill {
namespace {

std::string compared_type;
int same_bits = 0;

bool is_comparable(const Tensor& value) {
  return !value.has_value() || is_trivial(value.dtype()) || value.dtype() == DType::string;
}

}  // namespace

void compare_with_cpu(const std::string& device_type) { compared_type = device_type; }
bool compares_with_cpu() { return !compared_type.empty(); }
int same_bits_count() { return same_bits; }

SessionOptions options_of_row(bool on_cpu, bool rewrites) {
  SessionOptions options;
  if (on_cpu) options.device_count[compared_type] = 0;
  if (!rewrites) options.rewrites_off.insert("all");
  return options;
}

std::string bits_differ(const std::vector<Tensor>& there, const std::vector<Tensor>& on_cpu) {
  if (there.size() != on_cpu.size())
    return str_cat(there.size(), " outputs, ", on_cpu.size(), " on the CPU");
  for (std::size_t i = 0; i < there.size(); ++i)
    if (is_comparable(there[i]) && !identical(there[i], on_cpu[i]))
      return str_cat("output ", i, " has other bits than on the CPU");
  ++same_bits;
  return "";
}

}  // namespace rill
