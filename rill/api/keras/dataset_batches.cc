#include "rill/api/keras/dataset_batches.h"

#include <algorithm>

#include "rill/api/data/iterator.h"
#include "rill/base/error.h"

namespace rill::keras {

ValidationData::ValidationData(const data::Dataset& dataset)
    : dataset(std::make_shared<const data::Dataset>(dataset)) {}

DatasetBatches::DatasetBatches(const data::Dataset& dataset, std::size_t input_count,
                               std::size_t output_count, Session& session)
    : session_(&session), input_count_(input_count), output_count_(output_count) {
  const data::Iterator iterator = dataset.make_initializable_iterator();
  start_ = &iterator.initializer();
  parts_ = iterator.next_tensors();
  require(parts_.size() >= input_count + output_count, "elements of the dataset have ",
          parts_.size(), " parts, and the model takes ", input_count, " inputs and ", output_count,
          " truths");
}

Batches DatasetBatches::batches(std::optional<std::int64_t> steps) const {
  Batches batches{.steps = steps};
  batches.restart = [session = session_, start = start_] { session->run(*start); };
  batches.next = [session = session_, parts = parts_, x = input_count_,
                  y = output_count_]() -> std::optional<Examples> {
    std::vector<Tensor> values;
    try {
      values = session->run(parts);
    } catch (const Error& error) {
      if (error.code() == Code::kOutOfRange) return std::nullopt;
      throw;
    }
    const auto at = [&values](std::size_t i) {
      return values.begin() + static_cast<std::ptrdiff_t>(std::min(i, values.size()));
    };
    const std::size_t end = y == 0 ? x : x + 2 * y;  // behind the weights
    return Examples{{at(0), at(x)}, {at(x), at(x + y)}, {at(x + y), at(end)}};
  };
  return batches;
}

}  // namespace rill::keras
