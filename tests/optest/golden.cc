#include "tests/optest/golden.h"

#include "rill/base/files.h"
#include "rill/io/inflate.h"
#include "rill/tensor/tensor_proto.h"
#include "tensorflow/core/framework/graph.pb.h"

namespace rill {
namespace {

using tensorflow::NodeDef;

const tensorflow::AttrValue& attr(const NodeDef& node, const std::string& name) {
  const auto it = node.attr().find(name);
  if (it == node.attr().end())
    raise(Code::kDataLoss, "golden record ", node.name(), " has no '", name, "'");
  return it->second;
}

Tensor tensor_attr(const NodeDef& node, const std::string& name) {
  return from_proto(attr(node, name).tensor());
}

Sample read_sample(const NodeDef& node) {
  Sample s;
  s.dtype = dtype_from_proto(attr(node, "dtype").type());
  s.shape = shape_from_proto(attr(node, "shape").shape()).full();
  s.values = tensor_attr(node, "values");
  if (node.attr().contains("hash")) {
    s.hash = static_cast<std::uint64_t>(attr(node, "hash").i());
  } else {
    s.sums = tensor_attr(node, "sums");
    s.non_finite_counts = tensor_attr(node, "non_finite_counts");
  }
  return s;
}

void read_record(const NodeDef& node, Golden* golden) {
  if (node.op() == "Case") {
    golden->fingerprint = attr(node, "fingerprint").s();
  } else if (node.op() == "Error") {
    golden->code = static_cast<Code>(attr(node, "code").i());
    golden->message = attr(node, "message").s();
  } else if (node.op() == "Const") {
    golden->outputs.emplace_back(tensor_attr(node, "value"));
  } else if (node.op() == "Sample") {
    golden->outputs.emplace_back(read_sample(node));
  } else {
    raise(Code::kDataLoss, "golden record ", node.name(), " is of unknown kind ", node.op());
  }
}

}  // namespace

std::map<std::string, Golden> load_goldens(const std::string& stem) {
  const std::string path = str_cat("tests/golden/ops/", stem, ".pb.gz");
  std::map<std::string, Golden> goldens;
  if (!file_exists(path)) return goldens;
  tensorflow::GraphDef records;
  if (!records.ParseFromString(inflated(read_file(path), Compression::gzip)))
    raise(Code::kDataLoss, path, " is not a GraphDef");
  for (const NodeDef& node : records.node()) read_record(node, &goldens[node.name()]);
  return goldens;
}

}  // namespace rill
