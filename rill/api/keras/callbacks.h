#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rill/api/keras/model.h"

namespace rill::summaries {
class FileWriter;
}

// tf.keras.callbacks, for FitOptions::callbacks. A callback is used by one fit() at a time; those
// that are told of the model act on it.
//
//   EarlyStopping early({.patience = 3, .restore_best_weights = true});
//   model.fit(x, y, {.epochs = 100, .callbacks = {&early}, .validation_split = 0.2});
namespace rill::keras::callbacks {

using keras::Callback;
using keras::History;

// The numbers of a monitored metric, and whether one is better than another. mode: "min", "max", or
// "auto", which is max for names with "acc" in them.
class Monitor {
 public:
  Monitor(std::string metric, const std::string& mode, double min_delta);
  std::optional<double> value(const Logs& logs) const;  // none where it is not among the logs
  bool improves(double current) const;
  void begin(std::optional<double> baseline = {});
  double best = 0;

 private:
  std::string metric_;
  double min_delta_;
  bool greater_;
};

// Gives the learning rate of a model another value, with one operation for all times.
class RateSetter {
 public:
  void set(Model& model, double rate);

 private:
  Variable variable_;
  Output fed_;
  Node* assignment_ = nullptr;
};

struct EarlyStoppingOptions {
  std::string monitor = "val_loss";
  double min_delta = 0;
  std::int64_t patience = 0;  // so many epochs without improvement end training
  std::string mode = "auto";
  std::optional<double> baseline{};
  bool restore_best_weights = false;
};
class EarlyStopping : public Callback {
 public:
  explicit EarlyStopping(const EarlyStoppingOptions& options = {});
  void set_model(Model& model) override { model_ = &model; }
  void on_train_begin() override;
  void on_epoch_end(std::int64_t epoch, const Logs& logs) override;
  bool stop_training() override { return stopped_; }
  std::int64_t stopped_epoch = 0;  // 0 where training was not stopped

 private:
  EarlyStoppingOptions options_;
  Monitor monitor_;
  Model* model_ = nullptr;
  std::int64_t wait_ = 0;
  bool stopped_ = false;
  std::vector<Tensor> best_weights_;
};

struct ModelCheckpointOptions {
  std::string monitor = "val_loss";
  bool save_best_only = false;
  std::string mode = "auto";
  std::int64_t period = 1;  // every so many epochs
};
// Saves the weights behind epochs. `filepath` may name the epoch and metrics, as in
// "weights.{epoch:02d}-{val_loss:.2f}.h5"; save_weights() says what the ending means.
class ModelCheckpoint : public Callback {
 public:
  explicit ModelCheckpoint(std::string filepath, const ModelCheckpointOptions& options = {});
  void set_model(Model& model) override { model_ = &model; }
  void on_train_begin() override { since_saved_ = 0; }
  void on_epoch_end(std::int64_t epoch, const Logs& logs) override;

 private:
  std::string filepath_;
  ModelCheckpointOptions options_;
  Monitor monitor_;
  Model* model_ = nullptr;
  std::int64_t since_saved_ = 0;
};
// `filepath` with "{epoch:02d}" and "{loss:.2f}" filled in; epochs count from 1. Throws
// InvalidArgument for names that are not there and formats other than d, f, e and g.
std::string filled_path(const std::string& filepath, std::int64_t epoch, const Logs& logs);

// The rate that `schedule` says for the epoch, given the one before.
class LearningRateScheduler : public Callback {
 public:
  using Schedule = std::function<double(std::int64_t epoch, double rate)>;
  explicit LearningRateScheduler(Schedule schedule) : schedule_(std::move(schedule)) {}
  void set_model(Model& model) override { model_ = &model; }
  void on_epoch_begin(std::int64_t epoch) override;

 private:
  Schedule schedule_;
  Model* model_ = nullptr;
  RateSetter rate_;
};

struct ReduceLROnPlateauOptions {
  std::string monitor = "val_loss";
  double factor = 0.1;
  std::int64_t patience = 10;
  std::string mode = "auto";
  double min_delta = 0.0001;
  std::int64_t cooldown = 0;  // epochs of rest after a change
  double min_lr = 0;
};
// Lowers the rate where the metric does not become better. Throws InvalidArgument for a factor of 1
// or more.
class ReduceLROnPlateau : public Callback {
 public:
  explicit ReduceLROnPlateau(const ReduceLROnPlateauOptions& options = {});
  void set_model(Model& model) override { model_ = &model; }
  void on_train_begin() override;
  void on_epoch_end(std::int64_t epoch, const Logs& logs) override;

 private:
  ReduceLROnPlateauOptions options_;
  Monitor monitor_;
  Model* model_ = nullptr;
  std::int64_t wait_ = 0, cooling_ = 0;
  RateSetter rate_;
};

// Ends training when the loss is no number.
class TerminateOnNaN : public Callback {
 public:
  void on_train_begin() override { stopped_ = false; }
  void on_batch_end(std::int64_t batch, std::int64_t size, const Logs& logs) override;
  bool stop_training() override { return stopped_; }

 private:
  bool stopped_ = false;
};

struct CSVLoggerOptions {
  std::string separator = ",";
  bool append = false;
};
// A line for each epoch, behind one with the names. Throws what writing the file throws.
class CSVLogger : public Callback {
 public:
  explicit CSVLogger(std::string filename, const CSVLoggerOptions& options = {});
  void on_train_begin() override;
  void on_epoch_end(std::int64_t epoch, const Logs& logs) override;

 private:
  std::string filename_, text_;
  CSVLoggerOptions options_;
  bool has_header_ = false;
};

// Functions of a program instead of a class.
struct LambdaCallbackOptions {
  std::function<void(std::int64_t epoch)> on_epoch_begin{};
  std::function<void(std::int64_t epoch, const Logs& logs)> on_epoch_end{};
  std::function<void(std::int64_t batch)> on_batch_begin{};
  std::function<void(std::int64_t batch, const Logs& logs)> on_batch_end{};
  std::function<void()> on_train_begin{}, on_train_end{};
};
class LambdaCallback : public Callback {
 public:
  explicit LambdaCallback(LambdaCallbackOptions options) : given_(std::move(options)) {}
  void on_epoch_begin(std::int64_t epoch) override;
  void on_epoch_end(std::int64_t epoch, const Logs& logs) override;
  void on_batch_begin(std::int64_t batch, std::int64_t size) override;
  void on_batch_end(std::int64_t batch, std::int64_t size, const Logs& logs) override;
  void on_train_begin() override;
  void on_train_end() override;

 private:
  LambdaCallbackOptions given_;
};

// Prints a line for each epoch to standard output.
class ProgbarLogger : public Callback {
 public:
  void on_epoch_begin(std::int64_t epoch) override;
  void on_epoch_end(std::int64_t epoch, const Logs& logs) override;
};

// Writes the numbers of each epoch for TensorBoard, as "epoch_loss", into `log_dir`.
class TensorBoard : public Callback {
 public:
  explicit TensorBoard(std::string log_dir = "logs") : log_dir_(std::move(log_dir)) {}
  void on_train_begin() override;
  void on_epoch_end(std::int64_t epoch, const Logs& logs) override;
  void on_train_end() override;

 private:
  std::string log_dir_;
  std::shared_ptr<summaries::FileWriter> writer_;
};

}  // namespace rill::keras::callbacks
