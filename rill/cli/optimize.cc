#include <cstdio>

#include "rill/api/convert/model.h"
#include "rill/base/text.h"
#include "rill/cli/command.h"
#include "tensorflow/core/framework/graph.pb.h"

namespace rill::cli {
namespace {

// "a,b,c" is a list too; commas inside of parentheses stay.
std::string spaced(std::string text) {
  int depth = 0;
  for (char& c : text) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ',' && depth == 0) c = ' ';
  }
  return text;
}

int list_passes() {
  for (const auto& known : graph_transforms::known_transforms())
    std::printf("  %-28s %s\n", known.name, known.summary);
  return 0;
}

std::size_t bytes_of(const tensorflow::GraphDef& graph) { return graph.ByteSizeLong(); }

int optimize(std::span<const std::string> arguments) {
  Options given(arguments);
  if (given.flag("--list")) return list_passes();
  auto output = given.value("-o");
  if (!output) output = given.value("--output");
  convert::OptimizeOptions options;
  options.model.inputs = comma_list(given.value("--inputs"));
  options.model.outputs = comma_list(given.value("--outputs"));
  if (const auto tags = given.value("--tag_set")) options.model.tag_set = *tags;
  if (const auto passes = given.value("--passes")) options.transforms = spaced(*passes);
  if (given.flag("--quantize")) options.transforms += " quantize_weights";
  const std::vector<std::string> paths = given.positional();
  if (paths.size() != 1 || !output) throw UsageError("optimize needs one model and -o");

  const convert::FrozenModel before = convert::read_frozen_model(paths[0], options.model);
  const convert::FrozenModel after = convert::optimized(before, options.transforms);
  convert::write_frozen_model(after, *output);
  std::printf("%d nodes, %zu bytes: now %d nodes, %zu bytes, in %s\n", before.graph->node_size(),
              bytes_of(before.graph), after.graph->node_size(), bytes_of(after.graph),
              output->c_str());
  return 0;
}

}  // namespace

const Command kOptimize{
    "optimize", "make a model smaller and faster to run",
    "optimize MODEL -o OUT [OPTION...]\n\n"
    "MODEL is a SavedModel or a graph without variables; OUT a graph when it ends in .pb or "
    ".pbtxt,\n"
    "else a SavedModel.\n\n"
    "  --inputs [KEY=]TENSOR,...   what is fed, and what is asked for; a SavedModel knows, and "
    "inputs\n"
    "  --outputs [KEY=]TENSOR,...  that are not said are the placeholders that the outputs need\n"
    "  --passes A,B(ARG=VALUE),... what to do, by TensorFlow's names of transforms\n"
    "  --quantize                  and keep large weights in eight bits: a quarter of the size\n"
    "  --tag_set TAG,...           which graph of a SavedModel; serve if left out\n"
    "  --list                      what there is to do",
    optimize};

}  // namespace rill::cli
