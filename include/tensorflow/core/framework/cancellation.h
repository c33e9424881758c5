#ifndef TENSORFLOW_CORE_FRAMEWORK_CANCELLATION_H_
#define TENSORFLOW_CORE_FRAMEWORK_CANCELLATION_H_

#include <functional>

#include "tensorflow/core/platform/types.h"

namespace tensorflow {

typedef int64 CancellationToken;
typedef std::function<void()> CancelCallback;

// Tells a kernel that its step is over.
class CancellationManager {
 public:
  static const CancellationToken kInvalidToken = -1;
  virtual ~CancellationManager() {}
  virtual bool IsCancelled() = 0;
  virtual CancellationToken get_cancellation_token() = 0;
  // False when the step is cancelled already; the callback is not called then.
  virtual bool RegisterCallback(CancellationToken token, CancelCallback callback) = 0;
  // False when the callback has run.
  virtual bool DeregisterCallback(CancellationToken token) = 0;
  bool TryDeregisterCallback(CancellationToken token) { return DeregisterCallback(token); }
};

}  // namespace tensorflow

#endif
