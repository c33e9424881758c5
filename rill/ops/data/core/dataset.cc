#include "rill/ops/data/core/dataset.h"

#include "rill/tensor/variant.h"

namespace rill {
namespace {

constexpr const char* kTypeName = "tensorflow::DatasetVariantWrapper";

// A variant's value is of one type, whatever the class of the dataset.
struct Wrapper {
  DatasetRef dataset;
};

}  // namespace

std::shared_ptr<void> Dataset::companion(FunctionRef<std::shared_ptr<void>()> make) const {
  const std::lock_guard lock(mutex_);
  if (companion_ == nullptr) companion_ = make();
  return companion_;
}

void check_fits(const ElementSpec& stated, const ElementSpec& given) {
  if (stated.types.empty()) return;
  require(stated.types.size() == given.types.size(),
          "Number of components does not match: expected ", stated.types.size(), " types but got ",
          given.types.size(), ".");
  for (std::size_t i = 0; i < stated.types.size(); ++i) {
    require(stated.types[i] == given.types[i], "Data type mismatch at component ", i, ": expected ",
            stated.types[i], " but got ", given.types[i], ".");
    require(stated.shapes[i].is_compatible(given.shapes[i]), "Incompatible shapes at component ", i,
            ": expected ", stated.shapes[i], " but got ", given.shapes[i], ".");
  }
}

Tensor dataset_tensor(DatasetRef dataset) {
  return Tensor::scalar(
      Variant(kTypeName, std::make_shared<const Wrapper>(Wrapper{std::move(dataset)})));
}

bool holds_dataset(const Tensor& tensor) {
  return tensor.dtype() == DType::variant && tensor.rank() == 0 &&
         tensor.scalar_value<Variant>().get<Wrapper>() != nullptr;
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
