#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "rill/api/keras/losses.h"
#include "rill/api/variables/variable.h"
#include "rill/runtime/session/session.h"

namespace rill::data {
class Dataset;
}

namespace rill::keras {

class Model;

// What is gathered about one output: a number for each batch, and over all of them.
struct TrainedMetric {
  std::string name = {};
  std::function<Output(Output y_true, Output y_pred, const std::optional<Output>& weights)> result;
  bool weighted = false;
};

// What one output of a model is trained to.
struct TrainedOutput {
  Output prediction = {};
  std::string name = {};
  LossFunction loss = {};  // none: it is not trained
  Reduction reduction = Reduction::kSumOverBatchSize;
  double loss_weight = 1;
  bool temporal = false;               // sample weights for each step of each example
  std::optional<Output> target = {};   // an existing tensor instead of a placeholder
  std::optional<Output> weights = {};  // what examples count, likewise
  std::vector<TrainedMetric> metrics = {};
};

struct TrainingRequest {
  std::vector<Output> inputs = {};
  std::vector<TrainedOutput> outputs = {};
  std::function<std::vector<Output>()> losses = {};        // of layers: regularization
  std::function<std::vector<Node*>()> updates = {};        // of layers, while training
  std::function<std::vector<Node*>()> state_updates = {};  // of layers, in every run
  std::function<Node*(Output loss)> optimize = {};         // null: nothing to train
  std::vector<std::pair<std::string, Output>> more_metrics = {};
  // The mean of each output's loss, where there are several.
  std::function<Output(const std::string& name, Output loss)> mean_of;
};

// Arrays of examples, along their first dimension. An empty tensor among the weights: all examples
// count alike.
struct Examples {
  std::vector<Tensor> x = {}, y = {}, sample_weights = {};
  std::int64_t count() const;  // throws InvalidArgument when the arrays are of different lengths
  // The first form shares memory, the second copies. Throws InvalidArgument for an index out of
  // range.
  Examples rows(std::int64_t begin, std::int64_t end) const;
  Examples rows(std::span<const std::int64_t> indices) const;
};

// Batches one after the other.
struct Batches {
  std::function<void()> restart = {};                  // from the first one
  std::function<std::optional<Examples>()> next = {};  // nothing behind the last one
  std::optional<std::int64_t> steps = {};  // none: an epoch ends with them, and restarts them
  explicit operator bool() const { return bool(next); }
};

// What a model is validated with: arrays, or batches of a dataset.
struct ValidationData {
  ValidationData(Examples arrays) : arrays(std::move(arrays)) {}
  ValidationData(const data::Dataset& dataset);

