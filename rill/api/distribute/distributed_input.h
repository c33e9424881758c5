#pragma once

#include <functional>
#include <vector>

#include "rill/api/data/multi_device_iterator.h"
#include "rill/api/replicas/strategy.h"

namespace rill::distribute {

// What a program needs to know to make the input of one of several workers.
struct InputContext {
  int num_input_pipelines = 1;
  int input_pipeline_id = 0;
  int num_replicas_in_sync = 1;

  // Throws InvalidArgument where the batch cannot be divided evenly.
  std::int64_t get_per_replica_batch_size(std::int64_t global_batch_size) const;
};

// The elements of `dataset`, each cut into `parts` of equally many rows, one after the other.
data::Dataset rebatched(const data::Dataset& dataset, int parts,
                        std::source_location at = std::source_location::current());

// Gives each replica an element in every step that asks.
class DistributedIterator {
 public:
  DistributedIterator(const Strategy& strategy, const data::Dataset& dataset);

  Node& initializer() const { return iterator_.initializer(); }
  // One element for each replica.
  std::vector<data::Components> get_next() const;

 private:
  data::MultiDeviceIterator iterator_;
};

// Elements of `dataset` are batches for all replicas together.
DistributedIterator make_dataset_iterator(const Strategy& strategy, const data::Dataset& dataset);
// `input` makes a dataset whose elements are batches for one replica.
DistributedIterator make_input_fn_iterator(
    const Strategy& strategy, const std::function<data::Dataset(const InputContext&)>& input);

}  // namespace rill::distribute
