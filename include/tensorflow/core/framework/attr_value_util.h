#ifndef TENSORFLOW_CORE_FRAMEWORK_ATTR_VALUE_UTIL_H_
#define TENSORFLOW_CORE_FRAMEWORK_ATTR_VALUE_UTIL_H_

#include "tensorflow/core/framework/node_def_util.h"

namespace tensorflow {

void SetAttrValue(StringPiece value, AttrValue* out);
void SetAttrValue(const char* value, AttrValue* out);
void SetAttrValue(const string& value, AttrValue* out);
void SetAttrValue(int32 value, AttrValue* out);
void SetAttrValue(int64 value, AttrValue* out);
void SetAttrValue(float value, AttrValue* out);
void SetAttrValue(bool value, AttrValue* out);
void SetAttrValue(DataType value, AttrValue* out);
void SetAttrValue(const TensorShape& value, AttrValue* out);
void SetAttrValue(const PartialTensorShape& value, AttrValue* out);
void SetAttrValue(const Tensor& value, AttrValue* out);
string SummarizeAttrValue(const AttrValue& value);

}  // namespace tensorflow

#endif
