#pragma once

#include <grpcpp/completion_queue.h>
#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/impl/service_type.h>
#include <grpcpp/support/async_unary_call.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/proto_buffer_reader.h>

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rill/net/grpc/authorizer.h"
#include "rill/net/grpc/health.h"
#include "rill/net/grpc/rpc_call.h"

namespace rill::net {

// What a queue hands back when something has ended.
struct GrpcEvent {
  void (*ended)(void* call, bool ok) = nullptr;
  void* call = nullptr;
};

// The methods of one message with one answer, whose messages come as bytes. gRPC looks their names
// up and hands out a call when its message is there.
class UnaryService final : public grpc::Service {
 public:
  explicit UnaryService(const RpcMethods& methods);

  std::size_t size() const { return methods_.size(); }
  const RpcMethod& method(std::size_t i) const { return *methods_[i]; }
  bool is_open(std::size_t i) const {
    return is_open_[i];
  }  // to everyone, whatever the authorizer says
  void request(std::size_t i, grpc::ServerContext* context, grpc::ByteBuffer* bytes,
               grpc::ServerAsyncResponseWriter<grpc::ByteBuffer>* writer,
               grpc::ServerCompletionQueue* queue, void* tag) {
    RequestAsyncUnary(static_cast<int>(i), context, bytes, writer, queue, queue, tag);
  }

 private:
  std::vector<const RpcMethod*> methods_;
  std::vector<bool> is_open_;
  std::vector<std::string> names_;  // which gRPC points to
};

// What calls have in common.
struct GrpcHost {
  GrpcHost(RpcMethods given, std::shared_ptr<const Authorizer> who_may);

  Health health;
  const RpcMethods methods;
  const RpcConversations conversations;
  UnaryService unary;
  grpc::AsyncGenericService other;                     // streams, and methods that there are not
  const std::shared_ptr<const Authorizer> authorizer;  // none: every call is taken
  std::unique_ptr<grpc::ServerCompletionQueue> queue;
  std::atomic<int> alive = 0;             // calls that somebody holds on to
  std::atomic<int> working = 0;           // those that are being answered
  std::atomic<bool> is_draining = false;  // what comes now is sent elsewhere
};

// Waits for a call of the i-th method, and for another one each time one has come.
void await_unary(GrpcHost& host, std::size_t i);
// The same of anything else.
void await_other(GrpcHost& host);

}  // namespace rill::net
