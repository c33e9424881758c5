#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rill/api/estimator/core/run_config.h"
#include "rill/api/estimator/core/warm_start_settings.h"
#include "rill/api/estimator/input/model.h"
#include "rill/api/training/checkpoint_saver_hook.h"
#include "rill/api/training/session_creator.h"

namespace rill::estimator {

class PredictSessions;
// What a served model is given; input_receiver.h.
struct InputReceiver;
using InputReceiverFn = std::function<InputReceiver()>;
using train::ListenerRef;
using Values = std::map<std::string, Tensor>;

void add_saver_to_collection(const train::SaverOptions& options);

struct EstimatorOptions {
  std::string model_dir = {};  // "": the configuration's
  std::optional<RunConfig> config = {};
  std::optional<WarmStartSettings> warm_start_from = {};
  // How another language opens its sessions, makes its graphs, adds a Saver to the default graph's
  // collection and shows the configuration.
  train::OpenSession open = {};
  std::function<std::shared_ptr<Graph>()> new_graph = make_graph;
  std::function<void(const train::SaverOptions&)> add_saver = add_saver_to_collection;
  std::string config_text = {};
};
// Numbers of steps must be positive. With max_steps a second call that finds a checkpoint of that
// step does nothing; with steps it trains as many more.
struct TrainOptions {
  std::vector<HookRef> hooks = {};
  // At most one of the two; none: until the input ends.
  std::optional<std::int64_t> steps = {};
  std::optional<std::int64_t> max_steps = {};  // counted from the first training on
  std::vector<ListenerRef> saving_listeners = {};
  // Whether a hook of another language saves checkpoints; it is given the listeners then.
  std::function<bool(const EstimatorSpec& spec)> saves_itself = {};
};
struct EvaluateOptions {
  std::optional<std::int64_t> steps = {};  // none: until the input ends
  std::vector<HookRef> hooks = {};
  std::string checkpoint_path = {};  // "": the latest
  std::string name = {};             // tells evaluations on several sets of data apart
};
// A model that is ready to be evaluated.
struct BuiltEvaluation {
  std::shared_ptr<Graph> graph = {};
  Runnable update_op = {};  // counts a batch
  Output counted = {};      // how many were counted
  std::vector<std::string> names = {};
  std::vector<Runnable> values = {};  // of the metrics at the end
  std::vector<HookRef> hooks = {};
  ScaffoldRef scaffold = {};
};
struct PredictOptions {
  std::vector<std::string> predict_keys = {};  // none: all
  std::vector<HookRef> hooks = {};
  std::string checkpoint_path = {};  // "": the latest
};
struct ExportModelOptions {
  std::map<std::string, std::string> assets_extra = {};  // where to -> the file
  bool as_text = false;
  std::string checkpoint_path = {};  // "": the latest
  bool strip_default_attrs = true;
};

// Predictions in the order of the input, computed when they are asked for. Lives no longer than its
// estimator. For one thread.
class Predictions {
 public:
  struct Source;
  explicit Predictions(std::shared_ptr<Source> source);
  ~Predictions();
  Predictions(Predictions&&) noexcept;
  Predictions(const Predictions&) = delete;

  // Those of the next batch; none at the end.
  std::optional<Values> next_batch();
  // Those of the next example. Throws InvalidArgument where the predictions of a batch differ in
  // how many examples they are of.
  std::optional<Values> next();
  void close();  // ends the session; called by the destructor, too

  const EstimatorSpec& spec() const;

 private:
  std::shared_ptr<Source> source_;
  std::optional<Values> batch_;
  std::int64_t row_ = 0, rows_ = 0;
};

// A model together with how it is trained, evaluated and used. Everything it learns is in the
// checkpoints of its model_dir; each call builds the model anew, in a graph of its own, and goes on
// from the latest checkpoint.
//
//   estimator::Estimator model(model_fn, {.model_dir = "models/first"});
//   model.train(input_fn, {.steps = 1000});
//   auto metrics = model.evaluate(eval_input_fn);
//
// What is wrong with arguments, the input function or the model function throws train::Misuse, an
// Error of the code that the mistake has, mostly InvalidArgument. What fails in a step is thrown as
// it is.
class Estimator {
 public:
  // Throws InvalidArgument where the options contradict each other, or there is no model function.
  // Without a model_dir a temporary directory is made, which is not deleted.
  explicit Estimator(ModelFn model_fn, EstimatorOptions options = {});
  virtual ~Estimator();
  Estimator(const Estimator&) = delete;
  Estimator& operator=(const Estimator&) = delete;

