#pragma once

#include "rill/tensor/variant.h"

namespace tensorflow {
class VariantTensorDataProto;
}  // namespace tensorflow

namespace rill {

// Tensors, lists and ragged tensors are written and read as TensorFlow does. Any other variant that
// came from a message keeps the message, and is written as it came; Unimplemented for one that did
// not. Throws InvalidArgument when a message does not describe what it says it does.
void to_proto(const Variant& variant, tensorflow::VariantTensorDataProto* proto);
Variant variant_from_proto(const tensorflow::VariantTensorDataProto& proto);

}  // namespace rill
