#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "rill/base/function_ref.h"
#include "rill/graph/attr.h"
#include "rill/tensor/shape.h"
#include "rill/tensor/tensor.h"

namespace rill {

class DataIterator;
class Dataset;
class Pipeline;

// One element of a dataset: a tensor per component.
using Element = std::vector<Tensor>;
using DatasetRef = std::shared_ptr<const Dataset>;
using PipelineRef = std::shared_ptr<Pipeline>;

// What datasets without a known number of elements say instead; TensorFlow's numbers.
inline constexpr std::int64_t kInfiniteSize = -1, kUnknownSize = -2;

// What is known of every element of a dataset.
struct ElementSpec {
  std::vector<DType> types;
  std::vector<PartialShape> shapes;
};

// Throws InvalidArgument when elements as `given` cannot be what was `stated`; stated types may be
// left open by naming none.
void check_fits(const ElementSpec& stated, const ElementSpec& given);

// How a dataset came to be: enough to write it as a node of a graph.
struct DatasetOrigin {
  std::string node, op;  // the node's name, for messages
  AttrMap attrs;
  std::vector<Tensor> inputs;  // datasets among them are scalars of variants
};

// A description of a sequence of elements. Never changes; iterates as often as one likes, from
// several threads at once.
class Dataset : public std::enable_shared_from_this<Dataset> {
 public:
  explicit Dataset(ElementSpec spec) : spec_(std::move(spec)) {}
  virtual ~Dataset() = default;
  Dataset(const Dataset&) = delete;
  Dataset& operator=(const Dataset&) = delete;

  const ElementSpec& spec() const { return spec_; }
  // An iterator before the first element.
  virtual std::unique_ptr<DataIterator> iterate(const PipelineRef& pipeline) const = 0;
  // How many elements there are, where that is known without looking at them.
  virtual std::int64_t size() const { return kUnknownSize; }

  const DatasetOrigin& origin() const { return origin_; }
  void set_origin(DatasetOrigin origin) { origin_ = std::move(origin); }

  // What another interface keeps with the dataset; `make` is called once.
  std::shared_ptr<void> companion(FunctionRef<std::shared_ptr<void>()> make) const;

 private:
  const ElementSpec spec_;
  DatasetOrigin origin_;
  mutable std::mutex mutex_;
  mutable std::shared_ptr<void> companion_;
};

// Datasets travel along edges as scalars of variants.
Tensor dataset_tensor(DatasetRef dataset);
bool holds_dataset(const Tensor& tensor);
// Throws InvalidArgument unless `tensor` is such a scalar.
DatasetRef dataset_in(const Tensor& tensor);

}  // namespace rill
