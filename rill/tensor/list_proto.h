#pragma once

#include <memory>

#include "rill/tensor/list_value.h"

namespace tensorflow {
class VariantTensorDataProto;
}  // namespace tensorflow

namespace rill {

// How TensorFlow writes a list: the elements that have a value as tensors; as metadata, each as a
// base-128 number, how many have none and which, the dtype and the limit of elements, then the
// element shape as a TensorShapeProto.
void to_proto(const ListValue& list, tensorflow::VariantTensorDataProto* proto);

// Throws InvalidArgument when the message does not describe a list.
std::shared_ptr<const ListValue> list_from_proto(const tensorflow::VariantTensorDataProto& proto);

}  // namespace rill
