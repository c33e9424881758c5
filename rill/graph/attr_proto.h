#pragma once

#include "rill/graph/attr.h"

namespace tensorflow {
class AttrValue;
class NameAttrList;
}  // namespace tensorflow

namespace rill {

// Replaces what `proto` holds.
void to_proto(const AttrValue& value, tensorflow::AttrValue* proto);
void to_proto(const FuncName& func, tensorflow::NameAttrList* proto);

// A message in which nothing is set gives an AttrValue without a value; an empty list, whose kind
// nothing tells, a list(int) that AttrSpec::adapt turns into the kind that is wanted. Throws
// InvalidArgument for unknown types, broken shapes or tensors, lists of mixed kinds, and for
// placeholders, which exist only inside function bodies.
AttrValue from_proto(const tensorflow::AttrValue& proto);
FuncName from_proto(const tensorflow::NameAttrList& proto);
// The same where placeholders are allowed.
AttrValue body_attr_from_proto(const tensorflow::AttrValue& proto);

}  // namespace rill
