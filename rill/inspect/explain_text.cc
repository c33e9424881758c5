#include <algorithm>
#include <cstdio>

#include "rill/base/json.h"
#include "rill/base/text.h"
#include "rill/inspect/explain.h"
#include "rill/inspect/figures.h"

namespace rill::inspect {
namespace {

// A cell of `width` characters; text to the left, figures to the right.
std::string left(std::string text, std::size_t width) {
  if (text.size() > width) text = "..." + text.substr(text.size() - width + 3);
  return text + std::string(width - text.size(), ' ');
}
std::string right(const std::string& text, std::size_t width) {
  return std::string(text.size() < width ? width - text.size() : 0, ' ') + text;
}

std::string percent(double part) { return fixed(100 * part, 1) + "%"; }

std::string share_table(const std::vector<KernelShare>& shares, double total, int most) {
  std::string text = str_cat("  ", left("op", 28), left("node", 40), right("calls", 7),
                             right("time", 11), right("share", 8), right("GFLOP/s", 9),
                             right("GB/s", 8), right("of peak", 9), "  limited by\n");
  const auto rows = std::min(shares.size(), static_cast<std::size_t>(std::max(0, most)));
  for (const KernelShare& share : std::span(shares).first(rows)) {
    const double seconds = std::max(share.seconds, 1e-12);
    const bool costs = share.flops > 0 || share.bytes > 0;
    text += str_cat("  ", left(share.op, 28), left(share.node, 40),
                    right(std::to_string(share.calls), 7), right(time_text(share.seconds), 11),
                    right(percent(total > 0 ? share.seconds / total : 0), 8),
                    right(share.is_known ? fixed(share.flops / seconds * 1e-9, 1) : "?", 9),
                    right(fixed(share.bytes / seconds * 1e-9, 1), 8),
                    right(!costs           ? "-"
                          : share.is_known ? percent(share.of_peak())
                                           : ">" + percent(share.of_peak()),
                          9),
                    "  ",
                    !costs              ? "overhead"
                    : share.by_memory() ? "memory"
                                        : "arithmetic",
                    "\n");
  }
  if (rows < shares.size()) text += str_cat("  and ", shares.size() - rows, " more\n");
  return text;
}

std::string json_of(const KernelShare& share) {
  return str_cat("{\"op\": ", json_quoted(share.op), ", \"node\": ", json_quoted(share.node),
                 ", \"calls\": ", share.calls, ", \"seconds\": ", digits(share.seconds),
                 ", \"flops\": ", digits(share.flops), ", \"bytes\": ", digits(share.bytes),
                 ", \"flops_known\": ", share.is_known ? "true" : "false",
                 ", \"of_peak\": ", digits(share.of_peak()),
                 ", \"limit\": ", share.by_memory() ? "\"memory\"" : "\"arithmetic\"", "}");
}

std::string json_of(const std::vector<KernelShare>& shares) {
  std::vector<std::string> items;
  for (const KernelShare& share : shares) items.push_back(json_of(share));
  return str_cat("[", join(items, ",\n  "), "]");
}

}  // namespace

std::string to_text(const Peaks& peaks) {
  return str_cat(fixed(peaks.float_flops * 1e-9, 0), " GFLOP/s (float), ",
                 fixed(peaks.double_flops * 1e-9, 0), " (double), ",
                 fixed(peaks.cache_bytes * 1e-9, 0), " GB/s from caches, ",
                 fixed(peaks.memory_bytes * 1e-9, 0), " from memory, with ", peaks.threads,
                 peaks.threads == 1 ? " thread" : " threads");
}

std::string to_json(const Peaks& peaks) {
  return str_cat("{\"threads\": ", peaks.threads,
                 ", \"gflops_float\": ", digits(peaks.float_flops * 1e-9),
                 ", \"gflops_double\": ", digits(peaks.double_flops * 1e-9),
                 ", \"cached_gigabytes_per_second\": ", digits(peaks.cache_bytes * 1e-9),
                 ", \"gigabytes_per_second\": ", digits(peaks.memory_bytes * 1e-9), "}");
}

std::string to_text(const Explanation& e, int most) {
  std::string text = "Passes and rewrites that changed the step:\n";
  for (const FiredPass& pass : e.passes)
    text += str_cat("  ", left(pass.name, 28), pass.places,
                    pass.places == 1 ? " place\n" : " places\n");
  if (e.passes.empty()) text += "  none\n";
  text += str_cat("\nThe machine's peak: ", to_text(e.peaks), "\n", "A step of ", e.nodes,
                  " nodes took ", time_text(e.step_seconds), ", its kernels ",
                  time_text(e.kernel_seconds), " together\n\nBy op:\n",
                  share_table(e.ops, e.kernel_seconds, most), "\nThe dearest nodes:\n",
                  share_table(e.kernels, e.kernel_seconds, most));
  return text;
}

std::string to_json(const Explanation& e) {
  std::vector<std::string> passes;
  for (const FiredPass& pass : e.passes)
    passes.push_back(
        str_cat("{\"name\": ", json_quoted(pass.name), ", \"places\": ", pass.places, "}"));
  return str_cat("{\"passes\": [", join(passes, ", "), "],\n \"peaks\": ", to_json(e.peaks),
                 ",\n \"nodes\": ", e.nodes, ", \"step_seconds\": ", digits(e.step_seconds),
                 ", \"kernel_seconds\": ", digits(e.kernel_seconds),
                 ",\n \"ops\": ", json_of(e.ops), ",\n \"kernels\": ", json_of(e.kernels), "}");
}

}  // namespace rill::inspect
