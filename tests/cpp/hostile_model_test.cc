// Models that were made to do harm: each is refused with an error, and touches nothing outside.
#include <gtest/gtest.h>

#include "rill/api/saver/checkpoint_state.h"
#include "rill/base/file_testing.h"
#include "rill/io/bundle_index.h"
#include "rill/io/bundle_writer.h"
#include "rill/io/checkpoint_reader.h"
#include "rill/rill.h"
#include "rill/tensor/base128.h"
#include "tensorflow/core/protobuf/saved_model.pb.h"

namespace rill {
namespace {

using tensorflow::MetaGraphDef;

class HostileModel : public testing::Test {
 protected:
  HostileModel() {
    const AsDefault in_graph(make_graph());
    const Variable v(3.0f, {.name = "v"});
    Node& init = global_variables_initializer();
    Session session;
    session.run(init);
    saved_model::Builder builder(model);
    builder.add_meta_graph_and_variables(session, {"serve"});
    builder.save();
  }

  // What loading says after `change`.
  template <class Change>
  std::string error_with(Change&& change) {
    const std::string path = join_path(model, "saved_model.pb"), before = read_file(path);
    tensorflow::SavedModel message;
    EXPECT_TRUE(message.ParseFromString(before));
    change(*message.mutable_meta_graphs(0));
    write_file(path, message.SerializeAsString());
    const std::string error = error_of([&] { saved_model::load(model, {"serve"}); });
    write_file(path, before);
    return error;
  }

  static tensorflow::NodeDef& add_node(MetaGraphDef& graph, const char* name, const char* op) {
    tensorflow::NodeDef& node = *graph.mutable_graph_def()->add_node();
    node.set_name(name);
    node.set_op(op);
    return node;
  }

