#include "rill/compat/serving/foreign.h"
#include "rill/serve/core/file_system_source.h"
#include "tensorflow_serving/sources/storage_path/file_system_storage_path_source.h"

namespace tensorflow {
namespace serving {
namespace {

using rill::serve::Aspired;
using Config = FileSystemStoragePathSourceConfig;

rill::serve::VersionChoice choice_of(const Config::ServableVersionPolicy& policy) {
  if (policy.has_all()) return rill::serve::AllVersions();
  if (policy.has_specific())
    return rill::serve::SpecificVersions{
        {policy.specific().versions().begin(), policy.specific().versions().end()}};
  return rill::serve::LatestVersions{std::max<std::size_t>(1, policy.latest().num_versions())};
}

rill::serve::WatchedModels watched(const Config& config) {
  rill::serve::WatchedModels models;
  for (const auto& servable : config.servables()) {
    rill::require(!models.contains(servable.servable_name()), "Duplicate servable name ",
                  servable.servable_name());
    models[servable.servable_name()] = {servable.base_path(),
                                        choice_of(servable.servable_version_policy())};
  }
  return models;
}

}  // namespace

struct FileSystemStoragePathSource::Impl {
  explicit Impl(const Config& given)
      : config(given),
        models(watched(given)),
        source({.poll_wait_seconds = given.file_system_poll_wait_seconds(),
                .always_present = given.servable_versions_always_present()}) {}
  mutable std::mutex mutex;
  Config config;
  rill::serve::WatchedModels models;
  bool connected = false;
  rill::serve::FileSystemSource source;
};

FileSystemStoragePathSource::FileSystemStoragePathSource(std::unique_ptr<Impl> impl)
    : impl_(std::move(impl)) {}
FileSystemStoragePathSource::~FileSystemStoragePathSource() = default;

Status FileSystemStoragePathSource::Create(const Config& config,
                                           std::unique_ptr<FileSystemStoragePathSource>* result) {
  return guarded(
      [&] { result->reset(new FileSystemStoragePathSource(std::make_unique<Impl>(config))); });
}

Status FileSystemStoragePathSource::UpdateConfig(const Config& config) {
  return guarded([&] {
    const std::lock_guard<std::mutex> lock(impl_->mutex);
    rill::require(
        config.file_system_poll_wait_seconds() == impl_->config.file_system_poll_wait_seconds(),
        "Changing file_system_poll_wait_seconds is not supported");
    impl_->models = watched(config);
    impl_->config = config;
    if (impl_->connected) impl_->source.watch(impl_->models);
  });
}

void FileSystemStoragePathSource::SetAspiredVersionsCallback(AspiredVersionsCallback callback) {
  const std::lock_guard<std::mutex> lock(impl_->mutex);
  impl_->source.connect(
      [callback](const std::string& name, std::vector<Aspired<std::string>> versions) {
        std::vector<ServableData<StoragePath>> paths;
        for (Aspired<std::string>& version : versions)
          paths.emplace_back(from_rill(version.id), std::move(version.data));
        callback(name, std::move(paths));
      });
  impl_->connected = true;
  impl_->source.watch(impl_->models);
}

FileSystemStoragePathSourceConfig FileSystemStoragePathSource::config() const {
  const std::lock_guard<std::mutex> lock(impl_->mutex);
  return impl_->config;
}

}  // namespace serving
}  // namespace tensorflow
