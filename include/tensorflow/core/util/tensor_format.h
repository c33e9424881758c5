#ifndef TENSORFLOW_CORE_UTIL_TENSOR_FORMAT_H_
#define TENSORFLOW_CORE_UTIL_TENSOR_FORMAT_H_

#include <string>

#include "tensorflow/core/platform/types.h"

namespace tensorflow {

enum TensorFormat { FORMAT_NHWC = 0, FORMAT_NCHW = 1 };

bool FormatFromString(const string& format_str, TensorFormat* format);
string ToString(TensorFormat format);
inline string GetConvnetDataFormatAttrString() {
  return "data_format: { 'NHWC', 'NCHW' } = 'NHWC' ";
}
// Where a dimension ('N', 'H', 'W', 'C') of an image stands.
inline int GetTensorDimIndex(TensorFormat format, char dimension) {
  const char* order = format == FORMAT_NHWC ? "NHWC" : "NCHW";
  for (int i = 0; i < 4; ++i)
    if (order[i] == dimension) return i;
  return -1;
}

}  // namespace tensorflow

#endif
