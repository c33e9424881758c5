// Models that try to reach for what is none of theirs, wherever they hide it.
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include "rill/base/files.h"
#include "rill/graph/graph_def.h"
#include "rill/ops/register.h"
#include "rill/serve/model/op_policy.h"
#include "tensorflow/core/framework/graph.pb.h"
#include "tensorflow/core/protobuf/saved_model.pb.h"
#include "tests/cpp/serve_testing.h"

namespace rill::serve {
namespace {

using tensorflow::GraphDef;

constexpr const char* kLibrary = R"(
    library {
      function {
        signature {
          name: "reads" input_arg { name: "x" type: DT_STRING }
          output_arg { name: "y" type: DT_STRING }
        }
        node_def { name: "secret" op: "ReadFile" input: "x" }
        ret { key: "y" value: "secret:contents:0" }
      }
      function {
        signature {
          name: "keeps" input_arg { name: "x" type: DT_STRING }
          output_arg { name: "y" type: DT_STRING }
        }
        node_def {
          name: "same" op: "Identity" input: "x" attr { key: "T" value { type: DT_STRING } }
        }
        ret { key: "y" value: "same:output:0" }
      }
      function {
        signature {
          name: "calls" input_arg { name: "x" type: DT_STRING }
          output_arg { name: "y" type: DT_STRING }
        }
        node_def {
          name: "inner" op: "PartitionedCall" input: "x"
          attr { key: "Tin" value { list { type: DT_STRING } } }
          attr { key: "Tout" value { list { type: DT_STRING } } }
          attr { key: "f" value { func { name: "reads" } } }
        }
        ret { key: "y" value: "inner:output:0" }
      }
      function {
        signature {
          name: "is_path" input_arg { name: "x" type: DT_STRING }
          output_arg { name: "y" type: DT_BOOL }
        }
        node_def {
          name: "text" op: "Const" attr { key: "dtype" value { type: DT_STRING } }
          attr {
            key: "value" value { tensor { dtype: DT_STRING tensor_shape {} string_val: "PATH" } }
          }
        }
        node_def {
          name: "equal" op: "Equal" input: "x" input: "text:output:0"
          attr { key: "T" value { type: DT_STRING } }
        }
        ret { key: "y" value: "equal:z:0" }
      }
    }
    node {
      name: "path" op: "Const" attr { key: "dtype" value { type: DT_STRING } }
      attr {
        key: "value" value { tensor { dtype: DT_STRING tensor_shape {} string_val: "PATH" } }
      }
    }
    node {
      name: "true" op: "Const" attr { key: "dtype" value { type: DT_BOOL } }
      attr { key: "value" value { tensor { dtype: DT_BOOL tensor_shape {} bool_val: true } } }
    })";

struct Hidden {
  const char* where;
  const char* op;
  const char* nodes;  // "out" gives what the file holds
};
const Hidden kHidden[] = {
    {"the graph", "ReadFile", R"(
    node { name: "out" op: "ReadFile" input: "path" })"},
    {"a branch", "ReadFile", R"(
    node {
      name: "out" op: "If" input: "true" input: "path"
      attr { key: "Tcond" value { type: DT_BOOL } }
      attr { key: "Tin" value { list { type: DT_STRING } } }
      attr { key: "Tout" value { list { type: DT_STRING } } }
      attr { key: "then_branch" value { func { name: "reads" } } }
      attr { key: "else_branch" value { func { name: "keeps" } } }
    })"},
    {"a loop", "ReadFile", R"(
    node {
      name: "out" op: "While" input: "path" attr { key: "T" value { list { type: DT_STRING } } }
      attr { key: "cond" value { func { name: "is_path" } } }
      attr { key: "body" value { func { name: "calls" } } }
    })"},
    {"a function of a function", "ReadFile", R"(
    node {
      name: "out" op: "StatefulPartitionedCall" input: "path"
      attr { key: "Tin" value { list { type: DT_STRING } } }
      attr { key: "Tout" value { list { type: DT_STRING } } }
      attr { key: "f" value { func { name: "calls" } } }
    })"},
    {"a node that is a function", "ReadFile",
     R"(
    node { name: "out" op: "calls" input: "path" })"},
    {"what a dataset maps with", "ReadFile", R"(
    node {
      name: "paths" op: "TensorDataset" input: "path"
      attr { key: "Toutput_types" value { list { type: DT_STRING } } }
      attr { key: "output_shapes" value { list { shape {} } } }
    }
    node {
      name: "mapped" op: "MapDataset" input: "paths"
      attr { key: "f" value { func { name: "calls" } } }
      attr { key: "Targuments" value { list {} } }
      attr { key: "output_types" value { list { type: DT_STRING } } }
      attr { key: "output_shapes" value { list { shape {} } } }
    }
    node {
      name: "out" op: "DatasetToSingleElement" input: "mapped"
      attr { key: "output_types" value { list { type: DT_STRING } } }
      attr { key: "output_shapes" value { list { shape {} } } }
    })"},
    {"a dataset", "TextLineDataset", R"(
    node {
      name: "none" op: "Const" attr { key: "dtype" value { type: DT_STRING } }
      attr { key: "value" value { tensor { dtype: DT_STRING tensor_shape {} string_val: "" } } }
    }
    node {
      name: "few" op: "Const" attr { key: "dtype" value { type: DT_INT64 } }
      attr { key: "value" value { tensor { dtype: DT_INT64 tensor_shape {} int64_val: 0 } } }
    }
    node { name: "lines" op: "TextLineDataset" input: "path" input: "none" input: "few" }
    node {
      name: "out" op: "DatasetToSingleElement" input: "lines"
      attr { key: "output_types" value { list { type: DT_STRING } } }
      attr { key: "output_shapes" value { list { shape {} } } }
    })"},
};

GraphDef parsed(std::string text, const std::string& path) {
  for (std::size_t at; (at = text.find("PATH")) != std::string::npos;) text.replace(at, 4, path);
  GraphDef graph;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &graph));
  graph.mutable_versions()->set_producer(134);
  return graph;
}

