// Headers that sources of the time include, each used once.
#include <iostream>

#include "tensorflow/core/framework/allocator.h"
#include "tensorflow/core/framework/op.h"
#include "tensorflow/core/graph/graph_def_builder.h"
#include "tensorflow/core/lib/io/buffered_inputstream.h"
#include "tensorflow/core/lib/io/path.h"
#include "tensorflow/core/lib/random/distribution_sampler.h"
#include "tensorflow/core/lib/random/philox_random.h"
#include "tensorflow/core/lib/random/random_distributions.h"
#include "tensorflow/core/lib/strings/str_util.h"
#include "tensorflow/core/platform/env.h"
#include "tensorflow/core/platform/fingerprint.h"
#include "tensorflow/core/platform/logging.h"
#include "tensorflow/core/platform/mem.h"
#include "tensorflow/core/util/activation_mode.h"
#include "tensorflow/core/util/guarded_philox_random.h"

using namespace tensorflow;

void numbers() {
  random::PhiloxRandom generator(301, 17);
  const auto four = generator();
  std::cout << four[0] << " " << four[1] << " " << four[2] << " " << four[3] << "\n";
  random::UniformDistribution<random::PhiloxRandom, float> uniform;
  random::NormalDistribution<random::PhiloxRandom, float> normal;
  std::cout << uniform(&generator)[0] << " " << normal(&generator)[0] << "\n";
  random::SimplePhilox simple(&generator);
  const std::vector<float> weights = {1, 0, 3};
  const random::DistributionSampler sampler(weights);
  int counts[3] = {0, 0, 0};
  for (int i = 0; i < 4000; ++i) ++counts[sampler.Sample(&simple)];
  std::cout << (counts[0] > 900 && counts[0] < 1100) << counts[1] << (simple.Uniform(3) < 3)
            << "\n";
  std::cout << Fingerprint64("Hello") << " " << FingerprintCat64(1, 2) << "\n";
}

void files() {
  const string path = io::GetTempFilename("txt");
  TF_CHECK_OK(WriteStringToFile(Env::Default(), path, "one\r\ntwo\nthree"));
  std::unique_ptr<RandomAccessFile> file;
  TF_CHECK_OK(Env::Default()->NewRandomAccessFile(path, &file));
  io::BufferedInputStream lines(file.get(), 4);
  string line;
  while (lines.ReadLine(&line).ok()) std::cout << line << "|";
  TF_CHECK_OK(lines.Seek(5));
  TF_CHECK_OK(lines.ReadNBytes(3, &line));
  std::cout << line << " " << lines.Tell() << " ";
  std::cout << errors::IsOutOfRange(lines.ReadNBytes(100, &line)) << line.size() << "\n";
  TF_CHECK_OK(Env::Default()->DeleteFile(path));
}

void graph() {
  GraphDefBuilder builder(GraphDefBuilder::kFailImmediately);
  Tensor two(DT_FLOAT, TensorShape({1, 1}));
  two.flat<float>()(0) = 2;
  Node* x = ops::SourceOp("Placeholder", builder.opts().WithName("x").WithAttr("dtype", DT_FLOAT));
  Node* c = ops::SourceOp(
      "Const", builder.opts().WithAttr("value", two).WithAttr("dtype", DT_FLOAT).WithName("c"));
  ops::BinaryOp("MatMul", x, {c, 0},
                builder.opts().WithName("y").WithAttr("transpose_a", true).WithControlInput(c));
  GraphDef definition;
  TF_CHECK_OK(builder.ToGraphDef(&definition));
  for (const NodeDef& node : definition.node()) {
    std::cout << node.name() << "(";
    for (const string& input : node.input()) std::cout << input << " ";
    std::cout << ")";
  }
  std::cout << definition.node(2).attr().at("transpose_a").b() << "\n";
}

int main() {
  graph();
  numbers();
  files();
  StringPiece text("word rest"), word;
  std::cout << str_util::ConsumeNonWhitespace(&text, &word) << word << "," << text << "\n";
  ActivationMode mode;
  std::cout << GetActivationModeFromString("RELU6", &mode).ok() << mode
            << GetActivationModeFromString("X", &mode).error_message() << "\n";
  AllocatorStats stats;
  cpu_allocator()->GetStats(&stats);
  port::AlignedFree(port::AlignedMalloc(100, 64));
  std::cout << (OpRegistry::Global()->DebugString(false).find("MatMul: ") != string::npos)
            << stats.DebugString().substr(0, 8) << "\n";
  LOG(INFO) << "said";
  return 0;
}
