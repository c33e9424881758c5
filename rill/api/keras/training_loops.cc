#include <algorithm>
#include <cstring>
#include <iostream>
#include <numeric>
#include <random>

#include "rill/api/core/collections.h"
#include "rill/api/keras/fed_value.h"
#include "rill/api/keras/metrics.h"
#include "rill/api/keras/training.h"
#include "rill/base/error.h"
#include "rill/base/log.h"

namespace rill::keras {
namespace {

Tensor picked_rows(const Tensor& all, std::span<const std::int64_t> indices) {
  if (!all.has_value()) return all;
  std::vector<std::int64_t> sizes(all.shape().dims().begin(), all.shape().dims().end());
  sizes.at(0) = static_cast<std::int64_t>(indices.size());
  Tensor picked(all.dtype(), Shape(std::span<const std::int64_t>(sizes)));
  const std::int64_t rows = all.dim(0), width = rows == 0 ? 0 : all.element_count() / rows;
  for (const std::int64_t index : indices)
    require(index >= 0 && index < rows, "there are ", rows, " examples and none of number ", index);
  if (all.dtype() == DType::string) {
    for (std::size_t i = 0; i < indices.size(); ++i)
      std::copy_n(all.data<std::string>() + indices[i] * width, width,
                  picked.data<std::string>() + static_cast<std::int64_t>(i) * width);
    return picked;
  }
  const std::size_t bytes = rows == 0 ? 0 : all.byte_size() / static_cast<std::size_t>(rows);
  for (std::size_t i = 0; i < indices.size(); ++i)
    std::memcpy(
        static_cast<char*>(picked.raw_data()) + i * bytes,
        static_cast<const char*>(all.raw_data()) + static_cast<std::size_t>(indices[i]) * bytes,
        bytes);
  return picked;
}

template <class Change>
Examples changed(const Examples& all, Change change) {
  Examples part;
  for (const Tensor& t : all.x) part.x.push_back(change(t));
  for (const Tensor& t : all.y) part.y.push_back(change(t));
  for (const Tensor& t : all.sample_weights)
    part.sample_weights.push_back(t.has_value() ? change(t) : t);
  return part;
}

void shuffle_by_chance(std::vector<std::int64_t>& order) {
  static std::mt19937_64 chance{std::random_device()()};
  std::ranges::shuffle(order, chance);
}

void print_epoch(std::int64_t epoch, std::int64_t epochs, const Logs& logs) {
  std::cout << "Epoch " << epoch + 1 << "/" << epochs;
  for (const auto& [name, value] : logs) std::cout << " - " << name << ": " << value;
  std::cout << std::endl;
}

}  // namespace

std::int64_t Examples::count() const {
  require(!x.empty(), "there are no examples");
  const std::int64_t n = x[0].rank() > 0 ? x[0].dim(0) : 1;
  for (const auto* list : {&x, &y, &sample_weights})
    for (const Tensor& t : *list)
      require(!t.has_value() || (t.rank() > 0 && t.dim(0) == n),
              "All input arrays and targets should have the same number of samples: ", n, " and ",
              t.rank() > 0 ? t.dim(0) : 0);
  return n;
}

Examples Examples::rows(std::int64_t begin, std::int64_t end) const {
  return changed(*this, [&](const Tensor& t) { return t.slice(begin, end); });
}
Examples Examples::rows(std::span<const std::int64_t> indices) const {
  return changed(*this, [&](const Tensor& t) { return picked_rows(t, indices); });
}

namespace {

// Arrays in batches, each time in another order where they are to be shuffled.
Batches batches_of(const Examples& data, const FitOptions& o) {
  struct Place {
    std::vector<std::int64_t> order;
    std::int64_t begin = 0;
  };
  const auto place = std::make_shared<Place>();
  place->order.resize(static_cast<std::size_t>(data.count()));
  Batches batches;
  batches.restart = [place, shuffle = o.shuffle, shuffled = o.shuffled] {
    place->begin = 0;
    std::iota(place->order.begin(), place->order.end(), 0);
    if (shuffle) shuffled ? shuffled(place->order) : shuffle_by_chance(place->order);
  };
  batches.next = [place, data, o_size = o.batch_size,
                  shuffle = o.shuffle]() -> std::optional<Examples> {
    const auto count = static_cast<std::int64_t>(place->order.size());
    if (place->begin >= count) return std::nullopt;
    const std::int64_t begin = place->begin, size = std::min(o_size, count - begin);
    place->begin += size;
    if (!shuffle) return data.rows(begin, begin + size);
    return data.rows(std::span(place->order)
                         .subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(size)));
  };
  return batches;
}

bool any_stops(const std::vector<Callback*>& callbacks) {
  bool stop = false;
  for (Callback* callback : callbacks) stop = callback->stop_training() || stop;
  return stop;
}

}  // namespace

struct Training::Epoch {
  std::vector<double> values = {};  // the mean of the loss, and metrics
  bool ran_out = false;             // there were fewer batches than wanted
};

