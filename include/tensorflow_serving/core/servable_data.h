#ifndef TENSORFLOW_SERVING_CORE_SERVABLE_DATA_H_
#define TENSORFLOW_SERVING_CORE_SERVABLE_DATA_H_

#include <utility>

#include "tensorflow/core/lib/core/errors.h"
#include "tensorflow/core/lib/core/status.h"
#include "tensorflow/core/platform/logging.h"
#include "tensorflow_serving/core/servable_id.h"

namespace tensorflow {
namespace serving {

// A version and what is known of it, or why that could not be found out.
template <typename T>
class ServableData {
 public:
  ServableData(const ServableId& id, T data) : id_(id), data_(std::move(data)) {}
  ServableData(const ServableId& id, Status error) : id_(id), status_(std::move(error)), data_() {
    if (status_.ok()) status_ = errors::Internal("An error that is none");
  }
  ServableData(const ServableData& other) = default;
  ServableData(ServableData&& other) = default;
  ServableData& operator=(const ServableData& other) = default;
  ServableData& operator=(ServableData&& other) = default;

  const ServableId& id() const { return id_; }
  const Status& status() const { return status_; }
  const T& DataOrDie() const {
    TF_CHECK_OK(status_);
    return data_;
  }
  T ConsumeDataOrDie() {
    TF_CHECK_OK(status_);
    return std::move(data_);
  }

 private:
  ServableId id_;
  Status status_;
  T data_;
};

template <typename T>
ServableData<T> CreateServableData(const ServableId& id, T data) {
  return ServableData<T>(id, std::move(data));
}

}  // namespace serving
}  // namespace tensorflow

#endif
