// Servables, sources and servers written against TensorFlow Serving's headers alone.
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "rill/base/file_testing.h"
#include "rill/base/files.h"
#include "tensorflow/cc/saved_model/loader.h"
#include "tensorflow_serving/core/availability_preserving_policy.h"
#include "tensorflow_serving/core/resource_preserving_policy.h"
#include "tensorflow_serving/core/simple_loader.h"
#include "tensorflow_serving/core/static_manager.h"
#include "tensorflow_serving/model_servers/platform_config_util.h"
#include "tensorflow_serving/model_servers/server_core.h"
#include "tensorflow_serving/servables/hashmap/hashmap_source_adapter.h"
#include "tensorflow_serving/servables/tensorflow/classification_service.h"
#include "tensorflow_serving/servables/tensorflow/get_model_metadata_impl.h"
#include "tensorflow_serving/servables/tensorflow/multi_inference_helper.h"
#include "tensorflow_serving/servables/tensorflow/predict_impl.h"
#include "tensorflow_serving/servables/tensorflow/regression_service.h"
#include "tensorflow_serving/servables/tensorflow/saved_model_bundle_factory.h"
#include "tensorflow_serving/sources/storage_path/file_system_storage_path_source.h"
#include "tensorflow_serving/sources/storage_path/static_storage_path_source.h"

