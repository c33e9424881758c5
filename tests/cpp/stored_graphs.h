#pragma once

// Graphs that TensorFlow built and ran, with what it answered: tools/control_graphs.py tells the
// format.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <regex>

#include "rill/graph/graph_def.h"
#include "rill/ops/register.h"
#include "rill/runtime/session/session.h"
#include "rill/tensor/tensor_proto.h"
#include "tensorflow/core/framework/graph.pb.h"
#include "tensorflow/core/framework/tensor.pb.h"
#include "tensorflow/core/protobuf/meta_graph.pb.h"
#include "tensorflow/core/protobuf/named_tensor.pb.h"

namespace rill {

// The names of the graphs in a folder.
inline std::vector<std::string> stored_graphs(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".pb") names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  return names;
}

inline tensorflow::MetaGraphDef load_meta_graph(const std::filesystem::path& path) {
  tensorflow::MetaGraphDef meta;
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(meta.ParseFromIstream(&file)) << path;
  return meta;
}

template <class Message>
Message parsed(const std::string& bytes) {
  Message message;
  EXPECT_TRUE(message.ParseFromString(bytes));
  return message;
}

// Sums may be taken in another order than TensorFlow's, hence the tolerance; all else is exact.
template <class T>
bool close(const Tensor& a, const Tensor& b) {
  const auto x = a.flat<T>(), y = b.flat<T>();
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!(std::abs(x[i] - y[i]) <= T(1e-6) + T(1e-5) * std::abs(y[i]))) return false;
  return true;
}

inline bool agree(const Tensor& got, const Tensor& want) {
  if (identical(got, want)) return true;
  if (got.dtype() != want.dtype() || !(got.shape() == want.shape())) return false;
  if (got.dtype() == DType::f32) return close<float>(got, want);
  return got.dtype() == DType::f64 && close<double>(got, want);
}

// Runs a graph as TensorFlow ran it and compares what comes out.
class StoredGraph {
 public:
  using ChooseDevice = std::function<int(int node)>;

  StoredGraph(const std::filesystem::path& path, const SessionOptions& options,
              const ChooseDevice& choose = nullptr)
      : meta_(load_meta_graph(path)) {
    auto graph = std::make_shared<Graph>(standard_ops());
    import_graph_def(*graph, meta_.graph_def());
    for (Node* node : graph->nodes())
      if (choose) put(*graph, *node, choose(node->id()));
    session_ = std::make_unique<Session>(std::move(graph), options);
  }

  // On that device, except that a variable is read where it is: elsewhere it would be read before
  // the read's control inputs have run, by whoever sends its value.
  static void put(Graph& graph, Node& node, int device) {
    std::string name = "/cpu:" + std::to_string(device);
    for (const Output& input : node.inputs())
      if (is_ref(input.dtype())) name = input.node->device();
    graph.set_device(node, name);
  }

  void run_all() {
    for (int k = 0; has(k, "fetches"); ++k) {
      SCOPED_TRACE("step " + std::to_string(k));
      run(k);
    }
  }

 private:
  static std::string key(int k, const char* what) {
    return "step_" + std::to_string(k) + "/" + what;
  }
  bool has(int k, const char* what) const { return meta_.collection_def().contains(key(k, what)); }
  std::vector<std::string> list(int k, const char* what) const {
    if (!has(k, what)) return {};
    const auto& bytes = meta_.collection_def().at(key(k, what)).bytes_list().value();
    return {bytes.begin(), bytes.end()};
  }

  std::vector<Tensor> results(int k) {
    std::vector<std::pair<std::string, Tensor>> feeds;
    for (const std::string& bytes : list(k, "feeds")) {
      const auto named = parsed<tensorflow::NamedTensorProto>(bytes);
      feeds.emplace_back(named.name(), from_proto(named.tensor()));
    }
    return session_->run(feeds, list(k, "fetches"), list(k, "targets"));
  }

  void run(int k) {
    const auto error = list(k, "error");
    std::vector<Tensor> got;
    try {
      got = results(k);
    } catch (const Error& raised) {
      const bool expected =
          !error.empty() && std::regex_search(raised.message(), std::regex(error[0]));
      EXPECT_TRUE(expected) << raised.what();
      return;
    }
    EXPECT_TRUE(error.empty()) << "no error that matches " << error[0];
    const auto want = list(k, "results");
    ASSERT_EQ(got.size(), want.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
      const Tensor expected = from_proto(parsed<tensorflow::TensorProto>(want[i]));
      EXPECT_TRUE(agree(got[i], expected))
          << list(k, "fetches")[i] << " is " << print(got[i]) << "\nwant " << print(expected);
    }
  }

  tensorflow::MetaGraphDef meta_;
  std::unique_ptr<Session> session_;
};

// Runs one of stored_graphs(folder).
inline void run_stored_graph(const std::filesystem::path& folder, const std::string& name,
                             const SessionOptions& options,
                             const StoredGraph::ChooseDevice& choose = nullptr) {
  StoredGraph(folder / (name + ".pb"), options, choose).run_all();
}

}  // namespace rill
