// Estimator's SavedModels.
#include "rill/api/estimator/core/estimator.h"
#include "rill/api/estimator/export/export_directory.h"
#include "rill/api/estimator/export/export_output.h"
#include "rill/api/io/gfile.h"
#include "rill/api/random/random_seed.h"
#include "rill/api/saver/checkpoint_state.h"
#include "rill/api/saver/saved_model_builder.h"
#include "rill/api/train/global_step.h"
#include "rill/api/train/misuse.h"
#include "rill/base/durable_files.h"

namespace rill::estimator {
namespace {

constexpr const char* kTrainOpCollection = "saved_model_train_op";

const char* tag_of(Mode mode) {
  switch (mode) {
    case Mode::kTrain:
      return "train";
    case Mode::kEval:
      return "eval";
    default:
      return "serve";
  }
}

std::string checkpoint_of(const Estimator& model, const std::string& wanted) {
  if (!wanted.empty()) return wanted;
  if (const auto latest = model.latest_checkpoint()) return *latest;
  if (!model.warm_start_settings())
    train::misuse(Code::kInvalidArgument, "Couldn't find trained model at ", model.model_dir(),
                  ".");
  const std::string& path = model.warm_start_settings()->ckpt_to_initialize_from;
  if (!gfile::IsDirectory(path)) return path;
  return train::latest_checkpoint(path).value_or(path);
}

void restore(train::Saver& saver, Session& session, const std::string& checkpoint, Mode mode) {
  try {
    saver.restore(session, checkpoint);
  } catch (const Error& error) {
    if (error.code() != Code::kNotFound) throw;
    train::misuse(
        Code::kInvalidArgument,
        "Could not load all requested variables from checkpoint. Please make sure your model_fn "
        "does not expect variables that were not saved in the checkpoint.\n\nEncountered error "
        "with mode `",
        mode_key(mode), "` while restoring checkpoint from: `", checkpoint,
        "`. Full Traceback:\n\n", error.message());
  }
}

// One graph of a model that is being written.
struct GraphExport {
  const Estimator& model;
  const std::string& checkpoint;
  const ExportModelOptions& options;

  void add(saved_model::Builder& builder, Mode mode, const InputReceiverFn& receive,
           bool with_variables) const {
    const AsDefault graph(make_graph());
    train::create_global_step();
    set_random_seed(model.config().tf_random_seed);
    const InputReceiver receiver = receive();
    const EstimatorSpec spec = model.call_model_fn(receiver.batch, mode);
    saved_model::MetaGraphOptions parts{
        .signature_def_map =
            build_all_signature_defs(receiver, export_outputs_of(spec), mode == Mode::kPredict),
        .strip_default_attrs = options.strip_default_attrs};
    Session session(default_graph(), model.session_options());
    const Runnable given = spec.scaffold ? spec.scaffold->local_init_op() : Runnable();
    parts.main_op = given ? &given.node() : &train::Scaffold::default_local_init_op();
    if (spec.scaffold) parts.saver = spec.scaffold->saver();
    if (!parts.saver)
      parts.saver = std::make_shared<train::Saver>(train::SaverOptions{.sharded = true});
    restore(*parts.saver, session, checkpoint, mode);
    if (spec.train_op)
      spec.train_op.is_operation() ? add_to_collection(kTrainOpCollection, &spec.train_op.node())
                                   : add_to_collection(kTrainOpCollection, spec.train_op.tensor());
    parts.assets = get_tensor_collection(GraphKeys::ASSET_FILEPATHS);
    if (with_variables)
      builder.add_meta_graph_and_variables(session, {tag_of(mode)}, parts);
    else
      builder.add_meta_graph({tag_of(mode)}, parts);
  }
};

}  // namespace

std::string Estimator::experimental_export_all_saved_models(
    const std::string& export_dir_base,
    const std::map<Mode, InputReceiverFn>& input_receiver_fn_map,
    const ExportModelOptions& options) {
  const std::string checkpoint = checkpoint_of(*this, options.checkpoint_path);
  if (input_receiver_fn_map.empty())
    train::misuse(Code::kInvalidArgument, "No valid modes for exporting found. Got {}.");
  const std::string directory = get_timestamped_export_dir(export_dir_base);
  const std::string unfinished = get_temp_export_dir(directory);
  saved_model::Builder builder(unfinished);
  const GraphExport graphs{*this, checkpoint, options};
  // The first one brings the variables: training has all that there are.
  bool with_variables = true;
  for (const auto& [mode, receive] : input_receiver_fn_map) {
    graphs.add(builder, mode, receive, with_variables);
    with_variables = false;
  }
  builder.save(options.as_text);
  copy_extra_assets(unfinished, options.assets_extra);
  gfile::Rename(unfinished, directory);
  sync_parent(directory);
  return directory;
}

std::string Estimator::export_saved_model(const std::string& export_dir_base,
                                          const InputReceiverFn& serving_input_receiver_fn,
                                          const ExportModelOptions& options, Mode mode) {
  require(bool(serving_input_receiver_fn), "An input_receiver_fn must be defined.");
  return experimental_export_all_saved_models(export_dir_base, {{mode, serving_input_receiver_fn}},
                                              options);
}

}  // namespace rill::estimator