  ScratchDirectory directory;
  const std::string model = directory / "model";
  const std::string variables = directory / "model/variables/variables";
};

TEST_F(HostileModel, is_fine_as_it_is) {
  EXPECT_EQ(error_with([](MetaGraphDef&) {}), "");
}

TEST_F(HostileModel, assets_stay_inside) {
  for (const char* filename : {"../../x", "/etc/passwd", "a/b", "..", ".", "", "../assets/x"}) {
    const std::string error = error_with([&](MetaGraphDef& graph) {
      tensorflow::AssetFileDef& asset = *graph.add_asset_file_def();
      asset.mutable_tensor_info()->set_name("v:0");
      asset.set_filename(filename);
    });
    EXPECT_NE(error.find("which is no file of its own"), std::string::npos) << filename;
  }
}

TEST_F(HostileModel, names_lead_to_nothing) {
  EXPECT_FALSE(error_with([](MetaGraphDef& graph) {
                 graph.mutable_saver_def()->set_filename_tensor_name("../v:0");
               }).empty());
  EXPECT_FALSE(error_with([](MetaGraphDef& graph) {
                 graph.mutable_saver_def()->set_restore_op_name("nobody");
               }).empty());
  EXPECT_FALSE(
      error_with([](MetaGraphDef& graph) {
        (*graph.mutable_collection_def())["saved_model_main_op"].mutable_node_list()->add_value(
            "nobody");
      }).empty());
  EXPECT_FALSE(error_with([](MetaGraphDef& graph) {
                 add_node(graph, "x", "Identity").add_input("x:2147483647");
               }).empty());
  EXPECT_FALSE(error_with([](MetaGraphDef& graph) {
                 add_node(graph, "x", "Identity").add_input("v:-1");
               }).empty());
}

TEST_F(HostileModel, functions_that_never_end_are_stopped) {
  for (const char* call : {"PartitionedCall", "StatefulPartitionedCall", "itself"}) {
    const std::string error = error_with([&](MetaGraphDef& graph) {
      tensorflow::FunctionDef& function =
          *graph.mutable_graph_def()->mutable_library()->add_function();
      function.mutable_signature()->set_name("itself");
      auto& in = *function.mutable_signature()->add_input_arg();
      in.set_name("x");
      in.set_type(tensorflow::DT_FLOAT);
      auto& out = *function.mutable_signature()->add_output_arg();
      out.set_name("y");
      out.set_type(tensorflow::DT_FLOAT);
      const auto calls = [&](tensorflow::NodeDef& node, const char* input) {
        node.set_op(call);
        node.add_input(input);
        if (std::string_view(call) == "itself") return;
        (*node.mutable_attr())["f"].mutable_func()->set_name("itself");
        (*node.mutable_attr())["Tin"].mutable_list()->add_type(tensorflow::DT_FLOAT);
        (*node.mutable_attr())["Tout"].mutable_list()->add_type(tensorflow::DT_FLOAT);
      };
      tensorflow::NodeDef& inner = *function.add_node_def();
      inner.set_name("again");
      calls(inner, "x");
      (*function.mutable_ret())["y"] =
          std::string_view(call) == "itself" ? "again:y:0" : "again:output:0";
      calls(add_node(graph, "start", call), "v/read");
      (*graph.mutable_collection_def())["saved_model_main_op"].mutable_node_list()->add_value(
          "start");
    });
    EXPECT_NE(error.find("nest deeper"), std::string::npos) << call << ": " << error;
  }
}

// A message inside of a message, and so on: AttrValue.func.attr.value.func...
std::string nested(int depth) {
  const auto field = [](char number, const std::string& content) {
    std::string result(1, static_cast<char>(number << 3 | 2));
    append_base128(content.size(), &result);
    return result + content;
  };
  std::string value;
  for (int i = 0; i < depth; ++i)
    value = field(10, field(1, "f") + field(2, field(1, "k") + field(2, value)));
  const std::string attr = field(1, "k") + field(2, value);
  const std::string node = field(1, "n") + field(2, "NoOp") + field(5, attr);
  return field(2, field(2, field(1, node)));  // SavedModel.meta_graphs.graph_def.node
}

TEST_F(HostileModel, bottomless_messages_are_refused) {
  const std::string pb = join_path(model, "saved_model.pb");
  constexpr int kDeep = 3000;
  write_file(pb, nested(kDeep));
  EXPECT_NE(error_of([&] { saved_model::load(model, {"serve"}); }).find("it is no SavedModel"),
            std::string::npos);
  std::string text =
      "meta_graphs { graph_def { node { name: 'n' op: 'NoOp' attr { key: 'k' value { ";
  for (int i = 0; i < 100'000; ++i) text += "func { name: 'f' attr { key: 'k' value { ";
  remove_tree(pb);
  write_file(join_path(model, "saved_model.pbtxt"), text);
  EXPECT_NE(error_of([&] { saved_model::load(model, {"serve"}); }).find("no SavedModel in text"),
            std::string::npos);
}

TEST_F(HostileModel, absurd_entries_are_refused) {
  const BundleIndex good = read_bundle_index(variables);
  const auto error_reading = [&](auto&& change) {
    BundleIndex bad = good;
    change(bad);
    write_bundle_index(variables, bad);
    return error_of([&] { saved_model::load(model, {"serve"}); });
  };
  using Entry = tensorflow::BundleEntryProto;
  const auto entry = [&](auto&& change) {
    return error_reading([&](BundleIndex& index) { change(index.entries.at("v")); });
  };
  EXPECT_EQ(error_reading([](BundleIndex&) {}), "");
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  for (const std::int64_t number : {std::int64_t{-1}, -kMax, kMax, std::int64_t{1} << 40}) {
    EXPECT_NE(entry([&](Entry& e) { e.set_offset(number); }), "") << number;
    EXPECT_NE(entry([&](Entry& e) { e.set_size(number); }), "") << number;
    EXPECT_NE(entry([&](Entry& e) { e.mutable_shape()->add_dim()->set_size(number); }), "")
        << number;
  }
  for (const int number : {-1, 1, INT32_MAX})
    EXPECT_NE(entry([&](Entry& e) { e.set_shard_id(number); }), "") << number;
  for (const int number : {-1, 0, 2, INT32_MAX})
    EXPECT_NE(error_reading([&](BundleIndex& index) { index.header.set_num_shards(number); }), "")
        << number;
  EXPECT_NE(entry([](Entry& e) {
              auto& extent = *e.add_slices()->add_extent();
              extent.set_start(-5);
              extent.set_length(kMax);
            }),
            "");
}

TEST_F(HostileModel, a_state_file_deletes_nothing_elsewhere) {
  const AsDefault in_graph(make_graph());
  const Variable v(3.0f, {.name = "v"});
  Node& init = global_variables_initializer();
  train::Saver saver({.max_to_keep = 1});
  Session session;
  session.run(init);
  const std::string elsewhere =
      saver.save(session, directory / "elsewhere/m", {.write_state = false});
  train::Saver another({.max_to_keep = 1});
  another.recover_last_checkpoints({elsewhere, variables});
  for (const int step : {1, 2, 3})
    another.save(session, directory / "here/m", {.global_step = step});
  EXPECT_TRUE(train::checkpoint_exists(elsewhere));
  EXPECT_TRUE(train::checkpoint_exists(variables));
  EXPECT_FALSE(train::checkpoint_exists(directory / "here/m-1"));
}

TEST_F(HostileModel, wildcards_in_a_name_are_part_of_it) {
  for (const char* name : {"m*", "mine"}) {
    BundleWriter writer(directory / name);
    writer.add("v", Tensor::scalar(1.0f));
    writer.finish();
  }
  train::remove_checkpoint(directory / "m*");
  EXPECT_FALSE(file_exists(directory / "m*.index"));
  EXPECT_EQ(CheckpointReader::open(directory / "mine")->read("v").scalar_value<float>(), 1.0f);
}

}  // namespace
}  // namespace rill
