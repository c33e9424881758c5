#pragma once

#include <iosfwd>
#include <memory>
#include <set>

#include "rill/api/keras/layers.h"
#include "rill/api/keras/metrics.h"
#include "rill/api/keras/optimizer.h"
#include "rill/api/keras/training.h"

namespace rill::data {
class Dataset;
}

namespace rill::keras {

// Arguments that may be given by name.
struct OptimizerChoice {
  OptimizerChoice(const char* name);
  OptimizerChoice(const std::string& name);
  OptimizerChoice(OptimizerRef optimizer) : optimizer(std::move(optimizer)) {}
  OptimizerRef optimizer = {};
};
struct MetricChoice {
  MetricChoice(const char* name);
  MetricChoice(std::string name);
  MetricChoice(MetricRef metric);
  std::string name = {};
  MetricRef metric = {};
};
struct LossChoice {
  LossChoice() = default;
  LossChoice(const char* name);
  LossChoice(const std::string& name);
  LossChoice(Loss loss);
  LossChoice(std::vector<Loss> each);
  std::vector<Loss> all = {};  // one, or one for each output
};

// One loss serves all outputs. Weights of losses go by output; the total is their weighted sum and
// the losses of layers.
struct CompileOptions {
  OptimizerChoice optimizer = "rmsprop";
  LossChoice loss = {};
  std::vector<MetricChoice> metrics = {};  // of every output
  std::vector<double> loss_weights = {};   // ones
};

// A network that can be trained. It runs in a session of its own, unless it is given one.
//
//   keras::Sequential model({layers::Dense(16, {.activation = "relu", .input_shape = {{4}}}),
//                            layers::Dense(3, {.activation = "softmax"})});
//   model.compile({.optimizer = "adam", .loss = "sparse_categorical_crossentropy"});
//   model.fit(x, y, {.epochs = 2});
//
// Variables get their initial values before the first run. A model is a layer, too, and can be
// called on tensors, with the same weights. Not for several threads at once.
class Model : public KerasLayer {
 public:
  Model(std::vector<Output> inputs, std::vector<Output> outputs, const std::string& name = {});
  Model(Output input, Output output, const std::string& name = {});
  ~Model() override;

  const Network& network() const { return network_; }
  const std::vector<Output>& inputs() const { return network_.inputs(); }
  const std::vector<Output>& outputs() const { return network_.outputs(); }
  virtual std::vector<rill::layers::Layer*> layers() const;
  rill::layers::Layer& get_layer(const std::string& name) const;  // throws InvalidArgument: no such
  std::vector<Output> call_all(const std::vector<Output>& inputs,
                               const rill::layers::CallArguments& arguments) override;

  // Builds the loss and metrics; the training op comes with the first fit(). May be called again,
  // which keeps the weights. Throws InvalidArgument when losses or weights do not go with the
  // outputs, or a Sequential does not know the shape of its input yet.
  void compile(const CompileOptions& options);
  // Trains for options.epochs - initial_epoch epochs. These, evaluate() and the ..._on_batch()
  // throw FailedPrecondition before compile(), InvalidArgument when arrays have different numbers
  // of examples or none, or a batch size is not positive, and what steps throw.
  History fit(const Tensor& x, const Tensor& y, const FitOptions& options = {});
  History fit(const Examples& data, const FitOptions& options = {});
  // The loss and the metrics, as metrics_names() calls them.
  std::vector<double> evaluate(const Tensor& x, const Tensor& y, std::int64_t batch_size = 32);
  std::vector<double> evaluate(const Examples& data, std::int64_t batch_size = 32);
  // The outputs, in batches that are joined again; needs no compile().
  Tensor predict(const Tensor& x, std::int64_t batch_size = 32);
  std::vector<Tensor> predict(const std::vector<Tensor>& x, std::int64_t batch_size = 32);
  // One step each; the numbers are those of metrics_names(). Metrics gather: nothing sets them back
  // here.
  std::vector<double> train_on_batch(const Examples& batch);
  std::vector<double> test_on_batch(const Examples& batch);
  // The same of batches from a dataset: an element has the inputs, then the truths, then weights
  // where there are some. An epoch is options.steps_per_epoch batches or, where that is not said,
  // the dataset from its start to its end; options.batch_size does not count.
  History fit(const data::Dataset& dataset, const FitOptions& options = {});
  std::vector<double> evaluate(const data::Dataset& dataset,
                               std::optional<std::int64_t> steps = {});
  std::vector<Tensor> predict(const data::Dataset& dataset, std::optional<std::int64_t> steps = {});
  const std::vector<std::string>& metrics_names();
  const CompileOptions* compile_options() const { return compiled_.get(); }  // null before it
  // The training op and the optimizer's variables, which otherwise the first fit() makes.
  void make_train_function();

  // The whole model in an HDF5 file: see save_model() and load_model(). to_json: without weights.
  void save(const std::string& filepath, bool include_optimizer = true);
  std::string to_json() const;

  std::vector<Variable> model_weights() const;  // layer by layer
  std::vector<Tensor> get_weights();
  // In the order of model_weights(). Throws InvalidArgument for another number of values; those
  // before a value of the wrong shape are set already.
  void set_weights(const std::vector<Tensor>& values);
  std::string summary() const;                                  // one line for each layer
  const OptimizerRef& optimizer() const { return optimizer_; }  // null before compile()
  // To and from files that TensorFlow reads and writes, too: HDF5 where the name ends with ".h5",
  // ".hdf5" or ".keras", else a checkpoint, which has the state of the optimizer as well. Throws
  // InvalidArgument when file and model do not go together.
  void save_weights(const std::string& filepath);
  void load_weights(const std::string& filepath);

  // Shared with the caller, whose graph must be the model's. All variables without a value there
  // are initialised by the next run.
  void use_session(std::shared_ptr<Session> session);
  Session& session();

 protected:
  Model(std::string class_name, const std::string& name);
  void connect(std::vector<Output> inputs, std::vector<Output> outputs);
  virtual void connect_for(const std::vector<Tensor>&) {}  // before data is used

 private:
  Training& training();
  Training::Run runner();  // with all variables initialised

  Network network_;
  std::shared_ptr<Training> training_;
  std::shared_ptr<const CompileOptions> compiled_;
  OptimizerRef optimizer_;
  std::vector<MetricRef> metrics_;
  std::shared_ptr<Session> session_;
  std::set<const VariableState*> initialized_;
};

// Layers one after the other. The first says the shape of its input, or build() or the first data
// does.
class Sequential : public Model {
 public:
  explicit Sequential(const std::vector<LayerRef>& layers = {}, const std::string& name = {});
  void add(const LayerRef& layer);
  void build(const PartialShape& input) override;  // with the number of examples
  std::vector<rill::layers::Layer*> layers() const override;

 private:
  void connect_for(const std::vector<Tensor>& x) override;
  void extend(const LayerRef& layer);
  std::vector<LayerRef> stack_;
  Output first_, last_;
};

}  // namespace rill::keras
