#include "rill/api/keras/model.h"

#include <algorithm>

#include "rill/api/core/basic_ops.h"
#include "rill/api/keras/dataset_batches.h"
#include "rill/api/keras/model_files.h"
#include "rill/base/error.h"
#include "rill/base/text.h"

namespace rill::keras {
namespace {

rill::layers::LayerOptions model_options(const std::string& name) {
  rill::layers::LayerOptions options;
  options.name = name;
  options.style = rill::layers::Style::kOwned;
  return options;
}

}  // namespace

OptimizerChoice::OptimizerChoice(const char* name) : optimizer(optimizers::make(name)) {}
OptimizerChoice::OptimizerChoice(const std::string& name) : optimizer(optimizers::make(name)) {}
MetricChoice::MetricChoice(const char* name) : name(name) {}
MetricChoice::MetricChoice(std::string name) : name(std::move(name)) {}
MetricChoice::MetricChoice(MetricRef metric) : metric(std::move(metric)) {}
LossChoice::LossChoice(const char* name) : all{Loss(name)} {}
LossChoice::LossChoice(const std::string& name) : all{Loss(name)} {}
LossChoice::LossChoice(Loss loss) : all{std::move(loss)} {}
LossChoice::LossChoice(std::vector<Loss> each) : all(std::move(each)) {}

Model::Model(Output input, Output output, const std::string& name)
    : Model(std::vector<Output>{input}, std::vector<Output>{output}, name) {}
Model::~Model() = default;

std::vector<rill::layers::Layer*> Model::layers() const { return network_.layers(); }

Model::Model(std::string class_name, const std::string& name)
    : KerasLayer(std::move(class_name), model_options(name)) {
  supports_masking = true;
}

Model::Model(std::vector<Output> inputs, std::vector<Output> outputs, const std::string& name)
    : Model("Model", name) {
  connect(std::move(inputs), std::move(outputs));
}

void Model::connect(std::vector<Output> inputs, std::vector<Output> outputs) {
  network_ = Network(std::move(inputs), std::move(outputs));
  for (rill::layers::Layer* layer : network_.layers())
    if (const auto held = layer->weak_from_this().lock()) add_layer(held);
  built = true;
}

rill::layers::Layer& Model::get_layer(const std::string& name) const {
  for (rill::layers::Layer* layer : layers())
    if (layer->name() == name) return *layer;
  raise(Code::kInvalidArgument, "No such layer: ", name);
}

std::vector<Output> Model::call_all(const std::vector<Output>& inputs,
                                    const rill::layers::CallArguments& arguments) {
  return network_.run(inputs, arguments);
}

// --- training ------------------------------------------------------------------------------------

void Model::compile(const CompileOptions& options) {
  require(!outputs().empty(), "the model has no outputs yet; say the shape of its input first");
  const auto& losses = options.loss.all;
  require(losses.size() == 1 || losses.size() == outputs().size(), "the model has ",
          outputs().size(), " outputs and was given ", losses.size(), " losses");
  require(options.loss_weights.empty() || options.loss_weights.size() == outputs().size(),
          "the model has ", outputs().size(), " outputs and was given ",
          options.loss_weights.size(), " weights");
  compiled_ = std::make_shared<const CompileOptions>(options);
  optimizer_ = options.optimizer.optimizer;
  metrics_.clear();
  TrainingRequest request;
  request.inputs = inputs();
  for (std::size_t i = 0; i < outputs().size(); ++i) {
    const keras::Loss& loss = losses[losses.size() == 1 ? 0 : i];
    const Output prediction = outputs()[i];
    const std::string name = rill::layers::made_by(prediction).layer->name();
    TrainedOutput out{.prediction = prediction,
                      .name = name,
                      .loss = loss.of,
                      .reduction = loss.reduction,
                      .loss_weight = options.loss_weights.empty() ? 1 : options.loss_weights[i]};
    for (const MetricChoice& choice : options.metrics) {
      const MetricRef metric = choice.metric
                                   ? choice.metric
                                   : metrics::for_output(choice.name, prediction, {}, loss.name);
      metrics_.push_back(metric);
      out.metrics.push_back(
          {.name = outputs().size() > 1 ? name + "_" + metric->name() : metric->name(),
           .result = [metric](Output y_true, Output y_pred, const std::optional<Output>& w) {
             return (*metric)({y_true, y_pred}, w);
           }});
    }
    request.outputs.push_back(std::move(out));
  }
  std::map<std::string, MetricRef> means;
  if (outputs().size() > 1)
    for (const TrainedOutput& out : request.outputs) {
      means[out.name + "_loss"] = metrics::make("Mean", {.name = out.name + "_loss"});
      metrics_.push_back(means[out.name + "_loss"]);
    }
  request.mean_of = [means](const std::string& name, Output loss) {
    return (*means.at(name))({loss});
  };
  // What layers have added for other inputs than the model's is of no concern here.
  request.losses = [this] {
    std::vector<Output> all = losses_for({});
    const std::vector<Output> own = losses_for(inputs());
    all.insert(all.end(), own.begin(), own.end());
    return all;
  };
  request.updates = [this] {
    std::vector<Node*> all = updates_for({});
    const std::vector<Node*> own = updates_for(inputs());
    all.insert(all.end(), own.begin(), own.end());
    return all;
  };
  request.optimize = [this](Output loss) -> Node* {
    const std::vector<Variable> weights = trainable_weights();
    return weights.empty() ? nullptr : &optimizer_->get_updates(loss, weights);
  };
  training_ = std::make_shared<Training>(std::move(request));
  for (const MetricRef& metric : metrics_)
    for (const Variable& variable : metric->variables())
      training_->metric_variables.push_back(variable);
}

Training& Model::training() {
  if (!training_)
    raise(Code::kFailedPrecondition,
          "You must compile your model before training/testing. Use `model.compile(...)`.");
  return *training_;
}

void Model::use_session(std::shared_ptr<Session> session) {
  session_ = std::move(session);
  initialized_.clear();
}

Session& Model::session() {
  if (!session_) session_ = std::make_shared<Session>(default_graph());
  return *session_;
}

Training::Run Model::runner() {
  const Training::Run step = [&session = session()](std::span<const Feed> feeds,
                                                    std::span<const Output> fetches,
                                                    std::span<Node* const> targets) {
    return session.run(feeds, fetches, targets);
  };
  initialize_variables(step, initialized_);
  return step;
}

History Model::fit(const Tensor& x, const Tensor& y, const FitOptions& options) {
  return fit(Examples{{x}, {y}, {}}, options);
}
History Model::fit(const Examples& data, const FitOptions& options) {
  connect_for(data.x);
  training().optimization();
  for (Callback* callback : options.callbacks) callback->set_model(*this);
  std::optional<DatasetBatches> validation;
  if (options.validation_data && options.validation_data->dataset)
    validation.emplace(*options.validation_data->dataset, inputs().size(), outputs().size(),
                       session());
  const Batches validating = validation ? validation->batches(options.validation_steps) : Batches();
  return training().fit(runner(), data, options, validating);
}
std::vector<double> Model::evaluate(const Tensor& x, const Tensor& y, std::int64_t batch_size) {
  return evaluate(Examples{{x}, {y}, {}}, batch_size);
}
std::vector<double> Model::evaluate(const Examples& data, std::int64_t batch_size) {
  connect_for(data.x);
  return training().evaluate(runner(), data, batch_size);
}
Tensor Model::predict(const Tensor& x, std::int64_t batch_size) {
  return predict(std::vector<Tensor>{x}, batch_size).at(0);
}
std::vector<Tensor> Model::predict(const std::vector<Tensor>& x, std::int64_t batch_size) {
  connect_for(x);
  return keras::predict(runner(), inputs(), outputs(), {}, x, batch_size);
}
std::vector<double> Model::train_on_batch(const Examples& batch) {
  connect_for(batch.x);
  training().optimization();
  return training().train_on_batch(runner(), batch);
}
std::vector<double> Model::test_on_batch(const Examples& batch) {
  connect_for(batch.x);
  return training().test_on_batch(runner(), batch);
}
void Model::make_train_function() {
  training().optimization();
  runner();
}
void Model::save(const std::string& filepath, bool include_optimizer) {
  save_model(*this, filepath, {.include_optimizer = include_optimizer});
}
std::string Model::to_json() const { return keras::to_json(*this); }

// --- batches of datasets -------------------------------------------------------------------------

History Model::fit(const data::Dataset& dataset, const FitOptions& options) {
  training().optimization();
  for (Callback* callback : options.callbacks) callback->set_model(*this);
  const DatasetBatches batches(dataset, inputs().size(), outputs().size(), session());
  std::optional<DatasetBatches> validation;
  if (options.validation_data && options.validation_data->dataset)
    validation.emplace(*options.validation_data->dataset, inputs().size(), outputs().size(),
                       session());
  const Batches validating = validation ? validation->batches(options.validation_steps) : Batches();
  return training().fit(runner(), batches.batches(options.steps_per_epoch), options, validating);
}
std::vector<double> Model::evaluate(const data::Dataset& dataset,
                                    std::optional<std::int64_t> steps) {
  const DatasetBatches batches(dataset, inputs().size(), outputs().size(), session());
  return training().evaluate(runner(), batches.batches(steps));
}
std::vector<Tensor> Model::predict(const data::Dataset& dataset,
                                   std::optional<std::int64_t> steps) {
  const DatasetBatches batches(dataset, inputs().size(), 0, session());
  return keras::predict(runner(), inputs(), outputs(), batches.batches(steps));
}

const std::vector<std::string>& Model::metrics_names() { return training().metrics_names(); }

// --- weights -------------------------------------------------------------------------------------

std::vector<Variable> Model::model_weights() const {
  std::vector<Variable> all;
  for (rill::layers::Layer* layer : layers())
    for (const Variable& variable : layer->weights())
      if (std::ranges::find(all, variable) == all.end()) all.push_back(variable);
  return all;
}

std::vector<Tensor> Model::get_weights() {
  std::vector<Output> values;
  for (const Variable& variable : model_weights()) values.push_back(variable.snapshot());
  return values.empty() ? std::vector<Tensor>() : runner()({}, values, {});
}

void Model::set_weights(const std::vector<Tensor>& values) {
  const std::vector<Variable> all = model_weights();
  require(all.size() == values.size(), "the model has ", all.size(), " weights and was given ",
          values.size());
  const Training::Run step = runner();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Output value = placeholder(all[i].dtype(), all[i].shape());
    Node* const assignment = &all[i].assign_op(value);
    const Feed feed{value, values[i]};
    step(std::span(&feed, 1), {}, std::span(&assignment, 1));
  }
}

