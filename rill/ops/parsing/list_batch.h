#pragma once

#include <string>
#include <vector>

#include "rill/kernel/kernel_call.h"
#include "rill/ops/parsing/feature.h"
#include "rill/ops/parsing/feature_specs.h"

namespace rill {

// What TensorFlow's ops say about mistakes in feature lists; `index` is the position in the list.
class ListErrors {
 public:
  virtual ~ListErrors() = default;
  virtual std::string unreadable(std::size_t example) const = 0;
  virtual std::string missing(std::size_t example, const std::string& key) const = 0;
  virtual std::string wrong_type(std::size_t example, const std::string& key, std::int64_t index,
                                 bool sparse, DType wanted, DType got) const = 0;
  virtual std::string wrong_count(std::size_t example, const std::string& key, std::int64_t index,
                                  const DenseSpec& spec, std::int64_t count) const = 0;
};

// Where the feature lists of a batch of SequenceExamples go.
struct ListTarget {
  std::int64_t example_count;
  int first_output;  // indices, values, shapes of the sparse lists, the dense ones, their lengths
  bool single;       // one example: no batch dimension, no lengths
  std::vector<bool> may_miss;  // by dense list
};

// The feature lists of a batch of SequenceExamples on their way into an op's outputs, in two passes
// as in FeatureBatch. The first checks and counts, the second writes.
class ListBatch {
 public:
  ListBatch(KernelCall& call, const FeatureSpecs& specs, const ListErrors& errors,
            const ListTarget& target);

  void read(std::size_t example, const EntryFinder& finder);
  void make_outputs();
  void write(std::size_t example);

 private:
  struct Found {
    std::string_view list;
    std::int64_t length = 0;   // features in the list
    std::int64_t count = 0;    // values in all of them
    std::int64_t longest = 0;  // values in the largest
    std::int64_t offset = 0;   // in the output, of the first value
  };

  std::size_t sparse_count() const { return specs_.sparse_types.size(); }
  Found& found(std::size_t example, std::size_t i) {
    return found_[example * specs_.keys.size() + i];
  }
  int output(std::size_t i) const { return target_.first_output + static_cast<int>(i); }
  int dense_output(std::size_t i) const { return output(3 * sparse_count() + i); }
  std::int64_t rank() const { return target_.single ? 2 : 3; }
  void add_feature(std::size_t example, std::size_t i, const Feature& feature, Found* at) const;
  void make_sparse(std::size_t i);
  void make_dense(std::size_t i);
  void write_sparse(std::size_t example, std::size_t i);
  void write_dense(std::size_t example, std::size_t i);

  KernelCall& call_;
  const FeatureSpecs& specs_;
  const ListErrors& errors_;
  const ListTarget& target_;
  std::vector<Found> found_;  // by example and key
};

}  // namespace rill
