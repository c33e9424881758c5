#include "rill/compat/serving/adapters.h"

#include <filesystem>

#include "rill/compat/convert.h"
#include "rill/compat/serving/model_session.h"
#include "rill/serve/batch/batching.h"
#include "rill/serve/table/lookup_table.h"
#include "tensorflow/cc/saved_model/tag_constants.h"
#include "tensorflow_serving/servables/hashmap/hashmap_source_adapter.h"
#include "tensorflow_serving/servables/tensorflow/saved_model_bundle_source_adapter.h"
#include "tensorflow_serving/servables/tensorflow/session_bundle_source_adapter.pb.h"

namespace tensorflow {
namespace serving {
namespace {

constexpr double kMemoryPerFileByte = 1.2;

uint64 bytes_below(const string& path) {
  uint64 bytes = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path))
    if (entry.is_regular_file()) bytes += entry.file_size();
  return bytes;
}

rill::serve::PathAdapterRef saved_models(const SessionBundleConfig& config,
                                         const PreLoadHook& hook) {
  SavedModelBundleSourceAdapterConfig of_bundles;
  *of_bundles.mutable_legacy_config() = config;
  std::unique_ptr<SavedModelBundleSourceAdapter> adapter;
  const Status status = SavedModelBundleSourceAdapter::Create(of_bundles, &adapter);
  if (!status.ok()) throw to_error(status);
  return to_rill(std::move(adapter), hook);
}

}  // namespace

rill::serve::AdapterMakers adapters_of_tensorflow(const PreLoadHook& hook) {
  using rill::serve::adapter_maker;
  return {{"tensorflow.serving.HashmapSourceAdapterConfig",
           adapter_maker<HashmapSourceAdapterConfig>([hook](const auto& config) {
             return to_rill(std::make_unique<HashmapSourceAdapter>(config), hook);
           })},
          {"tensorflow.serving.SavedModelBundleSourceAdapterConfig",
           adapter_maker<SavedModelBundleSourceAdapterConfig>(
               [hook](const auto& config) { return saved_models(config.legacy_config(), hook); })},
          {"tensorflow.serving.SessionBundleSourceAdapterConfig",
           adapter_maker<SessionBundleSourceAdapterConfig>(
               [hook](const auto& config) { return saved_models(config.config(), hook); })}};
}

HashmapSourceAdapter::HashmapSourceAdapter(const HashmapSourceAdapterConfig& config)
    : SimpleLoaderSourceAdapter(
          Creator([format = config.format()](
                      const StoragePath& path,
                      std::unique_ptr<std::unordered_map<string, string>>* table) {
            return guarded([&] {
              *table = std::make_unique<std::unordered_map<string, string>>(
                  rill::serve::read_lookup(path, static_cast<rill::serve::TableFormat>(format)));
            });
          }),
          EstimateNoResources()) {}
HashmapSourceAdapter::~HashmapSourceAdapter() { Detach(); }

// The runners of all bundles share threads.
struct SavedModelBundleFactory::Batching {
  std::function<std::unique_ptr<rill::serve::StepRunner>(const rill::serve::ServableId&)> make;
};

Status SavedModelBundleFactory::Create(const SessionBundleConfig& config,
                                       std::unique_ptr<SavedModelBundleFactory>* factory) {
  return guarded([&] {
    factory->reset(new SavedModelBundleFactory(config));
    if (!config.has_batching_parameters()) return;
    const auto options = rill::serve::batching_options(config.batching_parameters());
    (*factory)->batching_ =
        std::make_shared<Batching>(Batching{rill::serve::batching_runners(options)});
  });
}

Status SavedModelBundleFactory::CreateSavedModelBundle(const string& path,
                                                       std::unique_ptr<SavedModelBundle>* bundle) {
  SessionOptions options;
  options.target = config_.session_target();
  options.config = config_.session_config();
  std::unordered_set<string> tags(config_.saved_model_tags().begin(),
                                  config_.saved_model_tags().end());
  if (tags.empty()) tags.insert(kSavedModelTagServe);
  bundle->reset(new SavedModelBundle);
  return LoadModel(options, path, tags, batching_ == nullptr ? nullptr : batching_->make({path, 0}),
                   bundle->get());
}

Status SavedModelBundleFactory::EstimateResourceRequirement(const string& path,
                                                            ResourceAllocation* estimate) const {
  return guarded([&] {
    estimate->Clear();
    ResourceAllocation::Entry* const memory = estimate->add_resource_quantities();
    memory->mutable_resource()->set_device("main");
    memory->mutable_resource()->set_kind("ram_in_bytes");
    memory->set_quantity(
        static_cast<uint64>(static_cast<double>(bytes_below(path)) * kMemoryPerFileByte) +
        config_.experimental_transient_ram_bytes_during_load());
  });
}

Status SavedModelBundleSourceAdapter::Create(
    const SavedModelBundleSourceAdapterConfig& config,
    std::unique_ptr<SavedModelBundleSourceAdapter>* adapter) {
  std::unique_ptr<SavedModelBundleFactory> factory;
  const Status status = SavedModelBundleFactory::Create(config.legacy_config(), &factory);
  if (!status.ok()) return status;
  adapter->reset(new SavedModelBundleSourceAdapter(std::move(factory)));
  return Status::OK();
}
SavedModelBundleSourceAdapter::~SavedModelBundleSourceAdapter() { Detach(); }

Status SavedModelBundleSourceAdapter::Convert(const StoragePath& path,
                                              std::unique_ptr<Loader>* loader) {
  SimpleLoader<SavedModelBundle>::Creator create =
      [factory = factory_, path](std::unique_ptr<SavedModelBundle>* bundle) {
        return factory->CreateSavedModelBundle(path, bundle);
      };
  loader->reset(new SimpleLoader<SavedModelBundle>(
      std::move(create), [factory = factory_, path](ResourceAllocation* estimate) {
        return factory->EstimateResourceRequirement(path, estimate);
      }));
  return Status::OK();
}

}  // namespace serving
}  // namespace tensorflow
