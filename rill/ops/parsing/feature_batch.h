#pragma once

#include <string>
#include <vector>

#include "rill/kernel/kernel_call.h"
#include "rill/ops/parsing/feature.h"
#include "rill/ops/parsing/feature_specs.h"

namespace rill {

// What TensorFlow's ops say about the same mistakes differs from op to op.
class FeatureErrors {
 public:
  virtual ~FeatureErrors() = default;
  virtual std::string unreadable(std::size_t example, const std::string& key) const = 0;
  virtual std::string wrong_type(std::size_t example, const std::string& key, bool sparse,
                                 DType wanted, DType got) const = 0;
  virtual std::string missing(std::size_t example, const std::string& key,
                              const DenseSpec& spec) const = 0;
  virtual std::string wrong_count(std::size_t example, const std::string& key,
                                  const DenseSpec& spec, std::int64_t count) const = 0;
  // Said of a dense feature that is there with nothing set; "": it counts as missing.
  virtual std::string unset(std::size_t /*example*/, const std::string& /*key*/,
                            DType /*wanted*/) const {
    return "";
  }
};

// Where the features of a batch of Examples go.
struct FeatureTarget {
  std::int64_t example_count;
  int first_default;  // the input with the default of the first dense feature
  int first_output;   // indices, values, shapes of the sparse features, then the dense ones
  bool single;        // one example, whose outputs have no batch dimension
};

// The features of a batch of Examples on their way into an op's outputs. Two passes, each of which
// may run in parallel over the examples: the first writes what has its place already, dense
// features of fixed size, and counts the values of the others. Then their outputs can be made, and
// the second pass writes them: nothing is gathered in between and joined.
class FeatureBatch {
 public:
  // Makes the outputs of fixed size. Throws InvalidArgument for defaults that do not fit.
  FeatureBatch(KernelCall& call, const FeatureSpecs& specs, const FeatureErrors& errors,
               const FeatureTarget& target);

  void read(std::size_t example, const EntryFinder& finder);  // the first pass
  void make_loose();                                          // between the passes
  bool has_loose() const { return loose_count() > 0; }
  void write_loose(std::size_t example);  // the second pass

 private:
  // A feature of one example whose size the specification does not tell.
  struct Loose {
    Feature feature;
    std::int64_t count = 0;   // of values
    std::int64_t offset = 0;  // in the output, of the first one
  };

  std::size_t sparse_count() const { return specs_.sparse_types.size(); }
  std::size_t loose_count() const { return sparse_count() + variable_.size(); }
  Loose& loose(std::size_t example, std::size_t i) { return loose_[example * loose_count() + i]; }
  const Tensor& default_value(std::size_t i) const {
    return call_.input_tensor(target_.first_default + static_cast<int>(i));
  }
  int output(std::size_t i) const { return target_.first_output + static_cast<int>(i); }
  int dense_output(std::size_t i) const { return output(3 * sparse_count() + i); }
  std::int64_t rank() const { return target_.single ? 1 : 2; }
  void make_dense(std::size_t i, const Shape& shape) const;
  void make_sparse(std::size_t i);
  void make_variable(std::size_t v);
  void check_type(std::size_t example, std::size_t i, DType type) const;
  void count(std::size_t example, std::size_t i, const Feature& feature, Loose* loose) const;
  void check_unset(std::size_t example, std::size_t dense) const;
  void write_dense(std::size_t example, std::size_t i, const Feature& feature) const;
  void write_indices(std::size_t example, std::size_t i, const Loose& at) const;
  void pad(std::size_t dense, const Loose& at, const Tensor& values) const;

  KernelCall& call_;
  const FeatureSpecs& specs_;
  const FeatureErrors& errors_;
  const FeatureTarget target_;
  std::vector<std::size_t> variable_;  // which dense features are of variable length
  std::vector<Loose> loose_;           // by example: the sparse ones, then those
};

// Calls body(begin, end) over the examples, which cost what their bytes do.
void for_examples(const KernelCall& call, std::span<const std::string> examples,
                  FunctionRef<void(std::size_t, std::size_t)> body);

}  // namespace rill
