#include "rill/api/convert/convert.h"

#include <algorithm>

#include "rill/api/core/default_graph.h"
#include "rill/api/describe/describe.h"
#include "rill/api/saver/checkpoint_state.h"
#include "rill/api/saver/freeze.h"
#include "rill/api/saver/saved_model_builder.h"
#include "rill/base/durable_files.h"
#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/io/bundle_format.h"
#include "rill/io/saved_model_parts.h"

namespace rill::convert {
namespace {

struct NamedForm {
  const char* name;
  Form form;
};
constexpr NamedForm kForms[] = {{"checkpoint", Form::kCheckpoint},
                                {"graph", Form::kGraph},
                                {"saved_model", Form::kSavedModel},
                                {"safetensors", Form::kSafetensors}};

// A checkpoint that goes away again: values on the way from another form into a graph.
class PassingCheckpoint {
 public:
  PassingCheckpoint(const TensorSource& source, const std::string& beside)
      : prefix_(temporary_path(beside)) {
    write_checkpoint(source, prefix_);
  }
  ~PassingCheckpoint() {
    try {
      train::remove_checkpoint(prefix_);
    } catch (const Error&) {  // files more
    }
  }
  PassingCheckpoint(const PassingCheckpoint&) = delete;
  PassingCheckpoint& operator=(const PassingCheckpoint&) = delete;
  const std::string& prefix() const { return prefix_; }

 private:
  std::string prefix_;
};

std::string newest_prefix(const std::string& path) {
  if (!is_directory(path)) return describe::checkpoint_prefix(path);
  const auto latest = train::latest_checkpoint(path);
  require(latest.has_value(), "The directory ", path, " has no checkpoint");
  return *latest;
}

// The graph that the variables of `from` belong to.
std::string graph_for(const std::string& from, Form form, const Options& options) {
  if (!options.graph.empty()) return options.graph;
  if (form == Form::kCheckpoint) {
    const std::string meta = train::meta_graph_filename(newest_prefix(from));
    if (file_exists(meta)) return meta;
  }
  raise(Code::kInvalidArgument, from,
        " has variables but no graph: say which they belong to (a .meta, .pb or .pbtxt file)");
}

void write_bundle(saved_model::Bundle& bundle, const std::string& to, const Options& options) {
  const AsDefault in_graph(bundle.graph);
  const Names inputs = options.model.inputs.empty()
                           ? placeholders_of(bundle.meta_graph->graph_def(), options.model.outputs)
                           : options.model.inputs;
  saved_model::Builder builder(to);
  builder.add_meta_graph_and_variables(
      *bundle.session, {saved_model::kServingTag},
      {.signature_def_map = {{saved_model::kDefaultServingSignatureKey,
                              signature_of(inputs, options.model.outputs)}},
       .clear_devices = true});
  builder.save();
}

// Variables and a graph become one graph, or a model.
void join_with_graph(const std::string& from, const std::string& to, const Options& options,
                     Report& report) {
  const std::string graph = graph_for(from, report.from, options);
  require(!options.model.outputs.empty(),
          "What comes out of the model must be said: outputs are missing");
  std::optional<PassingCheckpoint> passing;
  if (report.from == Form::kSafetensors) passing.emplace(*open_tensors(from), to);
  const std::string prefix = passing ? passing->prefix() : newest_prefix(from);
  if (report.to == Form::kGraph) {
    const auto frozen = saved_model::freeze_graph(
        graph, prefix, {.output_node_names = node_names(options.model.outputs)});
    report.nodes = frozen.node_size();
    return write_graph_def(frozen, to);
  }
  saved_model::Bundle bundle = saved_model::restore_graph(graph, prefix);
  write_bundle(bundle, to, options);
  report.nodes = bundle.meta_graph->graph_def().node_size();
}

void write_model(const std::string& from, const std::string& to, const Options& options,
                 Report& report) {
  if (report.from == Form::kCheckpoint || report.from == Form::kSafetensors)
    return join_with_graph(from, to, options, report);
  require(report.from != report.to || report.to == Form::kGraph, from, " is a ",
          form_name(report.to), " already");
  const FrozenModel model = read_frozen_model(from, options.model);
  report.nodes = model.graph->node_size();
  if (report.to == Form::kGraph) return write_graph_def(model.graph, to);
  require(!is_graph_path(to), to, " is no name for the directory of a SavedModel");
  write_frozen_model(model, to);
}

void write_variables(const std::string& from, const std::string& to, const Options& options,
                     Report& report) {
  const auto source = open_tensors(from);
  report.left_out = report.to == Form::kSafetensors ? write_safetensors(*source, to)
                                                    : write_checkpoint(*source, to);
  report.tensors = static_cast<std::int64_t>(source->tensors().size() - report.left_out.size());
  if (report.from != Form::kSavedModel || report.to != Form::kCheckpoint) return;
  // So that a Saver can read it as it reads its own.
  const tensorflow::SavedModel model = saved_model::read_saved_model(from);
  const auto& graph =
      saved_model::meta_graph_with(model, saved_model::split_tag_set(options.model.tag_set));
  publish_file(train::meta_graph_filename(to), graph.SerializeAsString());
}

}  // namespace

std::string_view form_name(Form form) {
  return std::ranges::find(kForms, form, &NamedForm::form)->name;
}

Form parse_form(const std::string& name) {
  const auto found = std::ranges::find(kForms, name, &NamedForm::name);
  require(found != std::end(kForms), "'", name,
          "' is none of checkpoint, graph, saved_model, safetensors");
  return found->form;
}

Form form_of(const std::string& path) {
  switch (describe::kind_of(path)) {
    case describe::Kind::kSavedModel:
      return Form::kSavedModel;
    case describe::Kind::kCheckpoint:
      return Form::kCheckpoint;
    case describe::Kind::kGraph:
      return Form::kGraph;
    case describe::Kind::kSafetensors:
      return Form::kSafetensors;
    default:
      raise(Code::kInvalidArgument, path,
            " is no checkpoint, graph, SavedModel or safetensors file");
  }
}

std::optional<Form> form_by_name(const std::string& path) {
  if (is_graph_path(path)) return Form::kGraph;
  if (path.ends_with(".safetensors")) return Form::kSafetensors;
  if (base_name(path).find(".ckpt") != std::string_view::npos) return Form::kCheckpoint;
  return std::nullopt;
}

Report convert(const std::string& from, const std::string& to, const Options& options) {
  const auto wanted = options.to ? options.to : form_by_name(to);
  require(wanted.has_value(), "What ", to,
          " is to be cannot be told from its name: say checkpoint, graph, saved_model or "
          "safetensors");
  Report report{.from = form_of(from), .to = *wanted, .left_out = {}};
  if (*wanted == Form::kSafetensors || *wanted == Form::kCheckpoint)
    write_variables(from, to, options, report);
  else
    write_model(from, to, options, report);
  return report;
}

}  // namespace rill::convert