  const std::string& model_dir() const { return config_.model_dir; }
  const RunConfig& config() const { return config_; }
  const std::optional<WarmStartSettings>& warm_start_settings() const { return warm_start_; }
  const ModelFn& model_fn() const { return model_fn_; }

  // Of the latest checkpoint; InvalidArgument where there is none, NotFound for an unknown name.
  std::vector<std::string> get_variable_names() const;
  Tensor get_variable_value(const std::string& name) const;
  std::optional<std::string> latest_checkpoint() const;
  // model_dir/eval, or eval_NAME.
  std::string eval_dir(const std::string& name = {}) const;

  // Trains until the steps are done, the input ends or a hook stops it, and saves a checkpoint at
  // the end, unless the configuration saves none. A loss of NaN ends it with an error. Throws
  // InvalidArgument for both of steps and max_steps, and in processes that TF_CONFIG makes
  // evaluators or parameter servers.
  Estimator& train(const InputFn& input_fn, const TrainOptions& options = {});
  // The metrics, the mean loss as "loss", and "global_step". They are written to eval_dir(), too.
  // Without a checkpoint the model is evaluated as it is initialised; the log says so. Throws
  // InvalidArgument where the model has metrics of these two names.
  Values evaluate(const InputFn& input_fn, const EvaluateOptions& options = {});
  // Labels of the input are not looked at. Without a checkpoint as evaluate(). Sessions are kept
  // for later calls with the same graph. Throws InvalidArgument for predict_keys of which the model
  // has none.
  Predictions predict(const InputFn& input_fn, const PredictOptions& options = {});

  // The two halves of evaluate(): the model in a graph of its own, and a run of it with the values
  // of a checkpoint (""; those it begins with) after which, as a model is initialised, `init_fn`
  // may give variables others. The second half may be called again.
  BuiltEvaluation build_evaluation(const InputFn& input_fn, const EvaluateOptions& options,
                                   bool has_checkpoint);
  Values run_evaluation(const BuiltEvaluation& evaluation, const EvaluateOptions& options,
                        const std::string& checkpoint, std::function<void(Session&)> init_fn = {});

  // The path of the SavedModel, a new directory below `export_dir_base` that is named after the
  // time. It appears under that name when it is complete. Throws InvalidArgument without a
  // checkpoint or a receiver function.
  std::string export_saved_model(const std::string& export_dir_base,
                                 const InputReceiverFn& serving_input_receiver_fn,
                                 const ExportModelOptions& options = {},
                                 Mode mode = Mode::kPredict);
  std::string experimental_export_all_saved_models(
      const std::string& export_dir_base,
      const std::map<Mode, InputReceiverFn>& input_receiver_fn_map,
      const ExportModelOptions& options = {});

  // The model in the default graph, checked; says so in the log.
  EstimatorSpec call_model_fn(const InputBatch& batch, Mode mode) const;
  // What sessions are opened with.
  SessionOptions session_options() const { return session_options_of(config_); }

 private:
  friend struct Predictions::Source;

  std::string required_checkpoint() const;  // throws InvalidArgument where there is none
  void warm_start_unless(bool has_checkpoint) const;
  void check_training(const TrainOptions& options) const;
  std::vector<HookRef> training_hooks(const EstimatorSpec& spec, std::vector<HookRef> first) const;
  HookRef checkpoint_saver(const EstimatorSpec& spec, const std::vector<HookRef>& worker_hooks,
                           const TrainOptions& train) const;
  // Adds what training needs besides the model, and gives the hooks of the chief.
  std::vector<HookRef> complete_for_training(const EstimatorSpec& spec,
                                             std::vector<HookRef>& worker_hooks,
                                             const TrainOptions& options) const;
  // The last loss; none where there was no step.
  Tensor train_with(const EstimatorSpec& spec, std::vector<HookRef> worker_hooks,
                    const TrainOptions& options);

  ModelFn model_fn_;
  RunConfig config_;
  std::optional<WarmStartSettings> warm_start_;
  train::OpenSession open_;
  std::function<std::shared_ptr<Graph>()> new_graph_;
  std::function<void(const train::SaverOptions&)> add_saver_;
  DeviceFunction device_fn_;
  std::shared_ptr<PredictSessions> predict_sessions_;
};

// Where an estimator with this configuration keeps its model: a new temporary directory where
// neither says. Throws InvalidArgument where both do and differ.
std::string model_dir_of(const RunConfig& config, const std::string& model_dir);

}  // namespace rill::estimator
