#include <algorithm>
#include <typeinfo>

#include "rill/api/core/collections.h"
#include "rill/api/core/session.h"
#include "rill/api/estimator/core/as_misuse.h"
#include "rill/api/estimator/core/estimator.h"
#include "rill/api/estimator/core/estimator_input.h"
#include "rill/api/estimator/core/estimator_spec.h"
#include "rill/api/estimator/core/prediction_source.h"
#include "rill/api/logging/tf_logging.h"
#include "rill/api/random/random_seed.h"
#include "rill/api/train/global_step.h"
#include "rill/base/files.h"

namespace rill::estimator {

namespace {

// A model for prediction, in a graph of its own.
struct PredictModel {
  std::shared_ptr<Graph> graph;
  ModelInput input;
  EstimatorSpec spec;
  std::vector<std::string> keys;
  std::vector<Output> fetches;
};

void choose_predictions(PredictModel& model, const std::vector<std::string>& predict_keys) {
  const auto& predictions = model.spec.predictions;
  require(predict_keys.empty() || !predictions.contains(""),
          "predict_keys argument is not valid in case of non-dict predictions.");
  for (const auto& [key, tensor] : predictions) {
    if (!predict_keys.empty() &&
        std::find(predict_keys.begin(), predict_keys.end(), key) == predict_keys.end())
      continue;
    model.keys.push_back(key);
    model.fetches.push_back(tensor);
  }
  if (!model.keys.empty()) return;
  std::vector<std::string> existing;
  for (const auto& [key, tensor] : predictions) existing.push_back(str_cat("'", key, "'"));
  std::vector<std::string> provided;
  for (const std::string& key : predict_keys) provided.push_back(str_cat("'", key, "'"));
  raise(Code::kInvalidArgument, "Expected to run at least one output from dict_keys([",
        join(existing, ", "), "]), provided [", join(provided, ", "), "].");
}

bool is_plain(const train::Scaffold& scaffold) {
  return typeid(scaffold) == typeid(train::Scaffold) && !has_parts(scaffold);
}

// Whether nothing but the graph and the checkpoint decides what the predictions are.
bool may_keep(const PredictModel& model, const PredictOptions& options) {
  if (!options.hooks.empty() || !model.spec.prediction_hooks.empty() ||
      !is_plain(*model.spec.scaffold))
    return false;
  for (const char* collection : {GraphKeys::QUEUE_RUNNERS, GraphKeys::ASSET_FILEPATHS})
    if (!get_collection(collection).empty()) return false;
  std::vector<Node*> run;
  for (const Output& fetch : model.fetches) run.push_back(fetch.node);
  if (model.input.iterator_initializer) run.push_back(model.input.iterator_initializer);
  return leaves_no_trace(run);
}

// What preparing a session says in the log.
void log_preparation(const std::string& checkpoint) {
  logging::info("Graph was finalized.");
  logging::info("Restoring parameters from ", checkpoint);
  logging::info("Running local_init_op.");
  logging::info("Done running local_init_op.");
}

// A session of an earlier prediction with this very graph, or a new one that later ones may use.
std::unique_ptr<Predictions::Source> kept_source(PredictSessions& sessions,
                                                 const PredictModel& model,
                                                 const std::string& checkpoint,
                                                 train::SessionCreatorOptions creator) {
  const CheckpointIdentity identity = identity_of(checkpoint);
  Node* initializer = model.input.iterator_initializer;
  std::vector<Output> fetches = model.fetches;
  auto loan = sessions.borrow(*model.graph, identity);
  if (loan) {
    log_preparation(checkpoint);
    const Graph& graph = *loan->held->graph;
    if (initializer) initializer = &graph.node(initializer->id());
    for (Output& fetch : fetches) fetch.node = &graph.node(fetch.node->id());
  } else {
    auto held = std::make_unique<PredictSession>();
    held->graph = model.graph;
    held->node_count = model.graph->node_count();
    held->collections = collection_names(*model.graph);
    held->checkpoint = identity;
    // No hook of another language sees it.
    creator.open = [](const SessionOptions& config) { return std::make_shared<Session>(config); };
    held->session = train::ChiefSessionCreator(std::move(creator)).create_session();
    loan.emplace(PredictSessions::Loan{std::move(held), {}});
  }
  auto source = std::make_unique<KeptSource>(sessions, std::move(loan->held), std::move(fetches));
  source->begin(initializer, loan->feeds);
  return source;
}

}  // namespace

Predictions Estimator::predict(const InputFn& input_fn, const PredictOptions& options) {
  std::string checkpoint = options.checkpoint_path;
  if (checkpoint.empty()) checkpoint = latest_checkpoint().value_or("");
  if (checkpoint.empty())
    logging::info("Could not find trained model in model_dir: ", model_dir(),
                  ", running initialization to predict.");
  PredictModel model{new_graph_()};
  const AsDefault as_default(model.graph);
  as_misuse([&] {
    set_random_seed(config_.tf_random_seed);
    train::create_global_step();
    model.input = make_input(input_fn, Mode::kPredict, config_);
    warn_of_endless_input(model.input.batch);
    model.input.batch.labels.clear();
    model.spec = call_model_fn(model.input.batch, Mode::kPredict);
    warm_start_unless(!checkpoint.empty());
    choose_predictions(model, options.predict_keys);
  });

  SessionOptions session_config = session_options();
  session_config.target = config_.master;
  train::SessionCreatorOptions creator{.scaffold = model.spec.scaffold,
                                       .config = session_config,
                                       .checkpoint_filename_with_path = checkpoint,
                                       .open = open_};
  std::unique_ptr<Predictions::Source> source;
  if (!checkpoint.empty() && file_exists(checkpoint + ".index") && may_keep(model, options)) {
    source = kept_source(*predict_sessions_, model, checkpoint, std::move(creator));
  } else {
    std::vector<HookRef> hooks = model.input.hooks();
    hooks.insert(hooks.end(), options.hooks.begin(), options.hooks.end());
    hooks.insert(hooks.end(), model.spec.prediction_hooks.begin(),
                 model.spec.prediction_hooks.end());
    source = std::make_unique<MonitoredSource>(
        model.graph,
        train::MonitoredSessionOptions{
            .session_creator = std::make_shared<train::ChiefSessionCreator>(std::move(creator)),
            .hooks = std::move(hooks)},
        model.fetches);
  }
  source->spec = std::move(model.spec);
  source->keys = std::move(model.keys);
  return Predictions(std::move(source));
}

}  // namespace rill::estimator
