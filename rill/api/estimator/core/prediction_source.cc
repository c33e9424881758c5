#include "rill/api/estimator/core/prediction_source.h"

namespace rill::estimator {

std::optional<std::vector<Tensor>> MonitoredSource::next() {
  if (!session_) return {};
  const AsDefault as_default(graph_);
  try {
    if (!session_->should_stop()) return session_->run(step_).results;
  } catch (const Error& error) {
    if (error.code() != Code::kOutOfRange) {
      session_.reset();
      throw;
    }
  }
  session_->close();
  session_.reset();
  return {};
}

template <class F>
auto KeptSource::guarded(F run) -> decltype(run()) {
  try {
    return run();
  } catch (const Error& error) {
    if (error.code() == Code::kOutOfRange)
      sessions_.give_back(std::move(held_));
    else
      held_.reset();
    throw;
  }
}

void KeptSource::begin(Node* initializer, const std::vector<Feed>& feeds) {
  if (initializer) guarded([&] { held_->session->run(*initializer, feeds); });
}

std::optional<std::vector<Tensor>> KeptSource::next() {
  if (!held_) return {};
  try {
    return guarded([&] { return held_->session->run(fetches_); });
  } catch (const Error& error) {
    if (error.code() != Code::kOutOfRange) throw;
    return {};
  }
}

Predictions::Predictions(std::shared_ptr<Source> source) : source_(std::move(source)) {}
Predictions::~Predictions() = default;
Predictions::Predictions(Predictions&&) noexcept = default;

const EstimatorSpec& Predictions::spec() const { return source_->spec; }
void Predictions::close() { source_.reset(); }

std::optional<Values> Predictions::next_batch() {
  if (!source_) return {};
  auto tensors = source_->next();
  if (!tensors) return {};
  Values values;
  for (std::size_t i = 0; i < tensors->size(); ++i)
    values[source_->keys[i]] = std::move((*tensors)[i]);
  return values;
}

namespace {

std::int64_t row_count(const Values& batch) {
  std::optional<std::int64_t> rows;
  for (const auto& [key, value] : batch) {
    require(value.shape().rank() > 0, "Predictions of single examples have rows; '", key,
            "' is a scalar.");
    if (!rows) rows = value.shape().dim(0);
    require(value.shape().dim(0) == *rows, "Batch length of predictions should be same. ", key,
            " has different batch length than others.");
  }
  return rows.value_or(0);
}

}  // namespace

std::optional<Values> Predictions::next() {
  while (!batch_ || row_ == rows_) {
    batch_ = next_batch();
    if (!batch_) return {};
    row_ = 0;
    rows_ = row_count(*batch_);
  }
  Values row;
  for (const auto& [key, value] : *batch_)
    row[key] = value.slice(row_, row_ + 1).reshaped(Shape(value.shape().dims().subspan(1)));
  ++row_;
  return row;
}

}  // namespace rill::estimator
