// A GraphDef from a file, run with the session of the C++ guide: new_session GRAPH.pb
#include <iostream>
#include <memory>
#include <vector>

#include "tensorflow/core/framework/graph.pb.h"
#include "tensorflow/core/framework/tensor.h"
#include "tensorflow/core/platform/env.h"
#include "tensorflow/core/platform/init_main.h"
#include "tensorflow/core/public/session.h"
#include "tensorflow/core/util/command_line_flags.h"

using tensorflow::Flag;
using tensorflow::Status;
using tensorflow::string;
using tensorflow::Tensor;

int main(int argc, char* argv[]) {
  string graph_file, output_name = "my_output:0";
  tensorflow::int32 times = 1;
  float scale = 0.5;
  bool verbose = false;
  std::vector<Flag> flag_list = {
      Flag("graph", &graph_file, "graph to be executed"),
      Flag("output", &output_name, "name of the output"),
      Flag("times", &times, "how often to run it"),
      Flag("scale", &scale, "what to feed"),
      Flag("verbose", &verbose, "say more"),
  };
  string usage = tensorflow::Flags::Usage(argv[0], flag_list);
  const bool parse_result = tensorflow::Flags::Parse(&argc, argv, flag_list);
  if (!parse_result) {
    std::cout << usage;
    return 2;
  }
  tensorflow::port::InitMain(argv[0], &argc, &argv);
  if (argc > 1) {
    std::cout << "Unknown argument " << argv[1] << "\n";
    return 3;
  }

  tensorflow::GraphDef graph;
  Status loaded = tensorflow::ReadBinaryProto(tensorflow::Env::Default(), graph_file, &graph);
  if (!loaded.ok()) {
    std::cout << loaded << "\n";
    return 4;
  }

  std::unique_ptr<tensorflow::Session> session(tensorflow::NewSession({}));
  tensorflow::Status s = session->Create(graph);
  if (!s.ok()) {
    std::cout << s.ToString() << "\n";
    return 5;
  }

  Tensor x(tensorflow::DT_FLOAT, tensorflow::TensorShape({2}));
  x.vec<float>()(0) = scale;
  x.vec<float>()(1) = 2 * scale;
  std::vector<std::pair<string, tensorflow::Tensor>> inputs = {{"x", x}};
  std::vector<tensorflow::Tensor> outputs;
  for (int i = 0; i < times; ++i) {
    s = session->Run(inputs, {output_name}, {}, &outputs);
    if (!s.ok()) {
      std::cout << s.ToString() << "\n";
      return 6;
    }
    auto output_vector = outputs[0].vec<float>();
    std::cout << output_vector(0) << " " << output_vector(1) << "\n";
  }
  if (verbose) std::cout << outputs[0].DebugString() << "\n";

  // What goes wrong is a Status.
  CHECK(tensorflow::errors::IsAlreadyExists(session->Create(graph)));
  CHECK(tensorflow::errors::IsNotFound(session->Run({}, {"nothing:0"}, {}, &outputs)));
  CHECK(!session->Run({}, {output_name}, {}, &outputs).ok());

  // A node more, fed by one that is there.
  tensorflow::GraphDef more;
  tensorflow::NodeDef* node = more.add_node();
  node->set_name("negated");
  node->set_op("Neg");
  node->add_input("my_output");
  (*node->mutable_attr())["T"].set_type(tensorflow::DT_FLOAT);
  TF_CHECK_OK(session->Extend(more));
  TF_CHECK_OK(session->Run(inputs, {"negated"}, {}, &outputs));
  std::cout << outputs[0].flat<float>()(0) << "\n";

  // A step in instalments.
  string handle;
  TF_CHECK_OK(session->PRunSetup({"x"}, {output_name, "negated"}, {}, &handle));
  CHECK(!session->PRun(handle, {}, {"negated"}, &outputs).ok());
  TF_CHECK_OK(session->PRunSetup({"x"}, {output_name, "negated"}, {}, &handle));
  TF_CHECK_OK(session->PRun(handle, inputs, {output_name}, &outputs));
  TF_CHECK_OK(session->PRun(handle, {}, {"negated"}, &outputs));
  std::cout << outputs[0].flat<float>()(1) << "\n";
  session->Close();
  CHECK(!session->Run(inputs, {output_name}, {}, &outputs).ok());
  return 0;
}