class ServePolicy : public testing::Test {
 protected:
  ServePolicy() { write_file(secret_, "secret"); }

  std::string run(const GraphDef& def, const std::string& allowed, bool loading = false) {
    const auto guard = std::make_shared<ModelGuard>(std::make_shared<OpPolicy>(allowed),
                                                    ServableId{"m", 1}, folder_ / "m");
    if (!loading) guard->end_loading();
    auto graph = std::make_shared<Graph>(standard_ops());
    import_graph_def(*graph, def);
    SessionOptions options;
    options.guard = guard;
    Session session(graph, options);
    try {
      return session.run(graph->tensor("out:0")).flat<std::string>()[0];
    } catch (const Error& error) {
      return error.what();
    }
  }
  GraphDef hidden(const Hidden& how) const { return parsed(str_cat(kLibrary, how.nodes), secret_); }
  // What the dataset `input` of the graph is, as bytes.
  std::string bytes_of(GraphDef def, const std::string& input) {
    auto* node = def.add_node();
    node->set_name("bytes");
    node->set_op("DatasetToGraph");
    node->add_input(input);
    auto graph = std::make_shared<Graph>(standard_ops());
    import_graph_def(*graph, def);
    Session session(graph);
    return session.run(graph->tensor("bytes:0")).flat<std::string>()[0];
  }

  ScratchDirectory folder_;
  const std::string secret_ = folder_ / "secret.txt";
};

TEST_F(ServePolicy, ops_are_refused_where_their_kernels_are_made) {
  for (const Hidden& how : kHidden) {
    const std::string refused = run(hidden(how), "");
    EXPECT_NE(refused.find(str_cat("PermissionDenied: Model {name: m version: 1} would run ",
                                   how.op, " in node ")),
              std::string::npos)
        << how.where << ": " << refused;
    EXPECT_EQ(run(hidden(how), str_cat("m:", how.op)), "secret") << how.where;
    EXPECT_NE(run(hidden(how), str_cat("other:", how.op)), "secret") << how.where;
  }
}

