// Graphs with devices that TensorFlow placed, cut into parts and ran (tools/placement_goldens.py):
// Rill must put every node where TensorFlow did, send the same values and come to the same results.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>

#include "rill/graph/graph_def.h"
#include "rill/ops/register.h"
#include "rill/runtime/session/session.h"
#include "rill/tensor/tensor_proto.h"
#include "tensorflow/core/framework/graph.pb.h"
#include "tensorflow/core/framework/tensor.pb.h"
#include "tensorflow/core/protobuf/meta_graph.pb.h"
#include "tensorflow/core/protobuf/named_tensor.pb.h"

namespace rill {
namespace {

const std::filesystem::path kPlacementGoldens = "tests/golden/placement";

std::vector<std::string> golden_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kPlacementGoldens))
    names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  return names;
}

class Golden {
 public:
  explicit Golden(const std::string& name) {
    std::ifstream file(kPlacementGoldens / (name + ".pb"), std::ios::binary);
    EXPECT_TRUE(meta_.ParseFromIstream(&file)) << name;
  }

  std::vector<std::string> list(const std::string& what) const {
    const auto it = meta_.collection_def().find(what);
    if (it == meta_.collection_def().end()) return {};
    const auto& bytes = it->second.bytes_list().value();
    return {bytes.begin(), bytes.end()};
  }

  std::unique_ptr<Session> session(bool soft, bool log) const {
    auto graph = std::make_shared<Graph>(standard_ops());
    import_graph_def(*graph, meta_.graph_def());
    SessionOptions options;
    options.device_count["CPU"] = 4;
    options.allow_soft_placement = soft;
    options.log_device_placement = log;
    options.fold = options.share = options.simplify = false;
    options.rewrites_off = {"all"};
    return std::make_unique<Session>(std::move(graph), options);
  }

  std::vector<Tensor> run(Session& session, StepStats* stats = nullptr) const {
    for (const std::string& op : list("before")) session.run({}, {}, {op});
    std::vector<Feed> feeds;
    for (const std::string& bytes : list("feeds")) {
      tensorflow::NamedTensorProto named;
      EXPECT_TRUE(named.ParseFromString(bytes));
      feeds.push_back({session.graph().tensor(named.name()), from_proto(named.tensor())});
    }
    std::vector<Output> fetches;
    for (const std::string& name : list("fetches")) fetches.push_back(session.graph().tensor(name));
    return session.run(feeds, fetches, {}, {.output_partition_graphs = true}, stats);
  }

 private:
  tensorflow::MetaGraphDef meta_;
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (const std::string_view line : split(text, '\n'))
    if (!line.empty()) lines.emplace_back(line);
  return lines;
}

// The nodes of a graph as lines that do not depend on how added nodes and edges are numbered, nor
// on which of several readers a loop of the cut is named after. Which kernels keep an argument in
// the memory of the host is TensorFlow's own matter: on CPUs there is no other memory.
class PartLines {
 public:
  explicit PartLines(const std::string& bytes) {
    EXPECT_TRUE(graph_.ParseFromString(bytes));
    for (const auto& node : graph_.node()) {
      names_[node.name()] = std::regex_replace(node.name(), std::regex("/_\\d+$"), "/_");
      if (node.name().starts_with("_cloop")) names_[node.name()] = "_cloop/" + node.op();
      if (node.name().starts_with("_cloop") && node.op() == "Enter")
        names_[node.input(0)] = "_cloop/start";
    }
    for (const auto& node : graph_.node()) lines_.insert(line(node));
  }
  std::multiset<std::string> lines_;

 private:
  std::string line(const tensorflow::NodeDef& node) {
    const std::string op = std::regex_replace(node.op(), std::regex("^_Host"), "_");
    std::string text = str_cat(node.device(), " ", name(node.name()), " = ", op);
    std::multiset<std::string> controls;
    for (const std::string& input : node.input()) {
      if (input[0] == '^') {
        controls.insert("^" + name(input.substr(1)));
        continue;
      }
      const auto colon = input.find(':');
      text += str_cat(" ", name(input.substr(0, colon)),
                      colon == input.npos ? "" : input.substr(colon));
    }
    // Some nodes of TensorFlow's wait for the loop of the cut although they wait for what it
    // brings.
    const bool is_receive = op == "_Recv";
    for (const std::string& control : controls)
      if (is_receive || control != "^_cloop/Merge") text += " " + control;
    for (const char* attr : {"T", "tensor_type", "index", "tensor_name", "send_device",
                             "recv_device", "client_terminated", "_src", "frame_name"})
      if (const auto it = node.attr().find(attr); it != node.attr().end())
        text += str_cat(" ", attr, "=", numberless(it->second));
    return text;
  }
  static std::string numberless(const tensorflow::AttrValue& value) {
    return std::regex_replace(value.ShortDebugString(), std::regex("edge_\\d+_"), "edge_");
  }
  std::string name(const std::string& full) const {
    const auto it = names_.find(full);
    return it == names_.end() ? full : it->second;
  }

  tensorflow::GraphDef graph_;
  std::map<std::string, std::string> names_;
};

std::multiset<std::string> all_lines(const std::vector<std::string>& graphs) {
  std::multiset<std::string> lines;
  for (const std::string& graph : graphs) lines.merge(PartLines(graph).lines_);
  return lines;
}

std::string difference(const std::multiset<std::string>& a, const std::multiset<std::string>& b) {
  std::vector<std::string> only;
  std::ranges::set_difference(a, b, std::back_inserter(only));
  return join(only, "\n");
}

class PlacementGolden : public testing::TestWithParam<std::string> {};

TEST_P(PlacementGolden, logs_what_tensorflow_logged) {
  const Golden golden(GetParam());
  for (const bool soft : {false, true}) {
    const char* suffix = soft ? "_soft" : "";
    const auto error = golden.list(str_cat("error", suffix));
    const auto session = golden.session(soft, true);
    testing::internal::CaptureStdout();
    try {
      golden.run(*session);
      EXPECT_TRUE(error.empty()) << error[0];
      EXPECT_EQ(lines_of(testing::internal::GetCapturedStdout()),
                golden.list(str_cat("log", suffix)));
    } catch (const Error& raised) {
      testing::internal::GetCapturedStdout();
      ASSERT_FALSE(error.empty()) << raised.what();
      EXPECT_EQ(raised.code(), Code::kInvalidArgument);
      EXPECT_NE(raised.message().find(error[0]), std::string::npos)
          << raised.message() << "\nwant " << error[0];
    }
  }
}

TEST_P(PlacementGolden, cuts_as_tensorflow_cut) {
  const Golden golden(GetParam());
  if (!golden.list("error").empty()) return;
  StepStats stats;
  const auto session = golden.session(false, false);
  const auto got = golden.run(*session, &stats);
  const auto want = golden.list("results");
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    tensorflow::TensorProto proto;
    ASSERT_TRUE(proto.ParseFromString(want[i]));
    EXPECT_TRUE(identical(got[i], from_proto(proto))) << print(got[i]);
  }
  const auto ours = all_lines(stats.partition_graphs);
  const auto theirs = all_lines(golden.list("partition_graphs"));
  EXPECT_EQ(difference(ours, theirs), "") << "is ours only";
  EXPECT_EQ(difference(theirs, ours), "") << "is TensorFlow's only";
}

INSTANTIATE_TEST_SUITE_P(Graphs, PlacementGolden, testing::ValuesIn(golden_names()),
                         [](const auto& info) { return info.param; });

TEST(PlacementGoldens, are_there) { EXPECT_GE(golden_names().size(), 40u); }

}  // namespace
}  // namespace rill
