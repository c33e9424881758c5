#ifndef TENSORFLOW_SERVING_CORE_SOURCE_ADAPTER_H_
#define TENSORFLOW_SERVING_CORE_SOURCE_ADAPTER_H_

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "google/protobuf/any.pb.h"
#include "tensorflow/core/lib/core/errors.h"
#include "tensorflow/core/platform/notification.h"
#include "tensorflow_serving/core/loader.h"
#include "tensorflow_serving/core/source.h"
#include "tensorflow_serving/core/storage_path.h"
#include "tensorflow_serving/core/target.h"

namespace tensorflow {
namespace serving {

// Makes versions of one kind into versions of another. Derived classes call Detach() in their
// destructors.
template <typename InputType, typename OutputType>
class SourceAdapter : public TargetBase<InputType>, public Source<OutputType> {
 public:
  ~SourceAdapter() override = 0;

  void SetAspiredVersions(const StringPiece servable_name,
                          std::vector<ServableData<InputType>> versions) final {
    connected_.WaitForNotification();
    callback_(servable_name, Adapt(servable_name, std::move(versions)));
  }
  void SetAspiredVersionsCallback(
      typename Source<OutputType>::AspiredVersionsCallback callback) final {
    callback_ = std::move(callback);
    connected_.Notify();
  }

  virtual std::vector<ServableData<OutputType>> Adapt(
      const StringPiece servable_name, std::vector<ServableData<InputType>> versions) = 0;
  ServableData<OutputType> AdaptOneVersion(ServableData<InputType> input) {
    const ServableId id = input.id();
    std::vector<ServableData<InputType>> one;
    one.push_back(std::move(input));
    std::vector<ServableData<OutputType>> adapted = Adapt(id.name, std::move(one));
    if (adapted.size() != 1)
      return ServableData<OutputType>(id, errors::Internal("One version became ", adapted.size()));
    return std::move(adapted[0]);
  }

 protected:
  SourceAdapter() = default;

 private:
  typename Source<OutputType>::AspiredVersionsCallback callback_;
  Notification connected_;
};
template <typename InputType, typename OutputType>
SourceAdapter<InputType, OutputType>::~SourceAdapter() {}

// Converts each version by itself.
template <typename InputType, typename OutputType>
class UnarySourceAdapter : public SourceAdapter<InputType, OutputType> {
 public:
  ~UnarySourceAdapter() override = 0;

 protected:
  UnarySourceAdapter() = default;

 private:
  virtual Status Convert(const InputType& data, OutputType* converted_data) = 0;

  std::vector<ServableData<OutputType>> Adapt(const StringPiece,
                                              std::vector<ServableData<InputType>> versions) final {
    std::vector<ServableData<OutputType>> adapted;
    for (const ServableData<InputType>& version : versions) {
      if (!version.status().ok()) {
        adapted.push_back(ServableData<OutputType>(version.id(), version.status()));
        continue;
      }
      OutputType data;
      const Status status = Convert(version.DataOrDie(), &data);
      if (status.ok())
        adapted.push_back(ServableData<OutputType>(version.id(), std::move(data)));
      else
        adapted.push_back(ServableData<OutputType>(version.id(), status));
    }
    return adapted;
  }
};
template <typename InputType, typename OutputType>
UnarySourceAdapter<InputType, OutputType>::~UnarySourceAdapter() {}

// Converts with a function.
template <typename InputType, typename OutputType>
class FunctionSourceAdapter final : public UnarySourceAdapter<InputType, OutputType> {
 public:
  typedef std::function<Status(const InputType& data, OutputType* converted)> ConversionFunction;
  explicit FunctionSourceAdapter(const ConversionFunction& conversion) : conversion_(conversion) {}
  ~FunctionSourceAdapter() override { TargetBase<InputType>::Detach(); }

 private:
  Status Convert(const InputType& data, OutputType* converted) override {
    return conversion_(data, converted);
  }
  const ConversionFunction conversion_;
};

// Makes every version fail.
template <typename InputType, typename OutputType>
class ErrorInjectingSourceAdapter final : public SourceAdapter<InputType, OutputType> {
 public:
  explicit ErrorInjectingSourceAdapter(const Status& error) : error_(error) {}
  ~ErrorInjectingSourceAdapter() override { TargetBase<InputType>::Detach(); }

 private:
  std::vector<ServableData<OutputType>> Adapt(
      const StringPiece, std::vector<ServableData<InputType>> versions) override {
    std::vector<ServableData<OutputType>> failed;
    for (const ServableData<InputType>& version : versions)
      failed.push_back(ServableData<OutputType>(version.id(), error_));
    return failed;
  }
  const Status error_;
};

typedef SourceAdapter<StoragePath, std::unique_ptr<Loader>> StoragePathSourceAdapter;

// Who makes adapters, by the message that configures them. What is registered here is known to
// ServerCore and to the model server.
class StoragePathSourceAdapterRegistry {
 public:
  typedef std::function<Status(const google::protobuf::Any& config,
                               std::unique_ptr<StoragePathSourceAdapter>* adapter)>
      Factory;
  // AlreadyExists when there is one for that message.
  static Status Register(const string& message, Factory factory);
  static Status CreateFromAny(const google::protobuf::Any& config,
                              std::unique_ptr<StoragePathSourceAdapter>* adapter);
  template <typename Config>
  static Status Create(const Config& config, std::unique_ptr<StoragePathSourceAdapter>* adapter) {
    google::protobuf::Any any;
    any.PackFrom(config);
    return CreateFromAny(any, adapter);
  }
};

namespace internal {
template <typename Creator, typename Config>
struct AdapterRegistration {
  AdapterRegistration() {
    const Status status = StoragePathSourceAdapterRegistry::Register(
        Config::descriptor()->full_name(),
        [](const google::protobuf::Any& any, std::unique_ptr<StoragePathSourceAdapter>* adapter) {
          Config config;
          if (!any.UnpackTo(&config))
            return errors::InvalidArgument("Proto is not a ", Config::descriptor()->full_name());
          return Creator::Create(config, adapter);
        });
    if (!status.ok()) LOG(ERROR) << status;
  }
};
}  // namespace internal

}  // namespace serving
}  // namespace tensorflow

// `ClassCreator` has a static Create(const ConfigProto&,
// std::unique_ptr<StoragePathSourceAdapter>*) that returns a Status.
#define REGISTER_STORAGE_PATH_SOURCE_ADAPTER(ClassCreator, ConfigProto) \
  REGISTER_STORAGE_PATH_SOURCE_ADAPTER_UNIQ_HELPER(__COUNTER__, ClassCreator, ConfigProto)
#define REGISTER_STORAGE_PATH_SOURCE_ADAPTER_UNIQ_HELPER(counter, ClassCreator, ConfigProto) \
  REGISTER_STORAGE_PATH_SOURCE_ADAPTER_UNIQ(counter, ClassCreator, ConfigProto)
#define REGISTER_STORAGE_PATH_SOURCE_ADAPTER_UNIQ(counter, ClassCreator, ConfigProto)    \
  static ::tensorflow::serving::internal::AdapterRegistration<ClassCreator, ConfigProto> \
      register_storage_path_source_adapter_##counter TF_ATTRIBUTE_UNUSED

#endif