TEST_F(ServePolicy, graphs_inside_of_tensors_hide_nothing) {
  for (const Hidden& how : kHidden) {
    const bool maps = std::string(how.where) == "what a dataset maps with";
    if (!maps && std::string(how.where) != "a dataset") continue;
    GraphDef def = parsed(kLibrary, secret_);
    auto* bytes = def.add_node();
    bytes->CopyFrom(def.node(0));
    bytes->set_name("bytes");
    (*bytes->mutable_attr())["value"].mutable_tensor()->set_string_val(
        0, bytes_of(hidden(how), maps ? "mapped" : "lines"));
    auto* dataset = def.add_node();
    dataset->set_name("dataset");
    dataset->set_op("DatasetFromGraph");
    dataset->add_input("bytes");
    const GraphDef original = hidden(how);
    def.add_node()->CopyFrom(original.node(original.node_size() - 1));
    def.mutable_node(def.node_size() - 1)->set_input(0, "dataset");
    EXPECT_NE(run(def, "").find("would run DatasetFromGraph"), std::string::npos);
    EXPECT_NE(run(def, "DatasetFromGraph").find(str_cat("would run ", how.op)), std::string::npos);
    EXPECT_EQ(run(def, str_cat("DatasetFromGraph,", how.op)), "secret");
  }
}

TEST_F(ServePolicy, attributes_that_name_files) {
  GraphDef def = parsed(kLibrary, secret_);
  auto* node = def.add_node();
  node->set_name("out");
  node->set_op("DecodeProtoV2");
  node->add_input("path");
  auto& attrs = *node->mutable_attr();
  attrs["message_type"].set_s("m");
  attrs["field_names"].mutable_list();
  attrs["output_types"].mutable_list();
  attrs["descriptor_source"].set_s("/etc/passwd");
  EXPECT_NE(run(def, "").find("would run DecodeProtoV2"), std::string::npos);
  EXPECT_EQ(run(def, "DecodeProtoV2").find("would run"), std::string::npos);
  attrs["descriptor_source"].set_s("local://");
  EXPECT_EQ(run(def, "").find("would run"), std::string::npos);
}

TEST(LiesWithin, looks_at_where_paths_lead) {
  const ScratchDirectory folder;
  const std::string model = folder / "m/1", other = folder / "m/10";
  make_directories(model);
  make_directories(other);
  write_file(other + "/secret", "s");
  std::filesystem::create_symlink(other + "/secret", model + "/link");
  std::filesystem::create_directory_symlink(model, folder / "latest");
  EXPECT_TRUE(lies_within(model, model));
  EXPECT_TRUE(lies_within(model + "/", model));
  EXPECT_TRUE(lies_within(model + "/assets/words", model));
  EXPECT_TRUE(lies_within(model + "/assets/words", model + "/"));
  EXPECT_TRUE(lies_within("file://" + model + "/assets/words", model));
  EXPECT_TRUE(lies_within(model + "/assets/words", folder / "latest"));
  EXPECT_FALSE(lies_within(other, model));
  EXPECT_FALSE(lies_within(model + "/../10/secret", model));
  EXPECT_FALSE(lies_within(model + "/*/../../10/secret", model));
  EXPECT_FALSE(lies_within(model + "/link", model));
  EXPECT_FALSE(lies_within("/etc/passwd", model));
  EXPECT_FALSE(lies_within("http://example.com/" + model, model));
  EXPECT_FALSE(lies_within("", model));
  EXPECT_TRUE(lies_within("ram://m/1/a", "ram://m/1"));
  EXPECT_FALSE(lies_within("ram://m/1/../2", "ram://m/1"));
}

