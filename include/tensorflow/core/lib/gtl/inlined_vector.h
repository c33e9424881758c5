#ifndef TENSORFLOW_CORE_LIB_GTL_INLINED_VECTOR_H_
#define TENSORFLOW_CORE_LIB_GTL_INLINED_VECTOR_H_

#include <vector>

#include "tensorflow/core/lib/gtl/array_slice.h"

namespace tensorflow {
namespace gtl {

// A vector that need not go to the heap for its first N elements; here it may all the same.
template <typename T, int N>
class InlinedVector : public std::vector<T> {
 public:
  using std::vector<T>::vector;
  InlinedVector() {}
};

}  // namespace gtl
}  // namespace tensorflow

#endif