  Examples arrays = {};
  std::shared_ptr<const data::Dataset> dataset = {};
};

using Logs = std::vector<std::pair<std::string, double>>;  // in the order of the metrics

// What is told while a model is trained, on the thread that trains. Callbacks derive from it; those
// of FitOptions are not owned. stop_training() is asked after each batch and each epoch. What a
// callback throws ends fit().
class Callback {
 public:
  virtual ~Callback() = default;
  virtual void set_model(Model&) {}  // whose fit() it is used by, before anything else
  virtual void on_train_begin() {}
  virtual void on_train_end() {}
  virtual void on_epoch_begin(std::int64_t) {}
  virtual void on_epoch_end(std::int64_t, const Logs&) {}
  virtual void on_batch_begin(std::int64_t, std::int64_t /*size*/) {}
  virtual void on_batch_end(std::int64_t, std::int64_t /*size*/, const Logs&) {}
  virtual void on_test_begin() {}
  virtual void on_test_end() {}
  virtual void on_test_batch_begin(std::int64_t, std::int64_t /*size*/) {}
  virtual void on_test_batch_end(std::int64_t, std::int64_t /*size*/, const Logs&) {}
  virtual bool stop_training() { return false; }
};

// The numbers of each epoch, by the names of metrics, "val_..." for those of the validation.
struct History {
  std::vector<std::int64_t> epoch = {};
  std::map<std::string, std::vector<double>> history = {};
};

// `epochs` is the number of the last epoch, not how many there are after initial_epoch. The
// validation split is cut from the end, before anything is shuffled. The last batch may be smaller.
struct FitOptions {
  std::int64_t batch_size = 32;
  std::int64_t epochs = 1, initial_epoch = 0;
  int verbose = 0;  // 1: one line for each epoch
  std::vector<Callback*> callbacks = {};
  double validation_split = 0;
  std::optional<ValidationData> validation_data = {};
  std::vector<std::int64_t> validation_epochs = {};  // after which it is validated; empty: all
  std::int64_t validation_freq = 1;
  std::optional<std::int64_t> steps_per_epoch = {}, validation_steps = {};  // batches of datasets
  bool shuffle = true;
  // Brings the numbers of the examples into another order; a generator of the process when empty.
  std::function<void(std::vector<std::int64_t>&)> shuffled = {};
};

// A compiled model: what its runs feed and fetch. Models and Python use it; it holds no session.
// The loss of an epoch is the mean over examples, metrics are what they have gathered.
class Training {
 public:
  // Runs one step; sessions of other languages have their own way.
  using Run = std::function<std::vector<Tensor>(std::span<const Feed>, std::span<const Output>,
                                                std::span<Node* const>)>;
  // Builds targets, losses and metrics. Throws InvalidArgument when no output has a loss and layers
  // have none.
  explicit Training(TrainingRequest request);

  const std::vector<std::string>& metrics_names() const { return names_; }
  Output total_loss() const { return loss_; }
  const std::vector<Output>& results() const { return results_; }  // the loss, then metrics
  const std::vector<Output>& targets() const { return targets_; }
  Node* optimization();  // what training does beside computing; made at the first question
  std::vector<Variable> metric_variables;  // set back when an epoch begins

  // The loss, then metrics. Throws InvalidArgument when there are too few arrays.
  std::vector<double> train_on_batch(const Run& run, const Examples& batch);
  std::vector<double> test_on_batch(const Run& run, const Examples& batch);
  void reset_metrics(const Run& run) const;

  // `validation`: in place of arrays.
  History fit(const Run& run, const Examples& data, const FitOptions& options,
              const Batches& validation = {});
  History fit(const Run& run, const Batches& data, const FitOptions& options,
              const Batches& validation = {});
  std::vector<double> evaluate(const Run& run, const Examples& data, std::int64_t batch_size = 32,
                               const std::vector<Callback*>& callbacks = {});
  std::vector<double> evaluate(const Run& run, const Batches& data,
                               const std::vector<Callback*>& callbacks = {});

 private:
  void add_targets();
  void add_metrics();
  void add_losses();
  std::vector<Feed> feeds(const Examples& batch, bool training) const;
  Logs logs(const std::vector<double>& values, const char* prefix = "") const;
  struct Epoch;
  Epoch epoch_of(const Run& run, const Batches& data, const FitOptions& options);

  TrainingRequest request_;
  std::vector<Output> targets_, weights_;  // of the outputs with a loss
  std::vector<Output> results_;            // the loss, then metrics
  std::vector<std::string> names_;
  Output loss_;
  std::optional<Node*> optimization_;
  std::vector<Node*> state_updates_;
};

// The same of batches, which need no truths.
std::vector<Tensor> predict(const Training::Run& run, const std::vector<Output>& inputs,
                            const std::vector<Output>& outputs, const Batches& batches);
// What inputs become, batch by batch; `each` is told the number and the size of every batch.
std::vector<Tensor> predict(const Training::Run& run, const std::vector<Output>& inputs,
                            const std::vector<Output>& outputs, std::span<Node* const> updates,
                            const std::vector<Tensor>& x, std::int64_t batch_size = 32,
                            const std::function<void(std::int64_t, std::int64_t)>& each = {});

// Gives all variables of the default graph that have none their initial values; those in `known`
// have one, and so have all afterwards.
void initialize_variables(const Training::Run& run, std::set<const VariableState*>& known);

}  // namespace rill::keras
