#pragma once

#include "rill/tensor/tensor.h"

namespace tensorflow {
class TensorProto;
class TensorShapeProto;
}  // namespace tensorflow

namespace rill {

// How TensorFlow's programs lay a tensor out in a TensorProto. Every form can be read back.
enum class ProtoForm {
  // As Python writes constants: raw bytes for most numbers when there are several, else lists.
  constant,
  // As SerializeTensor and the wire write: raw bytes whenever the type allows.
  content,
  // Always the typed lists, as the model server answers.
  fields,
  // The shorter of raw bytes and lists whose repeated last value is written once.
  compact,
};

// Replaces what `proto` holds. Throws Unimplemented for variants that have no written form.
void to_proto(const Tensor& tensor, tensorflow::TensorProto* proto, ProtoForm form);
inline void to_proto(const Tensor& tensor, tensorflow::TensorProto* proto, bool compact = false) {
  to_proto(tensor, proto, compact ? ProtoForm::compact : ProtoForm::constant);
}

// Reads every form. A list that is too short repeats its last value, an empty one means zeros.
// Throws InvalidArgument when the dtype is not one of values, the shape is negative or overflows,
// or the values do not fit the shape, and ResourceExhausted when memory does not suffice, however
// small the message that asks for it.
Tensor from_proto(const tensorflow::TensorProto& proto);

// Only the first `given` elements, of which the last is repeated: as a constant that was filled up
// is written.
void to_proto_filled(const Tensor& tensor, std::int64_t given, tensorflow::TensorProto* proto);
// Unknown dimensions are -1. Reading throws InvalidArgument for sizes below that.
void to_proto(const PartialShape& shape, tensorflow::TensorShapeProto* proto);
PartialShape shape_from_proto(const tensorflow::TensorShapeProto& proto);

// The DType with this DataType number, references included; throws InvalidArgument if there is
// none.
DType dtype_from_proto(int number);

}  // namespace rill
