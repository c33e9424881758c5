#ifndef TENSORFLOW_CORE_UTIL_PADDING_H_
#define TENSORFLOW_CORE_UTIL_PADDING_H_

#include <string>

#include "tensorflow/core/framework/node_def_util.h"

namespace tensorflow {

enum Padding { VALID = 1, SAME = 2, EXPLICIT = 3 };

Status GetPaddingFromString(StringPiece text, Padding* value);
Status GetNodeAttr(const AttrSlice& attrs, StringPiece attr_name, Padding* value);
inline string GetPaddingAttrString() { return "padding: {'SAME', 'VALID'}"; }

}  // namespace tensorflow

#endif
