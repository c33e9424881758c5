#ifndef TENSORFLOW_SERVING_CORE_SOURCE_H_
#define TENSORFLOW_SERVING_CORE_SOURCE_H_

#include <functional>
#include <vector>

#include "tensorflow/core/lib/core/stringpiece.h"
#include "tensorflow_serving/core/servable_data.h"

namespace tensorflow {
namespace serving {

// Says which versions of servables are wanted: each call names all wanted versions of one servable;
// those left out are to go. Must not outlive what its callback reaches.
template <typename T>
class Source {
 public:
  virtual ~Source() = default;
  typedef std::function<void(const StringPiece servable_name,
                             std::vector<ServableData<T>> versions)>
      AspiredVersionsCallback;
  // Once, before anything is called back.
  virtual void SetAspiredVersionsCallback(AspiredVersionsCallback callback) = 0;
};

}  // namespace serving
}  // namespace tensorflow

#endif
