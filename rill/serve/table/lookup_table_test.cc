#include "rill/serve/table/lookup_table.h"

#include <gtest/gtest.h>

#include "rill/base/file_testing.h"
#include "rill/base/files.h"
#include "rill/serve/service/platforms.h"
#include "tensorflow_serving/servables/hashmap/hashmap_source_adapter.pb.h"

namespace rill::serve {
namespace {

using tensorflow::serving::HashmapSourceAdapterConfig;
using tensorflow::serving::PlatformConfigMap;

class LookupTables : public testing::Test {
 protected:
  std::string read_error(const std::string& text) {
    write_file(path_, text);
    return error_of([&] { read_lookup(path_); });
  }
  ScratchDirectory folder_;
  const std::string path_ = folder_ / "1";
};

TEST_F(LookupTables, lines_of_key_and_value) {
  write_file(path_, "a,1\nb,2\r\n\n c d ,\na,1");
  EXPECT_EQ(read_lookup(path_), (Lookup{{"a", "1"}, {"b", "2"}, {" c d ", ""}}));
}

TEST_F(LookupTables, say_which_line_is_wrong) {
  EXPECT_NE(read_error("a,1\nb").find("line 2 of "), std::string::npos);
  EXPECT_NE(read_error("a,1,2").find("Unexpected format"), std::string::npos);
  EXPECT_NE(read_error("a,1\na,2").find("another value for a"), std::string::npos);
  EXPECT_NE(error_of([&] { read_lookup(folder_ / "none"); }).find("NotFound"), std::string::npos);
}

PlatformConfigMap platforms(const google::protobuf::Message& config) {
  PlatformConfigMap map;
  (*map.mutable_platform_configs())["tables"].mutable_source_adapter_config()->PackFrom(config);
  return map;
}

TEST_F(LookupTables, are_a_platform) {
  write_file(path_, "a,1");
  const auto adapters = adapters_for(platforms(HashmapSourceAdapterConfig()));
  LoaderRef loader;
  adapters.at("tables")->connect([&](const std::string& name, auto versions) {
    EXPECT_EQ(name, "t");
    loader = versions.at(0).data;
  });
  adapters.at("tables")->take("t", {{{"t", 1}, path_, {}}});
  const auto table = std::dynamic_pointer_cast<LookupTable>(loader->load());
  ASSERT_NE(table, nullptr);
  EXPECT_EQ(table->entries.at("a"), "1");
}

TEST(Platforms, unknown_platforms_are_named) {
  EXPECT_EQ(error_of([] { adapters_for(platforms(PlatformConfigMap())); }),
            "InvalidArgument: No source adapter is registered for "
            "tensorflow.serving.PlatformConfigMap of platform tables");
  PlatformConfigMap map;
  (*map.mutable_platform_configs())["empty"];
  EXPECT_EQ(error_of([&] { adapters_for(map); }),
            "InvalidArgument: The platform empty has no source_adapter_config");
  HashmapSourceAdapterConfig config;
  config.set_format(static_cast<HashmapSourceAdapterConfig::Format>(7));
  EXPECT_NE(error_of([&] { adapters_for(platforms(config)); }).find("no format 7"),
            std::string::npos);
  auto broken = platforms(HashmapSourceAdapterConfig());
  broken.mutable_platform_configs()->at("tables").mutable_source_adapter_config()->set_value(
      "\x07");
  EXPECT_NE(error_of([&] { adapters_for(broken); }).find("holds no such message"),
            std::string::npos);
}

TEST(Platforms, registered_platforms_take_precedence_and_are_unique) {
  const auto make = [](const google::protobuf::Any&) -> PathAdapterRef { return nullptr; };
  register_adapter("test.Config", make);
  EXPECT_NE(error_of([&] { register_adapter("test.Config", make); }).find("AlreadyExists"),
            std::string::npos);
  const auto adapters = adapters_for(platforms(HashmapSourceAdapterConfig()),
                                     {{"tensorflow.serving.HashmapSourceAdapterConfig", make}});
  EXPECT_EQ(adapters.at("tables"), nullptr);
}

}  // namespace
}  // namespace rill::serve
