#include "rill/api/keras/callbacks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <regex>

#include "rill/api/core/basic_ops.h"
#include "rill/api/io/messages.h"
#include "rill/api/summary/file_writer.h"
#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/base/text.h"
#include "tensorflow/core/framework/summary.pb.h"

namespace rill::keras::callbacks {
namespace {

std::optional<double> number_called(const Logs& logs, const std::string& name) {
  for (const auto& [known, value] : logs)
    if (known == name) return value;
  return std::nullopt;
}

Variable rate_of(Model* model) {
  require(model != nullptr && model->optimizer() != nullptr,
          "the learning rate belongs to a compiled model, and there is none");
  const Variable rate = model->optimizer()->hyper_variable("learning_rate");
  require(bool(rate), "Optimizer must have a \"lr\" attribute.");
  return rate;
}
double learning_rate(Model* model) {
  const Output rate = rate_of(model).snapshot();
  return static_cast<double>(model->session().run(rate).scalar_value<float>());
}

}  // namespace

void RateSetter::set(Model& model, double rate) {
  if (const Variable variable = rate_of(&model); variable != variable_) {
    variable_ = variable;
    fed_ = placeholder(variable.dtype(), variable.shape());
    assignment_ = &variable.assign_op(fed_);
  }
  const std::vector<Feed> feeds = {{fed_, Tensor::scalar(static_cast<float>(rate))}};
  model.session().run(feeds, {}, std::array{assignment_});
}

Monitor::Monitor(std::string metric, const std::string& mode, double min_delta)
    : metric_(std::move(metric)),
      min_delta_(std::abs(min_delta)),
      greater_(mode == "max" || (mode != "min" && (metric_.find("acc") != std::string::npos ||
                                                   metric_.starts_with("fmeasure")))) {
  begin();
}
void Monitor::begin(std::optional<double> baseline) {
  const double worst = std::numeric_limits<double>::infinity();
  best = baseline.value_or(greater_ ? -worst : worst);
}
std::optional<double> Monitor::value(const Logs& logs) const {
  return number_called(logs, metric_);
}
bool Monitor::improves(double current) const {
  return greater_ ? current - min_delta_ > best : current + min_delta_ < best;
}

// --- stopping ------------------------------------------------------------------------------------

EarlyStopping::EarlyStopping(const EarlyStoppingOptions& options)
    : options_(options), monitor_(options.monitor, options.mode, options.min_delta) {}

void EarlyStopping::on_train_begin() {
  wait_ = stopped_epoch = 0;
  stopped_ = false;
  best_weights_.clear();
  monitor_.begin(options_.baseline);
}

void EarlyStopping::on_epoch_end(std::int64_t epoch, const Logs& logs) {
  const std::optional<double> current = monitor_.value(logs);
  if (!current) return;
  if (monitor_.improves(*current)) {
    monitor_.best = *current;
    wait_ = 0;
    if (options_.restore_best_weights && model_ != nullptr) best_weights_ = model_->get_weights();
    return;
  }
  if (++wait_ < options_.patience) return;
  stopped_epoch = epoch;
  stopped_ = true;
  if (!best_weights_.empty()) model_->set_weights(best_weights_);
}

void TerminateOnNaN::on_batch_end(std::int64_t, std::int64_t, const Logs& logs) {
  const std::optional<double> loss = number_called(logs, "loss");
  if (loss && !std::isfinite(*loss)) stopped_ = true;
}

// --- files ---------------------------------------------------------------------------------------

namespace {

std::string formatted(const std::string& format, double value) {
  static const std::regex known("([0-9]*)(?:\\.([0-9]+))?([dfeg]?)");
  std::smatch parts;
  require(std::regex_match(format, parts, known), "'{...:", format,
          "}' in a path is no format of a number");
  const std::string kind = parts[3];
  char text[512];
  if (kind == "d")
    std::snprintf(text, sizeof(text), ("%" + parts[1].str() + "lld").c_str(),
                  static_cast<long long>(value));
  else
    std::snprintf(text, sizeof(text), ("%" + format + (kind.empty() ? "g" : "")).c_str(), value);
  return text;
}

}  // namespace

std::string filled_path(const std::string& filepath, std::int64_t epoch, const Logs& logs) {
  require(filepath.size() <= 4096, "the path has ", filepath.size(), " letters");
  static const std::regex field("\\{(\\w+)(?::([^}]*))?\\}");
  std::string filled;
  auto rest = filepath.cbegin();
  for (std::sregex_iterator it(filepath.begin(), filepath.end(), field), end; it != end; ++it) {
    filled.append(rest, filepath.cbegin() + it->position());
    rest = filepath.cbegin() + it->position() + it->length();
    const std::string name = (*it)[1], format = (*it)[2];
    const std::optional<double> value =
        name == "epoch" ? static_cast<double>(epoch + 1) : number_called(logs, name);
    require(value.has_value(), "the path ", filepath, " names '", name,
            "', which is not among the metrics");
    filled +=
        name == "epoch" && format.empty() ? std::to_string(epoch + 1) : formatted(format, *value);
  }
  filled.append(rest, filepath.cend());
  return filled;
}

ModelCheckpoint::ModelCheckpoint(std::string filepath, const ModelCheckpointOptions& options)
    : filepath_(std::move(filepath)),
      options_(options),
      monitor_(options.monitor, options.mode, 0) {
  require(options.period > 0, "period must be positive, not ", options.period);
}

void ModelCheckpoint::on_epoch_end(std::int64_t epoch, const Logs& logs) {
  if (++since_saved_ < options_.period) return;
  since_saved_ = 0;
  require(model_ != nullptr, "ModelCheckpoint belongs to a fit() of a model");
  if (options_.save_best_only) {
    const std::optional<double> current = monitor_.value(logs);
    if (!current || !monitor_.improves(*current)) return;
    monitor_.best = *current;
  }
  model_->save_weights(filled_path(filepath_, epoch, logs));
}

CSVLogger::CSVLogger(std::string filename, const CSVLoggerOptions& options)
    : filename_(std::move(filename)), options_(options) {}

void CSVLogger::on_train_begin() {
  text_ = options_.append && file_exists(filename_) ? read_file(filename_) : std::string();
  has_header_ = !text_.empty();
}

void CSVLogger::on_epoch_end(std::int64_t epoch, const Logs& given) {
  Logs logs = given;
  std::ranges::sort(logs);
  if (!has_header_) {
    text_ += "epoch";
    for (const auto& [name, value] : logs) text_ += options_.separator + name;
    text_ += "\n";
    has_header_ = true;
  }
  text_ += std::to_string(epoch);
  for (const auto& [name, value] : logs) text_ += options_.separator + formatted(".17g", value);
  text_ += "\n";
  write_file(filename_, text_);
}

void TensorBoard::on_train_begin() { writer_ = std::make_shared<summaries::FileWriter>(log_dir_); }
void TensorBoard::on_epoch_end(std::int64_t epoch, const Logs& logs) {
  tensorflow::Summary summary;
  for (const auto& [name, value] : logs) {
    auto* one = summary.add_value();
    one->set_tag("epoch_" + name);
    one->set_simple_value(static_cast<float>(value));
  }
  writer_->add_summary(summary, epoch);
  writer_->flush();
}
void TensorBoard::on_train_end() { writer_->close(); }

// --- learning rates ------------------------------------------------------------------------------

void LearningRateScheduler::on_epoch_begin(std::int64_t epoch) {
  rate_.set(*model_, schedule_(epoch, learning_rate(model_)));
}

ReduceLROnPlateau::ReduceLROnPlateau(const ReduceLROnPlateauOptions& options)
    : options_(options), monitor_(options.monitor, options.mode, options.min_delta) {
  require(options.factor < 1, "ReduceLROnPlateau does not support a factor >= 1.0.");
}
void ReduceLROnPlateau::on_train_begin() {
  monitor_.begin();
  wait_ = cooling_ = 0;
}
void ReduceLROnPlateau::on_epoch_end(std::int64_t, const Logs& logs) {
  const std::optional<double> current = monitor_.value(logs);
  if (!current) return;
  if (cooling_ > 0) {
    --cooling_;
    wait_ = 0;
  }
  if (monitor_.improves(*current)) {
    monitor_.best = *current;
    wait_ = 0;
    return;
  }
  if (cooling_ > 0 || ++wait_ < options_.patience) return;
  const double rate = learning_rate(model_);
  if (rate <= options_.min_lr) return;
  rate_.set(*model_, std::max(rate * options_.factor, options_.min_lr));
  cooling_ = options_.cooldown;
  wait_ = 0;
}

// --- programs ------------------------------------------------------------------------------------

void LambdaCallback::on_epoch_begin(std::int64_t epoch) {
  if (given_.on_epoch_begin) given_.on_epoch_begin(epoch);
}
void LambdaCallback::on_epoch_end(std::int64_t epoch, const Logs& logs) {
  if (given_.on_epoch_end) given_.on_epoch_end(epoch, logs);
}
void LambdaCallback::on_batch_begin(std::int64_t batch, std::int64_t) {
  if (given_.on_batch_begin) given_.on_batch_begin(batch);
}
void LambdaCallback::on_batch_end(std::int64_t batch, std::int64_t, const Logs& logs) {
  if (given_.on_batch_end) given_.on_batch_end(batch, logs);
}
void LambdaCallback::on_train_begin() {
  if (given_.on_train_begin) given_.on_train_begin();
}
void LambdaCallback::on_train_end() {
  if (given_.on_train_end) given_.on_train_end();
}

void ProgbarLogger::on_epoch_begin(std::int64_t epoch) {
  std::cout << "Epoch " << epoch + 1 << std::endl;
}
void ProgbarLogger::on_epoch_end(std::int64_t, const Logs& logs) {
  for (const auto& [name, value] : logs) std::cout << " - " << name << ": " << value;
  std::cout << std::endl;
}

}  // namespace rill::keras::callbacks