std::string Model::summary() const {
  std::string text = str_cat("Model: \"", name(), "\"\n");
  std::int64_t trained = 0, all = 0;
  for (rill::layers::Layer* layer : layers()) {
    const std::int64_t count = layer->built ? layer->count_params() : 0;
    text += str_cat(layer->name(), " (", layer->class_name(), ") ",
                    layer->calls().empty() ? std::string("?")
                                           : to_text(layer->calls()[0].outputs.at(0).shape()),
                    " ", count, "\n");
  }
  for (const Variable& variable : model_weights()) all += variable.shape().full().element_count();
  for (const Variable& variable : trainable_weights())
    trained += variable.shape().full().element_count();
  return text + str_cat("Total params: ", all, "\nTrainable params: ", trained,
                        "\nNon-trainable params: ", all - trained, "\n");
}

// --- sequences of layers -------------------------------------------------------------------------

Sequential::Sequential(const std::vector<LayerRef>& layers, const std::string& name)
    : Model("Sequential", name) {
  for (const LayerRef& layer : layers) add(layer);
}

void Sequential::add(const LayerRef& layer) {
  require(layer.layer != nullptr, "there is no layer to add");
  stack_.push_back(layer);
  add_layer(layer.layer);
  if (first_.node) {
    extend(layer);
    connect({first_}, {last_});
  } else if (layer.input_shape && stack_.size() == 1) {
    first_ = last_ = input(*layer.input_shape, {.name = layer->name() + "_input"});
    extend(layer);
    connect({first_}, {last_});
  }
}

void Sequential::extend(const LayerRef& layer) { last_ = layer(last_); }

void Sequential::build(const PartialShape& shape) {
  if (first_.node) return;
  require(!stack_.empty(), "the model has no layers");
  require(shape.rank() > 0, "the shape of the input must be known");
  first_ = last_ = input(PartialShape(shape.dims().subspan(1)),
                         {.batch_size = shape.dim(0), .name = stack_[0]->name() + "_input"});
  for (const LayerRef& layer : stack_) extend(layer);
  connect({first_}, {last_});
}

void Sequential::connect_for(const std::vector<Tensor>& x) {
  if (first_.node || x.empty() || x[0].rank() == 0) return;
  std::vector<std::int64_t> sizes(x[0].shape().dims().begin(), x[0].shape().dims().end());
  sizes[0] = -1;
  build(PartialShape(std::span<const std::int64_t>(sizes)));
}

std::vector<rill::layers::Layer*> Sequential::layers() const {
  std::vector<rill::layers::Layer*> all;
  for (const LayerRef& layer : stack_) all.push_back(layer.layer.get());
  return all;
}

}  // namespace rill::keras
