#include "rill/kernel/kernel_registry.h"
#include "rill/ops/string/template_pieces.h"

namespace rill {

extern const OpDecl kStringFormat;

namespace {

void string_format(KernelCall& call) {
  const KernelNode& node = call.node();
  const auto& text = node.attr<std::string>("template");
  const std::int64_t summarize = node.attr<std::int64_t>("summarize");
  const auto pieces = template_pieces(text, node.attr<std::string>("placeholder"));
  std::string& out = call.output<std::string>(0)[0];
  out = pieces[0];
  for (int i = 0; i < call.input_count(); ++i) {
    out += edge_summary(call.input_tensor(i), summarize);
    out += pieces[static_cast<std::size_t>(i) + 1];
  }
}

constexpr KernelEntry kEntries[] = {{.op = &kStringFormat, .run = string_format}};

}  // namespace

extern const KernelTable kStringFormatCpu{kEntries};

}  // namespace rill
