#pragma once

#include <cstddef>
#include <memory>

#include "rill/api/keras/training.h"

namespace rill::data {
class Dataset;
class Iterator;
}  // namespace rill::data

namespace rill::keras {

// The batches of a dataset for a model: its elements are inputs, truths and weights, in this order.
class DatasetBatches {
 public:
  // Throws InvalidArgument when elements have fewer parts than inputs and truths.
  DatasetBatches(const data::Dataset& dataset, std::size_t input_count, std::size_t output_count,
                 Session& session);
  Batches batches(std::optional<std::int64_t> steps) const;

 private:
  Session* session_;
  std::vector<Output> parts_;
  Node* start_ = nullptr;
  std::size_t input_count_, output_count_;
};

}  // namespace rill::keras
