#ifndef TENSORFLOW_CORE_FRAMEWORK_NODE_DEF_UTIL_H_
#define TENSORFLOW_CORE_FRAMEWORK_NODE_DEF_UTIL_H_

#include <string>
#include <vector>

#include "tensorflow/core/framework/attr_value.pb.h"
#include "tensorflow/core/framework/node_def.pb.h"
#include "tensorflow/core/framework/tensor.h"
#include "tensorflow/core/framework/tensor_shape.h"
#include "tensorflow/core/framework/types.h"
#include "tensorflow/core/lib/core/status.h"
#include "tensorflow/core/platform/protobuf.h"

namespace tensorflow {

typedef protobuf::Map<string, AttrValue> AttrValueMap;

// The attributes of a node, to be read.
class AttrSlice {
 public:
  AttrSlice(const NodeDef& node_def) : attrs_(&node_def.attr()) {}
  explicit AttrSlice(const AttrValueMap* attrs) : attrs_(attrs) {}
  const AttrValue* Find(StringPiece attr_name) const;  // nullptr when there is none
  Status Find(StringPiece attr_name, const AttrValue** attr_value) const;
  int size() const { return static_cast<int>(attrs_->size()); }

 private:
  const AttrValueMap* attrs_;
};

// Each fails with NotFound when the attribute is missing and InvalidArgument when it is of another
// kind.
#define RILL_DECLARE_GET_ATTR(TYPE)                                               \
  Status GetNodeAttr(const AttrSlice& attrs, StringPiece attr_name, TYPE* value); \
  Status GetNodeAttr(const AttrSlice& attrs, StringPiece attr_name, std::vector<TYPE>* value);
RILL_DECLARE_GET_ATTR(string)
RILL_DECLARE_GET_ATTR(int64)
RILL_DECLARE_GET_ATTR(int32)
RILL_DECLARE_GET_ATTR(float)
RILL_DECLARE_GET_ATTR(bool)
RILL_DECLARE_GET_ATTR(DataType)
RILL_DECLARE_GET_ATTR(TensorShapeProto)
RILL_DECLARE_GET_ATTR(TensorShape)
RILL_DECLARE_GET_ATTR(PartialTensorShape)
RILL_DECLARE_GET_ATTR(Tensor)
RILL_DECLARE_GET_ATTR(TensorProto)
RILL_DECLARE_GET_ATTR(NameAttrList)
#undef RILL_DECLARE_GET_ATTR
Status GetNodeAttr(const AttrSlice& attrs, StringPiece attr_name, DataTypeVector* value);
Status GetNodeAttr(const AttrSlice& attrs, StringPiece attr_name, const NameAttrList** value);
Status GetNodeAttr(const AttrSlice& attrs, StringPiece attr_name, const TensorProto** value);
bool HasNodeAttr(const NodeDef& node_def, StringPiece attr_name);
string SummarizeNodeDef(const NodeDef& node_def);

}  // namespace tensorflow

#endif