namespace tensorflow {
namespace serving {
namespace {

using rill::ScratchDirectory;

// A servable of one's own: the text of a file, shouted when its configuration says so. The
// configuration is a message that exists already.
struct Shout {
  string text;
};
class ShoutAdapter final : public SimpleLoaderSourceAdapter<StoragePath, Shout> {
 public:
  explicit ShoutAdapter(const LogCollectorConfig& config)
      : SimpleLoaderSourceAdapter(
            Creator([end = config.type()](const StoragePath& path, std::unique_ptr<Shout>* shout) {
              shout->reset(new Shout);
              const Status read = ReadFileToString(Env::Default(), path, &(*shout)->text);
              (*shout)->text += end;
              return read;
            }),
            EstimateNoResources()) {}
  ~ShoutAdapter() override { Detach(); }
};
class ShoutAdapterCreator {
 public:
  static Status Create(
      const LogCollectorConfig& config,
      std::unique_ptr<SourceAdapter<StoragePath, std::unique_ptr<Loader>>>* adapter) {
    if (config.type() == "?") return errors::InvalidArgument("nobody asks");
    adapter->reset(new ShoutAdapter(config));
    return Status::OK();
  }
};
REGISTER_STORAGE_PATH_SOURCE_ADAPTER(ShoutAdapterCreator, LogCollectorConfig);

void add_platform(const string& name, const google::protobuf::Message& config,
                  PlatformConfigMap* map) {
  (*map->mutable_platform_configs())[name].mutable_source_adapter_config()->PackFrom(config);
}
void add_model(const string& name, const string& path, const string& platform,
               ModelServerConfig* config) {
  ModelConfig* const model = config->mutable_model_config_list()->add_config();
  model->set_name(name);
  model->set_base_path(path);
  model->set_model_platform(platform);
}
ModelSpec spec_of(const string& name) {
  ModelSpec spec;
  spec.set_name(name);
  return spec;
}

class ServeCustom : public testing::Test {
 protected:
  ServeCustom() {
    rill::make_directories(folder_ / "shouts");
    rill::make_directories(folder_ / "tables");
    rill::write_file(folder_ / "shouts/3", "hello");
    rill::write_file(folder_ / "tables/1", "a,1\nb,2\n");
  }
  ServerCore::Options options() {
    ServerCore::Options options;
    LogCollectorConfig shout;
    shout.set_type("!");
    add_platform("shouting", shout, &options.platform_config_map);
    add_platform("hashmap", HashmapSourceAdapterConfig(), &options.platform_config_map);
    add_model("shout", folder_ / "shouts", "shouting", &options.model_server_config);
    add_model("table", folder_ / "tables", "hashmap", &options.model_server_config);
    options.file_system_poll_wait_seconds = 1;
    options.max_num_load_retries = 0;
    return options;
  }
  ScratchDirectory folder_;
};

TEST_F(ServeCustom, a_servable_of_ones_own_beside_a_table) {
  std::unique_ptr<ServerCore> core;
  TF_CHECK_OK(ServerCore::Create(options(), &core));
  ServableHandle<Shout> shout;
  TF_CHECK_OK(core->GetServableHandle(spec_of("shout"), &shout));
  EXPECT_EQ(shout->text, "hello!");
  EXPECT_EQ(shout.id(), (ServableId{"shout", 3}));
  ServableHandle<std::unordered_map<string, string>> table;
  TF_CHECK_OK(core->GetServableHandle(spec_of("table"), &table));
  EXPECT_EQ(table->at("b"), "2");
  EXPECT_EQ(core->ListAvailableServableIds().size(), 2u);
  EXPECT_EQ(core->GetAvailableServableHandles<Shout>().size(), 1u);
  EXPECT_EQ(core->servable_state_monitor()->GetState({"shout", 3})->manager_state,
            ServableState::ManagerState::kAvailable);

  ServableHandle<Shout> wrong;
  EXPECT_EQ(core->GetServableHandle(spec_of("table"), &wrong).code(), error::INVALID_ARGUMENT);
  EXPECT_TRUE(wrong == nullptr);
  EXPECT_EQ(core->GetServableHandle(spec_of("none"), &wrong).ToString(),
            "Not found: Servable not found for request: Latest(none)");
  EXPECT_EQ(core->GetServableHandle(ModelSpec(), &wrong).error_message(),
            "ModelSpec has no name specified.");
}

TEST_F(ServeCustom, new_versions_replace_old_ones_when_their_users_are_done) {
  std::unique_ptr<ServerCore> core;
  TF_CHECK_OK(ServerCore::Create(options(), &core));
  ServableHandle<Shout> old;
  TF_CHECK_OK(core->GetServableHandle(spec_of("shout"), &old));
  rill::write_file(folder_ / "shouts/4", "bye");
  std::map<ServableId, ServableState::ManagerState> reached;
  EXPECT_TRUE(core->servable_state_monitor()->WaitUntilServablesReachState(
      {ServableRequest::Specific("shout", 4)}, ServableState::ManagerState::kAvailable, &reached));
  ServableHandle<Shout> now;
  TF_CHECK_OK(core->GetServableHandle(spec_of("shout"), &now));
  EXPECT_EQ(now->text, "bye!");
  EXPECT_EQ(old->text, "hello!");
  EXPECT_TRUE(core->servable_state_monitor()->WaitUntilServablesReachState(
      {ServableRequest::Specific("shout", 3)}, ServableState::ManagerState::kUnloading, nullptr));
  old = ServableHandle<Shout>();
  EXPECT_TRUE(core->servable_state_monitor()->WaitUntilServablesReachState(
      {ServableRequest::Specific("shout", 3)}, ServableState::ManagerState::kEnd, nullptr));
}

TEST_F(ServeCustom, configurations_are_refused_with_reasons) {
  std::unique_ptr<ServerCore> core;
  ServerCore::Options refused = options();
  LogCollectorConfig question;
  question.set_type("?");
  add_platform("shouting", question, &refused.platform_config_map);
  EXPECT_EQ(ServerCore::Create(std::move(refused), &core).error_message(), "nobody asks");
  refused = options();
  add_platform("other", ModelSpec(), &refused.platform_config_map);
  EXPECT_NE(ServerCore::Create(std::move(refused), &core)
                .error_message()
                .find("No source adapter is registered for tensorflow.serving.ModelSpec"),
            string::npos);
  refused = options();
  add_model("third", folder_ / "tables", "nowhere", &refused.model_server_config);
  EXPECT_EQ(ServerCore::Create(std::move(refused), &core).code(), error::INVALID_ARGUMENT);
  refused = options();
  rill::write_file(folder_ / "tables/1", "no table");
  const Status failed = ServerCore::Create(std::move(refused), &core);
  EXPECT_NE(failed.error_message().find("1 model(s) did not become available: {{name: table"),
            string::npos)
      << failed;
  EXPECT_EQ(core, nullptr);
}

TEST_F(ServeCustom, labels) {
  std::unique_ptr<ServerCore> core;
  ServerCore::Options how = options();
  ModelServerConfig config = how.model_server_config;
  TF_CHECK_OK(ServerCore::Create(std::move(how), &core));
  (*config.mutable_model_config_list()->mutable_config(0)->mutable_version_labels())["best"] = 3;
  TF_CHECK_OK(core->ReloadConfig(config));
  ModelSpec spec = spec_of("shout");
  spec.set_version_label("best");
  ServableHandle<Shout> shout;
  TF_CHECK_OK(core->GetServableHandle(spec, &shout));
  EXPECT_EQ(shout.id().version, 3);
  spec.set_version_label("worst");
  EXPECT_EQ(core->GetServableHandle(spec, &shout).error_message(),
            "Unrecognized servable version label: worst");
}

TEST_F(ServeCustom, sources_of_ones_own) {
  ServerCore::Options how;
  how.model_server_config.mutable_custom_model_config()->PackFrom(spec_of("given"));
  how.custom_model_config_loader = [&](const google::protobuf::Any& any, EventBus<ServableState>*,
                                       UniquePtrWithDeps<AspiredVersionsManager>* manager) {
    ModelSpec spec;
    any.UnpackTo(&spec);
    StaticStoragePathSourceConfig config;
    config.set_servable_name(spec.name());
    config.set_version_num(7);
    config.set_version_path(folder_ / "shouts/3");
    std::unique_ptr<StaticStoragePathSource> source;
    TF_CHECK_OK(StaticStoragePathSource::Create(config, &source));
    auto* adapter = manager->AddDependency(
        std::unique_ptr<ShoutAdapter>(new ShoutAdapter(LogCollectorConfig())));
    ConnectSourceToTarget(adapter, manager->get());
    ConnectSourceToTarget(source.get(), adapter);
    manager->AddDependency(std::move(source));
    return Status::OK();
  };
  std::unique_ptr<ServerCore> core;
  TF_CHECK_OK(ServerCore::Create(std::move(how), &core));
  EXPECT_TRUE(core->servable_state_monitor()->WaitUntilServablesReachState(
      {ServableRequest::Latest("given")}, ServableState::ManagerState::kAvailable, nullptr));
  ServableHandle<Shout> shout;
  TF_CHECK_OK(core->GetServableHandle(ServableRequest::Latest("given"), &shout));
  EXPECT_EQ(shout->text, "hello");
  EXPECT_EQ(core->ReloadConfig(options().model_server_config).code(), error::FAILED_PRECONDITION);
}

// A loader that counts what is done with it.
struct LoadCounts {
  std::atomic<int> loads{0}, unloads{0}, gone{0};
};
class CountingLoader final : public ResourceUnsafeLoader {
 public:
  CountingLoader(LoadCounts* counts, int failures) : counts_(counts), failures_(failures) {}
  ~CountingLoader() override { ++counts_->gone; }
  Status Load() override {
    if (++counts_->loads <= failures_) return errors::Unavailable("not yet");
    return Status::OK();
  }
  void Unload() override { ++counts_->unloads; }
  AnyPtr servable() override { return AnyPtr(counts_); }