Training::Epoch Training::epoch_of(const Run& run, const Batches& data, const FitOptions& o) {
  Epoch epoch;
  std::vector<double>& totals = epoch.values;
  std::int64_t count = 0;
  for (std::int64_t number = 0; number < data.steps.value_or(number + 1); ++number) {
    const std::optional<Examples> batch = data.next();
    epoch.ran_out = !batch && data.steps.has_value();
    if (!batch) break;
    const std::int64_t size = batch->count();
    for (Callback* callback : o.callbacks) callback->on_batch_begin(number, size);
    const std::vector<double> values = train_on_batch(run, *batch);
    if (totals.empty()) totals.assign(values.size(), 0);
    totals[0] += values[0] * static_cast<double>(size);  // metrics gather for themselves
    for (std::size_t i = 1; i < values.size(); ++i) totals[i] = values[i];
    count += size;
    const Logs told = logs(values);
    for (Callback* callback : o.callbacks) callback->on_batch_end(number, size, told);
    if (any_stops(o.callbacks)) break;
  }
  if (!totals.empty()) totals[0] /= static_cast<double>(count);
  return epoch;
}

History Training::fit(const Run& run, const Examples& given, const FitOptions& options,
                      const Batches& validation) {
  FitOptions o = options;
  require(o.batch_size > 0, "the batch size must be positive, not ", o.batch_size);
  require(o.validation_split >= 0 && o.validation_split < 1,
          "validation_split must be in [0, 1), not ", o.validation_split);
  Examples data = given;
  const std::int64_t all = data.count();
  require(all > 0, "there are no examples");
  if (!o.validation_data && o.validation_split > 0) {
    const auto kept =
        static_cast<std::int64_t>(static_cast<double>(all) * (1.0 - o.validation_split));
    require(kept > 0 && kept < all, "Training data contains ", all,
            " samples, which is not sufficient "
            "to split it into a validation and training set as specified by `validation_split=",
            o.validation_split, "`.");
    o.validation_data = data.rows(kept, all);
    data = data.rows(0, kept);
  }
  return fit(run, batches_of(data, o), o, validation);
}

History Training::fit(const Run& run, const Batches& data, const FitOptions& o,
                      const Batches& validation) {
  require(o.validation_freq > 0, "validation_freq must be positive, not ", o.validation_freq);
  optimization();
  History history;
  for (Callback* callback : o.callbacks) callback->on_train_begin();
  for (std::int64_t epoch = o.initial_epoch; epoch < o.epochs; ++epoch) {
    reset_metrics(run);
    for (Callback* callback : o.callbacks) callback->on_epoch_begin(epoch);
    if (!data.steps || epoch == o.initial_epoch) data.restart();
    const Epoch done = epoch_of(run, data, o);
    if (done.ran_out)
      log(LogLevel::kWarning,
          "Your input ran out of data; interrupting training. Make sure that your dataset can "
          "generate at least `steps_per_epoch * epochs` batches.");
    if (done.values.empty()) break;
    Logs told = logs(done.values);
    const bool listed =
        o.validation_epochs.empty()
            ? (epoch + 1) % o.validation_freq == 0
            : std::ranges::find(o.validation_epochs, epoch + 1) != o.validation_epochs.end();
    if (listed && (validation || o.validation_data)) {
      const Logs validated =
          logs(validation ? evaluate(run, validation, o.callbacks)
                          : evaluate(run, o.validation_data->arrays, o.batch_size, o.callbacks),
               "val_");
      told.insert(told.end(), validated.begin(), validated.end());
    }
    history.epoch.push_back(epoch);
    for (const auto& [name, value] : told) history.history[name].push_back(value);
    if (o.verbose != 0) print_epoch(epoch, o.epochs, told);
    for (Callback* callback : o.callbacks) callback->on_epoch_end(epoch, told);
    if (any_stops(o.callbacks) || done.ran_out) break;
  }
  for (Callback* callback : o.callbacks) callback->on_train_end();
  return history;
}

std::vector<double> Training::evaluate(const Run& run, const Examples& data,
                                       std::int64_t batch_size,
                                       const std::vector<Callback*>& callbacks) {
  require(batch_size > 0, "the batch size must be positive, not ", batch_size);
  require(data.count() > 0, "there are no examples");
  return evaluate(run, batches_of(data, {.batch_size = batch_size, .shuffle = false}), callbacks);
}

std::vector<double> Training::evaluate(const Run& run, const Batches& data,
                                       const std::vector<Callback*>& callbacks) {
  reset_metrics(run);
  for (Callback* callback : callbacks) callback->on_test_begin();
  std::vector<double> totals;
  std::int64_t count = 0;
  data.restart();
  for (std::int64_t number = 0; number < data.steps.value_or(number + 1); ++number) {
    const std::optional<Examples> batch = data.next();
    if (!batch) break;
    const std::int64_t size = batch->count();
    for (Callback* callback : callbacks) callback->on_test_batch_begin(number, size);
    const std::vector<double> values = test_on_batch(run, *batch);
    if (totals.empty()) totals.assign(values.size(), 0);
    totals[0] += values[0] * static_cast<double>(size);
    for (std::size_t i = 1; i < values.size(); ++i) totals[i] = values[i];
    count += size;
    for (Callback* callback : callbacks) callback->on_test_batch_end(number, size, logs(values));
  }
  require(count > 0, "there are no examples");
  totals[0] /= static_cast<double>(count);
  for (Callback* callback : callbacks) callback->on_test_end();
  return totals;
}

