#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "rill/api/core/tensor_array.h"
#include "rill/api/ragged/ragged_tensor.h"
#include "rill/api/sparse/sparse_tensor.h"

namespace rill::data {

struct ElementSpec;

// What a part of an element is. All but tensors travel inside datasets as one tensor of variants,
// the carrier.
enum class ComponentKind { kTensor, kSparse, kRagged, kTensorArray, kDataset, kOptional };

// What is known of one part of the elements of a dataset.
struct ComponentSpec {
  ComponentKind kind = ComponentKind::kTensor;
  DType dtype = DType::invalid;
  PartialShape shape = {};  // of tensor arrays: of their elements; of datasets: how many there are
  int ragged_rank = 0;
  DType splits_dtype = DType::i64;
  bool infer_shape = true;                          // of tensor arrays
  std::shared_ptr<const ElementSpec> element = {};  // of datasets and optionals: what is inside

  static ComponentSpec tensor(DType dtype, PartialShape shape = {});
  static ComponentSpec sparse(DType dtype, PartialShape shape = {});

  // The tensor that carries the part.
  DType carrier_type() const { return kind == ComponentKind::kTensor ? dtype : DType::variant; }
  PartialShape carrier_shape() const;
};

// What is known of the elements of a dataset: their parts in order.
struct ElementSpec {
  std::vector<ComponentSpec> parts = {};
  // How another language groups the parts (dicts, tuples); passed on unchanged by what does not
  // change how many parts there are.
  std::shared_ptr<void> form = {};

  ElementSpec() = default;
  ElementSpec(std::vector<ComponentSpec> p, std::shared_ptr<void> f = {})
      : parts(std::move(p)), form(std::move(f)) {}
  ElementSpec(std::initializer_list<ComponentSpec> p) : parts(p) {}

  std::vector<DType> types() const;          // of the carriers
  std::vector<PartialShape> shapes() const;  // of the carriers
};

// These do to each part what batching, taking batches apart and joining datasets do. `count` is -1
// where the number of rows is not known. They throw InvalidArgument where a part has no rows or
// types differ, and Unimplemented for batches of datasets and optionals.
ElementSpec batched(const ElementSpec& spec, std::int64_t count);
ElementSpec unbatched(const ElementSpec& spec);
bool compatible(const ElementSpec& a, const ElementSpec& b);
ElementSpec most_specific_compatible(const ElementSpec& a, const ElementSpec& b);
// The least that covers both: dimensions that differ become unknown.
PartialShape most_specific_compatible(const PartialShape& a, const PartialShape& b);
std::string to_text(const ComponentSpec& spec);

// A dataset or an optional as a part of an element.
struct Nested {
  ComponentKind kind = {};
  Output variant = {};
  ElementSpec element = {};
};

// One part of an element while a graph is built. A value that is no tensor yet becomes a constant
// where the part is used. Converts from whatever a part can be: {image, 3, sparse_labels}.
class Component {
 public:
  template <class T>
  requires std::is_constructible_v<Input, T> Component(T&& tensor)
      : held_(hold(Input(std::forward<T>(tensor)))) {}
  Component(SparseTensor sparse);
  Component(RaggedTensor ragged);
  Component(TensorArray array);
  Component(Nested nested);

  ComponentSpec spec() const;
  Output carrier() const;       // the tensor that travels inside datasets
  Output rows_carrier() const;  // the same, a row for each row of the part
  // The part that a carrier carries.
  static Component of(const ComponentSpec& spec, Output carrier);
  // This part, with a value made a constant of that name.
  Component as_tensors(std::string_view name) const;

  // Throw InvalidArgument where the part is something else.
  Output tensor() const;
  const SparseTensor& sparse() const;
  const RaggedTensor& ragged() const;
  const TensorArray& tensor_array() const;
  const Nested& nested() const;

 private:
  template <class T>
  const T& as(const char* what) const;

  struct Held;  // one of these; never changed
  static std::shared_ptr<const Held> hold(Input tensor);
  std::shared_ptr<const Held> held_;
};
using Components = std::vector<Component>;

// The same parts, with values made constants "component_0" and so on.
Components normalized(const Components& parts);
ElementSpec spec_of(const Components& parts);
std::vector<Output> carriers(const Components& parts);
inline std::vector<Input> as_inputs(const std::vector<Output>& outputs) {
  return {outputs.begin(), outputs.end()};
}
// The inverse of carriers(). Throws InvalidArgument for another number of tensors.
Components parts_of(const ElementSpec& spec, std::span<const Output> carriers);

}  // namespace rill::data
