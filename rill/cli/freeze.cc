#include <cstdio>

#include "rill/api/convert/model.h"
#include "rill/api/saver/freeze.h"
#include "rill/base/text.h"
#include "rill/cli/command.h"
#include "tensorflow/core/protobuf/saved_model.pb.h"

namespace rill::cli {
namespace {

std::set<std::string> set_of(const std::optional<std::string>& text) {
  const std::vector<std::string> items = comma_list(text);
  return {items.begin(), items.end()};
}

void write(const tensorflow::GraphDef& graph, const std::string& path) {
  convert::write_graph_def(graph, path);
  std::printf("%d ops in the final graph.\n", graph.node_size());
}

bool is_true(const std::optional<std::string>& text, bool otherwise) {
  return text ? lower(*text) == "true" || *text == "1" : otherwise;
}

int freeze(std::span<const std::string> arguments) {
  Options given(arguments);
  const auto model = given.value("--input_saved_model_dir");
  const auto meta = given.value("--input_meta_graph"), plain = given.value("--input_graph");
  const auto checkpoint = given.value("--input_checkpoint");
  const auto output = given.value("--output_graph");
  for (const char* unused :
       {"--input_saver", "--checkpoint_version", "--restore_op_name", "--filename_tensor_name"})
    given.value(unused);  // TensorFlow's; what they say is found out
  given.value_or_true("--input_binary");
  saved_model::FreezeModelOptions options{
      .output_node_names = comma_list(given.value("--output_node_names")),
      .clear_devices = is_true(given.value_or_true("--clear_devices"), true),
      .variables = {.whitelist = set_of(given.value("--variable_names_whitelist")),
                    .blacklist = set_of(given.value("--variable_names_blacklist"))},
      .initializer_nodes = comma_list(given.value("--initializer_nodes"))};
  if (const auto tags = given.value("--saved_model_tags")) options.tag_set = *tags;
  if (!given.positional().empty()) throw UsageError("freeze takes options only");
  if (!output) throw UsageError("freeze needs --output_graph");
  if (model) {
    write(saved_model::freeze_saved_model(*model, options), *output);
    return 0;
  }
  if (!meta && !plain) throw UsageError("freeze needs a model or a graph");
  if (!checkpoint) throw UsageError("freeze needs --input_checkpoint for a graph");
  write(saved_model::freeze_graph(meta ? *meta : *plain, *checkpoint, options), *output);
  return 0;
}

}  // namespace

const Command kFreeze{
    "freeze", "put the values of the variables into the graph",
    "freeze --input_saved_model_dir DIR --output_graph FILE [OPTION...]\n"
    "       rill freeze --input_meta_graph FILE | --input_graph FILE --input_checkpoint PREFIX\n"
    "                   --output_node_names NAME,... --output_graph FILE [OPTION...]\n\n"
    "  --output_node_names NAME,...         what must be computed; a model's answers if left out\n"
    "  --saved_model_tags TAG,...           which graph of a SavedModel; serve if left out\n"
    "  --clear_devices=false                keep the devices of nodes\n"
    "  --initializer_nodes NAME,...         run these first\n"
    "  --variable_names_whitelist NAME,...  freeze only these\n"
    "  --variable_names_blacklist NAME,...  freeze all but these\n"
    "A file that ends in .pbtxt is written as text. TensorFlow's other options are accepted.",
    freeze};

}  // namespace rill::cli
