#include "rill/ops/data/dataset.h"

#include "rill/tensor/variant.h"

namespace rill {
namespace {

constexpr const char* kTypeName = "tensorflow::DatasetVariantWrapper";

// A variant's value is of one type, whatever the class of the dataset.
struct Wrapper {
  DatasetRef dataset;
};

}  // namespace

Tensor dataset_tensor(DatasetRef dataset) {
  return Tensor::scalar(
      Variant(kTypeName, std::make_shared<const Wrapper>(Wrapper{std::move(dataset)})));
}

DatasetRef dataset_in(const Tensor& tensor) {
  require(tensor.dtype() == DType::variant && tensor.rank() == 0,
          "Dataset tensor must be a scalar of dtype DT_VARIANT, not ", tensor.dtype(), " of shape ",
          tensor.shape());
  const auto* wrapper = tensor.scalar_value<Variant>().get<Wrapper>();
  require(wrapper != nullptr, "Tensor must be a Dataset object, not ",
          tensor.scalar_value<Variant>().type_name());
  return wrapper->dataset;
}

}  // namespace rill