// A model that answers with what its table has for "x"; the table is read from `path`, which the
// graph puts together of two halves.
void write_table_model(const std::string& directory, const std::string& path) {
  GraphDef graph = parsed(R"(
    node {
      name: "first" op: "Const" attr { key: "dtype" value { type: DT_STRING } }
      attr { key: "value" value { tensor { dtype: DT_STRING tensor_shape {} string_val: "/" } } }
    }
    node {
      name: "second" op: "Const" attr { key: "dtype" value { type: DT_STRING } }
      attr {
        key: "value" value { tensor { dtype: DT_STRING tensor_shape {} string_val: "PATH" } }
      }
    }
    node {
      name: "path" op: "StringJoin" input: "first" input: "second"
      attr { key: "N" value { i: 2 } }
    }
    node {
      name: "table" op: "HashTableV2" attr { key: "key_dtype" value { type: DT_STRING } }
      attr { key: "value_dtype" value { type: DT_INT64 } }
    }
    node {
      name: "init" op: "InitializeTableFromTextFileV2" input: "table" input: "path"
      attr { key: "key_index" value { i: -2 } } attr { key: "value_index" value { i: -1 } }
    }
    node {
      name: "keys" op: "Placeholder" attr { key: "dtype" value { type: DT_STRING } }
      attr { key: "shape" value { shape { unknown_rank: true } } }
    }
    node {
      name: "none" op: "Const" attr { key: "dtype" value { type: DT_INT64 } }
      attr { key: "value" value { tensor { dtype: DT_INT64 tensor_shape {} int64_val: -1 } } }
    }
    node {
      name: "out" op: "LookupTableFindV2" input: "table" input: "keys" input: "none"
      attr { key: "Tin" value { type: DT_STRING } } attr { key: "Tout" value { type: DT_INT64 } }
    })",
                          path.substr(1));
  tensorflow::SavedModel model;
  model.set_saved_model_schema_version(1);
  auto& meta = *model.add_meta_graphs();
  meta.mutable_meta_info_def()->add_tags("serve");
  *meta.mutable_graph_def() = std::move(graph);
  (*meta.mutable_collection_def())["legacy_init_op"].mutable_node_list()->add_value("init");
  auto& signature = (*meta.mutable_signature_def())["serving_default"];
  signature.set_method_name("tensorflow/serving/predict");
  auto& key = (*signature.mutable_inputs())["keys"];
  key.set_name("keys:0");
  key.set_dtype(tensorflow::DT_STRING);
  auto& value = (*signature.mutable_outputs())["values"];
  value.set_name("out:0");
  value.set_dtype(tensorflow::DT_INT64);
  make_directories(directory);
  write_file(directory + "/saved_model.pb", model.SerializeAsString());
}

TEST_F(ServePolicy, a_version_that_reads_elsewhere_is_skipped_and_the_old_one_serves_on) {
  ModelFolder models;
  const ScratchDirectory made;
  make_directories(made / "words");
  write_file(models.path("words_of_1"), "x\ny\n");
  const auto add = [&](int version, const std::string& path) {
    const std::string directory = made / str_cat("v", version);
    write_table_model(directory, path);
    models.add("m", directory, version);
  };
  const std::string own = models.path("m") + "/1/words";
  write_table_model(made / "v1", own);
  write_file(made / "v1/words", "x\ny\n");
  models.add("m", made / "v1", 1);
  ModelOptions model;
  model.policy = std::make_shared<OpPolicy>("");
  ServerCoreOptions options = core_options(model);
  options.source.poll_wait_seconds = 1;
  ServedModels server(models, options);

  add(2, secret_);
  add(3, own);  // another version's
  messages::ModelSpec spec;
  spec.set_name("m");
  const auto failed = [&](std::int64_t version) -> std::string {
    spec.mutable_version()->set_value(version);
    for (int i = 0; i < 400; ++i) {
      try {
        const auto status = server.core.statuses(spec).at(0);
        if (status.state == State::kEnd) return status.error ? status.error->what() : "";
      } catch (const Error&) {
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return "it did not end";
  };
  const std::string why = failed(3);
  EXPECT_NE(why.find("PermissionDenied"), std::string::npos) << why;
  EXPECT_NE(why.find(own + ", which is outside of the model's directory"), std::string::npos)
      << why;
  EXPECT_NE(why.find("InitializeTableFromTextFileV2 in node init"), std::string::npos) << why;
  spec.clear_version();
  EXPECT_EQ(server.core.find(spec).id().version, 1);
}

}  // namespace
}  // namespace rill::serve
