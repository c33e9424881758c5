#ifndef TENSORFLOW_CORE_PUBLIC_SESSION_H_
#define TENSORFLOW_CORE_PUBLIC_SESSION_H_

#include <string>
#include <utility>
#include <vector>

#include "tensorflow/core/framework/device_attributes.pb.h"
#include "tensorflow/core/framework/graph.pb.h"
#include "tensorflow/core/framework/tensor.h"
#include "tensorflow/core/lib/core/errors.h"
#include "tensorflow/core/lib/core/status.h"
#include "tensorflow/core/platform/env.h"
#include "tensorflow/core/protobuf/config.pb.h"
#include "tensorflow/core/public/session_options.h"

namespace tensorflow {

// Runs a graph that is given as a GraphDef. Safe from several threads.
class Session {
 public:
  Session() {}
  virtual ~Session() {}

  // AlreadyExists when the session has a graph already.
  virtual Status Create(const GraphDef& graph) = 0;
  // Adds nodes, whose inputs may be nodes that are there.
  virtual Status Extend(const GraphDef& graph) = 0;
  virtual Status Run(const std::vector<std::pair<string, Tensor>>& inputs,
                     const std::vector<string>& output_tensor_names,
                     const std::vector<string>& target_node_names,
                     std::vector<Tensor>* outputs) = 0;
  virtual Status Run(const RunOptions& run_options,
                     const std::vector<std::pair<string, Tensor>>& inputs,
                     const std::vector<string>& output_tensor_names,
                     const std::vector<string>& target_node_names, std::vector<Tensor>* outputs,
                     RunMetadata* run_metadata) = 0;
  virtual Status ListDevices(std::vector<DeviceAttributes>* response) = 0;
  virtual Status Close() = 0;

  virtual Status Create(const RunOptions&, const GraphDef& graph) { return Create(graph); }
  virtual Status Extend(const RunOptions&, const GraphDef& graph) { return Extend(graph); }
  virtual Status Close(const RunOptions&) { return Close(); }
  // A step in instalments: what PRunSetup names may be fed and fetched bit by bit.
  virtual Status PRunSetup(const std::vector<string>& input_names,
                           const std::vector<string>& output_names,
                           const std::vector<string>& target_nodes, string* handle) = 0;
  virtual Status PRun(const string& handle, const std::vector<std::pair<string, Tensor>>& inputs,
                      const std::vector<string>& output_names, std::vector<Tensor>* outputs) = 0;

  typedef int64 CallableHandle;
  virtual Status MakeCallable(const CallableOptions& callable_options,
                              CallableHandle* out_handle) = 0;
  virtual Status RunCallable(CallableHandle handle, const std::vector<Tensor>& feed_tensors,
                             std::vector<Tensor>* fetch_tensors, RunMetadata* run_metadata) = 0;
  virtual Status ReleaseCallable(CallableHandle handle) = 0;
};

// nullptr, with the reason in the log, when the options make no sense.
Session* NewSession(const SessionOptions& options);
Status NewSession(const SessionOptions& options, Session** out_session);
Status Reset(const SessionOptions& options, const std::vector<string>& containers);

}  // namespace tensorflow

#endif
