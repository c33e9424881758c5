#ifndef TENSORFLOW_SERVING_CORE_TARGET_H_
#define TENSORFLOW_SERVING_CORE_TARGET_H_

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "tensorflow/core/platform/macros.h"
#include "tensorflow_serving/core/source.h"

namespace tensorflow {
namespace serving {

// Takes what a source says.
template <typename T>
class Target {
 public:
  virtual ~Target() = default;
  virtual typename Source<T>::AspiredVersionsCallback GetAspiredVersionsCallback() = 0;
};

// A target whose sources may outlive it: what they say after Detach() is not heard. Classes that
// derive from it call Detach() first thing in their destructors.
template <typename T>
class TargetBase : public Target<T> {
 public:
  ~TargetBase() override { Detach(); }
  typename Source<T>::AspiredVersionsCallback GetAspiredVersionsCallback() final {
    std::shared_ptr<Ear> ear = ear_;
    return [ear](const StringPiece servable_name, std::vector<ServableData<T>> versions) {
      std::lock_guard<std::mutex> lock(ear->mutex);
      if (ear->target != nullptr)
        ear->target->SetAspiredVersions(servable_name, std::move(versions));
    };
  }

 protected:
  TargetBase() : ear_(std::make_shared<Ear>()) { ear_->target = this; }
  virtual void SetAspiredVersions(const StringPiece servable_name,
                                  std::vector<ServableData<T>> versions) = 0;
  void Detach() {
    std::lock_guard<std::mutex> lock(ear_->mutex);
    ear_->target = nullptr;
  }

 private:
  struct Ear {
    std::mutex mutex;
    TargetBase* target = nullptr;
  };
  const std::shared_ptr<Ear> ear_;
  TF_DISALLOW_COPY_AND_ASSIGN(TargetBase);
};

template <typename T>
void ConnectSourceToTarget(Source<T>* source, Target<T>* target) {
  source->SetAspiredVersionsCallback(target->GetAspiredVersionsCallback());
}

}  // namespace serving
}  // namespace tensorflow

#endif
