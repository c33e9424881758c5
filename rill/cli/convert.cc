#include "rill/api/convert/convert.h"

#include <cstdio>

#include "rill/base/text.h"
#include "rill/cli/command.h"

namespace rill::cli {
namespace {

int convert(std::span<const std::string> arguments) {
  Options given(arguments);
  convert::Options options;
  if (const auto form = given.value("--to")) options.to = convert::parse_form(*form);
  if (const auto graph = given.value("--graph")) options.graph = *graph;
  if (const auto tags = given.value("--tag_set")) options.model.tag_set = *tags;
  options.model.inputs = comma_list(given.value("--inputs"));
  options.model.outputs = comma_list(given.value("--outputs"));
  const std::vector<std::string> paths = given.positional();
  if (paths.size() != 2) throw UsageError("convert needs what to read and what to write");
  const convert::Report report = convert::convert(paths[0], paths[1], options);
  const std::string what =
      report.nodes > 0 ? str_cat(report.nodes, " nodes") : str_cat(report.tensors, " tensors");
  std::printf("%s: a %s of %s\n", paths[1].c_str(), std::string(form_name(report.to)).c_str(),
              what.c_str());
  for (const std::string& name : report.left_out)
    std::fprintf(stderr, "left out, since it is no number: %s\n", name.c_str());
  return 0;
}

}  // namespace

const Command kConvert{
    "convert", "make a checkpoint, graph, SavedModel or safetensors file of another of these",
    "convert FROM TO [OPTION...]\n\n"
    "What TO becomes is told by its name: .pb and .pbtxt are graphs with the variables as "
    "constants,\n"
    ".safetensors and .ckpt variables alone. Anything else must be said:\n\n"
    "  --to KIND                   checkpoint, graph, saved_model or safetensors\n"
    "  --graph FILE                the graph of variables that come without (.meta, .pb, .pbtxt)\n"
    "  --inputs [KEY=]TENSOR,...   what goes into the model, and what comes out of it; a "
    "SavedModel\n"
    "  --outputs [KEY=]TENSOR,...  knows, and inputs are the placeholders if left out\n"
    "  --tag_set TAG,...           which graph of a SavedModel; serve if left out",
    convert};

}  // namespace rill::cli