 private:
  LoadCounts* const counts_;
  const int failures_;
};

TEST(AspiredVersions, a_manager_with_a_source_of_ones_own) {
  LoadCounts counts;
  auto bus = EventBus<ServableState>::CreateEventBus();
  ServableStateMonitor monitor(bus.get());
  AspiredVersionsManager::Options options;
  options.aspired_version_policy.reset(new AvailabilityPreservingPolicy);
  options.servable_event_bus = bus.get();
  options.load_retry_interval_micros = 1000;
  std::atomic<int> hooked{0};
  options.pre_load_hook = [&](const ServableId& id) { hooked += static_cast<int>(id.version); };
  std::unique_ptr<AspiredVersionsManager> manager;
  TF_CHECK_OK(AspiredVersionsManager::Create(std::move(options), &manager));
  const auto aspire = manager->GetAspiredVersionsCallback();
  std::vector<ServableData<std::unique_ptr<Loader>>> versions;
  versions.emplace_back(ServableId{"s", 5},
                        std::unique_ptr<Loader>(new CountingLoader(&counts, 2)));
  versions.emplace_back(ServableId{"s", 6}, errors::DataLoss("cannot be"));
  aspire("s", std::move(versions));
  EXPECT_TRUE(monitor.WaitUntilServablesReachState(
      {ServableRequest::Specific("s", 5)}, ServableState::ManagerState::kAvailable, nullptr));
  EXPECT_EQ(counts.loads, 3);
  EXPECT_EQ(hooked, 15);
  EXPECT_EQ(monitor.GetState({"s", 6})->health, errors::DataLoss("cannot be"));
  {
    ServableHandle<LoadCounts> handle;
    TF_CHECK_OK(manager->GetServableHandle(ServableRequest::Latest("s"), &handle));
    EXPECT_EQ(handle.get(), &counts);
  }
  aspire("s", {});
  EXPECT_TRUE(monitor.WaitUntilServablesReachState({ServableRequest::Specific("s", 5)},
                                                   ServableState::ManagerState::kEnd, nullptr));
  EXPECT_EQ(counts.unloads, 1);
  EXPECT_TRUE(monitor.GetLiveServableStates().empty());
  manager.reset();
  EXPECT_EQ(counts.gone, 1);
  aspire("s", {});  // nobody hears it
}

// Loads nothing but even versions.
class EvenPolicy final : public AspiredVersionPolicy {
 public:
  optional<ServableAction> GetNextAction(
      const std::vector<AspiredServableStateSnapshot>& all) const override {
    for (const AspiredServableStateSnapshot& one : all)
      if (one.state == LoaderHarness::State::kNew && one.id.version % 2 == 0)
        return ServableAction{Action::kLoad, one.id};
    return nullopt;
  }
};

TEST(AspiredVersions, a_policy_of_ones_own) {
  LoadCounts counts;
  auto bus = EventBus<ServableState>::CreateEventBus();
  ServableStateMonitor monitor(bus.get());
  AspiredVersionsManager::Options options;
  EXPECT_EQ(AspiredVersionsManager::Create(std::move(options), nullptr).code(),
            error::INVALID_ARGUMENT);
  options = AspiredVersionsManager::Options();
  options.aspired_version_policy.reset(new EvenPolicy);
  options.servable_event_bus = bus.get();
  std::unique_ptr<AspiredVersionsManager> manager;
  TF_CHECK_OK(AspiredVersionsManager::Create(std::move(options), &manager));
  std::vector<ServableData<std::unique_ptr<Loader>>> versions;
  for (int version : {3, 2})
    versions.emplace_back(ServableId{"s", version},
                          std::unique_ptr<Loader>(new CountingLoader(&counts, 0)));
  manager->GetAspiredVersionsCallback()("s", std::move(versions));
  EXPECT_TRUE(monitor.WaitUntilServablesReachState(
      {ServableRequest::Specific("s", 2)}, ServableState::ManagerState::kAvailable, nullptr));
  EXPECT_EQ(manager->ListAvailableServableIds(), (std::vector<ServableId>{{"s", 2}}));
  EXPECT_EQ(counts.loads, 1);
}

TEST(Policies, as_documented) {
  typedef LoaderHarness::State State;
  const std::vector<AspiredServableStateSnapshot> both = {{{"s", 1}, State::kReady, false},
                                                          {{"s", 2}, State::kNew, true}};
  const auto kept = AvailabilityPreservingPolicy().GetNextAction(both);
  EXPECT_TRUE(*kept == (AspiredVersionPolicy::ServableAction{AspiredVersionPolicy::Action::kLoad,
                                                             {"s", 2}}));
  const auto spared = ResourcePreservingPolicy().GetNextAction(both);
  EXPECT_TRUE(*spared == (AspiredVersionPolicy::ServableAction{
                             AspiredVersionPolicy::Action::kUnload, {"s", 1}}));
  EXPECT_FALSE(AvailabilityPreservingPolicy().GetNextAction({}));
}

TEST(StaticManager, has_what_it_was_given) {
  StaticManagerBuilder builder;
  TF_CHECK_OK(builder.AddServable<string>({"s", 1}, std::unique_ptr<string>(new string("one"))));
  TF_CHECK_OK(builder.AddServable<string>({"s", 2}, std::unique_ptr<string>(new string("two"))));
  EXPECT_EQ(builder.AddServable<string>({"s", 2}, std::unique_ptr<string>(new string)).code(),
            error::INVALID_ARGUMENT);
  EXPECT_EQ(builder.AddServable<string>({"t", 2}, nullptr).code(), error::INVALID_ARGUMENT);
  const std::unique_ptr<Manager> manager = builder.Build();
  ServableHandle<string> handle;
  TF_CHECK_OK(manager->GetServableHandle(ServableRequest::Latest("s"), &handle));
  EXPECT_EQ(*handle, "two");
  TF_CHECK_OK(manager->GetServableHandle(ServableRequest::Specific("s", 1), &handle));
  EXPECT_EQ(*handle, "one");
  EXPECT_EQ(manager->GetServableHandle(ServableRequest::Specific("s", 3), &handle).code(),
            error::NOT_FOUND);
  EXPECT_EQ(manager->GetAvailableServableHandles<string>().size(), 2u);
}

TEST(SavedModelBundles, as_the_advanced_tutorial_serves_them) {
  const ScratchDirectory folder;
  std::filesystem::create_directories(folder / "m");
  std::filesystem::copy("tests/golden/models/saved_models/predict/model", folder / "m/1",
                        std::filesystem::copy_options::recursive);
  ServerCore::Options options;
  add_model("m", folder / "m", kTensorFlowModelPlatform, &options.model_server_config);
  options.platform_config_map = CreateTensorFlowPlatformConfigMap(SessionBundleConfig());
  options.aspired_version_policy.reset(new AvailabilityPreservingPolicy);
  std::unique_ptr<ServerCore> core;
  TF_CHECK_OK(ServerCore::Create(std::move(options), &core));
  ServableHandle<SavedModelBundle> bundle;
  TF_CHECK_OK(core->GetServableHandle(spec_of("m"), &bundle));
  EXPECT_GT(bundle->meta_graph_def.signature_def_size(), 0);
  EXPECT_NE(bundle->session, nullptr);

  PredictRequest request;
  *request.mutable_model_spec() = spec_of("m");
  PredictResponse response;
  TensorflowPredictor predictor;
  EXPECT_EQ(
      predictor.Predict(RunOptions(), core.get(), PredictRequest(), &response).error_message(),
      "Missing ModelSpec");
  EXPECT_EQ(predictor.Predict(RunOptions(), core.get(), request, &response).code(),
            error::INVALID_ARGUMENT);
  const SignatureDef& signature = bundle->GetSignatures().at("serving_default");
  for (const auto& input : signature.inputs()) {
    Tensor rows(DT_FLOAT, TensorShape({2, 3}));
    rows.flat<float>().setConstant(1.5f);
    rows.AsProtoField(&(*request.mutable_inputs())[input.first]);
  }
  TF_CHECK_OK(predictor.Predict(RunOptions(), core.get(), request, &response));
  EXPECT_EQ(response.outputs_size(), signature.outputs_size());
  EXPECT_EQ(response.model_spec().version().value(), 1);
  EXPECT_EQ(response.model_spec().signature_name(), "serving_default");
  GetModelMetadataRequest about;
  *about.mutable_model_spec() = spec_of("m");
  about.add_metadata_field("signature_def");
  GetModelMetadataResponse metadata;
  TF_CHECK_OK(GetModelMetadataImpl::GetModelMetadata(core.get(), about, &metadata));
  EXPECT_EQ(metadata.metadata().count("signature_def"), 1u);
  // The model has no such signatures; what is asked for is looked at all the same.
  ClassificationRequest classify;
  *classify.mutable_model_spec() = spec_of("m");
  ClassificationResponse classes;
  EXPECT_FALSE(
      TensorflowClassificationServiceImpl::Classify(RunOptions(), core.get(), classify, &classes)
          .ok());
  RegressionRequest regress;
  *regress.mutable_model_spec() = spec_of("m");
  RegressionResponse values;
  EXPECT_FALSE(
      TensorflowRegressionServiceImpl::Regress(RunOptions(), core.get(), regress, &values).ok());
  MultiInferenceRequest several;
  MultiInferenceResponse results;
  EXPECT_EQ(RunMultiInferenceWithServerCore(RunOptions(), core.get(), several, &results).code(),
            error::INVALID_ARGUMENT);
}

TEST(SavedModelBundles, join_what_several_threads_run) {
  SessionBundleConfig config;
  config.mutable_batching_parameters()->mutable_max_batch_size()->set_value(4);
  config.mutable_batching_parameters()->mutable_batch_timeout_micros()->set_value(10'000'000);
  config.mutable_batching_parameters()->mutable_num_batch_threads()->set_value(1);
  std::unique_ptr<SavedModelBundleFactory> factory;
  TF_CHECK_OK(SavedModelBundleFactory::Create(config, &factory));
  std::unique_ptr<SavedModelBundle> bundle;
  TF_CHECK_OK(factory->CreateSavedModelBundle("tests/golden/models/saved_models/simple_save/model",
                                              &bundle));
  ResourceAllocation estimate;
  TF_CHECK_OK(factory->EstimateResourceRequirement(
      "tests/golden/models/saved_models/simple_save/model", &estimate));
  EXPECT_GT(estimate.resource_quantities(0).quantity(), 0u);
  const SignatureDef& signature = bundle->GetSignatures().at("serving_default");
  const string x = signature.inputs().at("x").name(), y = signature.outputs().at("y").name();
  // Nobody is answered before four rows have come; each gets its own.
  std::vector<std::thread> threads;
  std::vector<Tensor> answers(4);
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      Tensor row(DT_FLOAT, TensorShape({1, 3}));
      row.flat<float>().setConstant(static_cast<float>(i));
      std::vector<Tensor> values;
      TF_CHECK_OK(bundle->session->Run({{x, row}}, {y}, {}, &values));
      answers[static_cast<std::size_t>(i)] = values.at(0);
    });
  for (std::thread& thread : threads) thread.join();
  for (const Tensor& answer : answers) EXPECT_EQ(answer.shape(), TensorShape({1, 2}));
  const float step = answers[1].flat<float>()(0) - answers[0].flat<float>()(0);
  EXPECT_NEAR(answers[3].flat<float>()(0), answers[0].flat<float>()(0) + 3 * step, 1e-4);
  EXPECT_NE(step, 0.0f);
  EXPECT_EQ(bundle->session->Run({}, {}, {"init"}, nullptr).code(), error::PERMISSION_DENIED);
  config.mutable_batching_parameters()->mutable_max_batch_size()->set_value(0);
  EXPECT_EQ(SavedModelBundleFactory::Create(config, &factory).code(), error::INVALID_ARGUMENT);
}

TEST(FileSystemStoragePath, finds_versions) {
  const ScratchDirectory folder;
  for (const char* version : {"s/1", "s/12", "s/word"}) rill::make_directories(folder / version);
  FileSystemStoragePathSourceConfig config;
  auto* const servable = config.add_servables();
  servable->set_servable_name("s");
  servable->set_base_path(folder / "s");
  servable->mutable_servable_version_policy()->mutable_all();
  std::unique_ptr<FileSystemStoragePathSource> source;
  TF_CHECK_OK(FileSystemStoragePathSource::Create(config, &source));
  std::vector<int64> found;
  source->SetAspiredVersionsCallback(
      [&](const StringPiece name, std::vector<ServableData<StoragePath>> versions) {
        EXPECT_EQ(name, "s");
        found.clear();
        for (const auto& version : versions) {
          EXPECT_EQ(version.DataOrDie(), folder / ("s/" + std::to_string(version.id().version)));
          found.push_back(version.id().version);
        }
      });
  EXPECT_EQ(found, (std::vector<int64>{1, 12}));
  servable->mutable_servable_version_policy()->mutable_latest();
  TF_CHECK_OK(source->UpdateConfig(config));
  EXPECT_EQ(found, (std::vector<int64>{12}));
  config.set_file_system_poll_wait_seconds(5);
  EXPECT_EQ(source->UpdateConfig(config).code(), error::INVALID_ARGUMENT);
}

TEST(AnyPointers, know_their_types) {
  int number = 5;
  const AnyPtr any(&number);
  EXPECT_EQ(any.get<int>(), &number);
  EXPECT_EQ(any.get<float>(), nullptr);
  EXPECT_EQ(AnyPtr().get<int>(), nullptr);
  UniqueAnyPtr held(std::unique_ptr<int>(new int(7)));
  UniqueAnyPtr moved = std::move(held);
  EXPECT_EQ(*moved.get<int>(), 7);
  optional<int> maybe;
  EXPECT_FALSE(maybe);
  maybe = 3;
  EXPECT_EQ(maybe.value_or(4), 3);
}

}  // namespace
}  // namespace serving
}  // namespace tensorflow
