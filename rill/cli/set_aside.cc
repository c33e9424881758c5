#include "rill/cli/set_aside.h"

namespace rill::cli {
namespace {

struct Family {
  std::string_view name, reason;
};
constexpr Family kFamilies[] = {
    {"cudnn_rnn", "a library of NVIDIA's GPUs"},
    {"nccl", "a library of NVIDIA's GPUs"},
};

}  // namespace

std::string_view set_aside_reason(std::string_view op, std::string_view family) {
  if (op == "CreateSummaryDbWriter")
    return "an experimental log in SQLite that TensorBoard no longer reads";
  if (op.starts_with("_Mkl")) return "made by TensorFlow's MKL rewriter, never by programs";
  if (op.find("TPU") != op.npos || family.starts_with("tpu_")) return "TPUs";
  for (const Family& f : kFamilies)
    if (f.name == family) return f.reason;
  return "";
}

}  // namespace rill::cli
