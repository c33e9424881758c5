#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rill/tensor/tensor.h"

namespace rill::examples::mnist {

// The bytes of a file in MNIST's IDX format, unpacked where the name ends in ".gz". Throws
// InvalidArgument when it is none, DataLoss when it ends early.
Tensor read_idx(const std::string& path);

// The order that NumPy's random.shuffle of a generator with a seed brings things into.
class Shuffler {
 public:
  explicit Shuffler(std::uint32_t seed);
  std::vector<std::int64_t> order(std::int64_t count);

 private:
  std::uint32_t up_to(std::uint32_t most);
  struct Bits;
  std::shared_ptr<Bits> bits_;  // copies draw from the same numbers
};

struct Batch {
  Tensor images = {}, labels = {};
};

// Images with their labels, handed out in batches.
class DataSet {
 public:
  // Throws InvalidArgument when there are not as many labels as images.
  DataSet(Tensor images, Tensor labels, std::uint32_t seed);

  const Tensor& images() const { return images_; }
  const Tensor& labels() const { return labels_; }
  std::int64_t num_examples() const { return images_.dim(0); }
  std::int64_t epochs_completed() const { return epochs_completed_; }

  // The next ones; in a new order each time all have been handed out, unless not to be shuffled.
  // Throws InvalidArgument when the batch is larger than the set.
  Batch next_batch(std::int64_t batch_size, bool shuffle = true);

 private:
  void shuffle_all();

  Tensor images_, labels_;
  Shuffler shuffler_;
  std::int64_t next_ = 0, epochs_completed_ = 0;
};

struct ReadOptions {
  bool one_hot = false;                 // labels as rows with one 1
  DType dtype = DType::f32;             // f32: values from 0 to 1; u8: as in the files
  bool reshape = true;                  // images as rows of 784 numbers
  std::int64_t validation_size = 5000;  // of the training set, from its start
  std::optional<std::int64_t> seed{};   // none: another order in every run
};
struct DataSets {
  DataSet train, validation, test;
};
// The sets in the files of a directory, packed (".gz") or not. Throws NotFound that says which
// files belong where, InvalidArgument when the validation set would be too large.
DataSets read_data_sets(const std::string& train_dir, const ReadOptions& options = {});

}  // namespace rill::examples::mnist