namespace {

Tensor joined(const std::vector<Tensor>& parts) {
  if (parts.size() == 1) return parts[0];
  std::int64_t rows = 0;
  for (const Tensor& part : parts) {
    require(part.rank() > 0 && part.rank() == parts[0].rank(),
            "predictions of several batches cannot be joined: one has shape ", part.shape());
    rows += part.dim(0);
  }
  std::vector<std::int64_t> sizes(parts[0].shape().dims().begin(), parts[0].shape().dims().end());
  sizes.at(0) = rows;
  Tensor whole(parts[0].dtype(), Shape(std::span<const std::int64_t>(sizes)));
  std::int64_t at = 0;
  for (const Tensor& part : parts) {
    for (int i = 1; i < whole.rank(); ++i)
      require(part.dim(i) == whole.dim(i),
              "batches of predictions have different shapes: ", part.shape(), " and ",
              parts[0].shape());
    Tensor place = whole.slice(at, at + part.dim(0));
    if (part.dtype() == DType::string)
      std::copy_n(part.data<std::string>(), part.element_count(), place.data<std::string>());
    else if (part.byte_size() > 0)
      std::memcpy(place.raw_data(), part.raw_data(), part.byte_size());
    at += part.dim(0);
  }
  return whole;
}

}  // namespace

std::vector<Tensor> predict(const Training::Run& run, const std::vector<Output>& inputs,
                            const std::vector<Output>& outputs, std::span<Node* const> updates,
                            const std::vector<Tensor>& x, std::int64_t batch_size,
                            const std::function<void(std::int64_t, std::int64_t)>& each) {
  require(batch_size > 0, "the batch size must be positive, not ", batch_size);
  require(x.size() == inputs.size(), "the model has ", inputs.size(), " inputs and was given ",
          x.size(), " arrays");
  const Examples data{x, {}, {}};
  const std::int64_t count = data.count();
  require(count > 0, "there are no examples");
  std::vector<std::vector<Tensor>> parts(outputs.size());
  std::int64_t number = 0;
  for (std::int64_t begin = 0; begin < count; begin += batch_size, ++number) {
    const std::int64_t size = std::min(batch_size, count - begin);
    const Examples batch = data.rows(begin, begin + size);
    std::vector<Feed> feeds;
    for (std::size_t i = 0; i < inputs.size(); ++i)
      feeds.push_back({inputs[i], fed_value(inputs[i], batch.x[i])});
    const std::vector<Tensor> made = run(feeds, outputs, updates);
    for (std::size_t i = 0; i < made.size(); ++i) parts[i].push_back(made[i]);
    if (each) each(number, size);
  }
  std::vector<Tensor> whole;
  for (const auto& of_output : parts) whole.push_back(joined(of_output));
  return whole;
}

std::vector<Tensor> predict(const Training::Run& run, const std::vector<Output>& inputs,
                            const std::vector<Output>& outputs, const Batches& batches) {
  std::vector<std::vector<Tensor>> parts(outputs.size());
  batches.restart();
  for (std::int64_t number = 0; number < batches.steps.value_or(number + 1); ++number) {
    const std::optional<Examples> batch = batches.next();
    if (!batch) break;
    std::vector<Feed> feeds;
    for (std::size_t i = 0; i < inputs.size(); ++i)
      feeds.push_back({inputs[i], fed_value(inputs[i], batch->x.at(i))});
    const std::vector<Tensor> made = run(feeds, outputs, {});
    for (std::size_t i = 0; i < made.size(); ++i) parts[i].push_back(made[i]);
  }
  std::vector<Tensor> whole;
  for (const auto& of_output : parts) {
    require(!of_output.empty(), "there are no examples");
    whole.push_back(joined(of_output));
  }
  return whole;
}

void initialize_variables(const Training::Run& run, std::set<const VariableState*>& known) {
  std::vector<Variable> all = tracked_variables();
  for (const auto& state :
       collections_of(*default_graph()).collected<VariableState>(GraphKeys::GLOBAL_VARIABLES))
    all.emplace_back(state);
  std::vector<Variable> unsure;
  std::vector<Output> questions;
  for (const Variable& variable : all) {
    if (!variable->initializer || !known.insert(variable.state().get()).second) continue;
    unsure.push_back(variable);
    questions.push_back(variable->is_initialized.node ? variable->is_initialized
                                                      : variable.is_initialized());
  }
  if (unsure.empty()) return;
  const std::vector<Tensor> answers = run({}, questions, {});
  std::vector<Node*> initializers;
  for (std::size_t i = 0; i < unsure.size(); ++i)
    if (!answers[i].scalar_value<bool>()) initializers.push_back(&unsure[i].initializer());
  if (!initializers.empty()) run({}, {}, initializers);
}

}  // namespace rill::keras
