#pragma once

#include <google/protobuf/message_lite.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "rill/base/error.h"
#include "rill/net/grpc/grpc_client.h"
#include "rill/net/grpc/typed_method.h"

namespace rill::cluster {

using Done = std::function<void(std::optional<Error>)>;
using MessageRef = std::shared_ptr<const google::protobuf::MessageLite>;
using MutableMessageRef = std::shared_ptr<google::protobuf::MessageLite>;

// A service as a table of methods, which tasks of other processes reach by gRPC and this process by
// plain calls. A method answers by `done`, once, from any thread; it may throw instead.
class Service {
 public:
  template <class Request, class Response>
  using Method =
      std::function<void(const Request&, Response*, const net::CallLimits&, const Done& done)>;

  // `name` is "/package.Service/Method".
  template <class Request, class Response>
  void add(const std::string& name, Method<Request, Response> method) {
    const auto guarded = [method = std::move(method)](const Request& request, Response* response,
                                                      const net::CallLimits& limits, Done done) {
      try {
        method(request, response, limits, done);
      } catch (...) {
        done(current_error());
      }
    };
    local_[name] = [guarded](const google::protobuf::MessageLite& request,
                             google::protobuf::MessageLite& response, const net::CallLimits& limits,
                             Done done) {
      guarded(static_cast<const Request&>(request), static_cast<Response*>(&response), limits,
              std::move(done));
    };
    remote_[name] = net::method_of<Request, Response>(guarded);
  }

  // Tells what `method` throws, or that it was well.
  static void answer_with(const Done& done, const std::function<void()>& method);

  // One that answers before it returns; it throws its errors. `run` puts it on a thread where it
  // may take long.
  using Runner = std::function<void(std::function<void()>)>;
  template <class Request, class Response>
  void answer(const std::string& name, std::function<void(const Request&, Response*)> method,
              const Runner& run = {}) {
    add<Request, Response>(
        name, [method = std::move(method), run](const Request& request, Response* response,
                                                const net::CallLimits&, const Done& done) {
          const auto now = [method, &request, response, done] {
            answer_with(done, [&] { method(request, response); });
          };
          if (run) return run(now);
          now();
        });
  }

  // For other processes alone: reads and writes bytes itself.
  void add_remote(const std::string& name, net::RpcMethod method) {
    remote_[name] = std::move(method);
  }
  void add_all(const Service& other) {
    local_.insert(other.local_.begin(), other.local_.end());
    remote_.insert(other.remote_.begin(), other.remote_.end());
  }

  const net::RpcMethods& methods() const { return remote_; }
  // What a call through a Link is answered with may be computed on the caller's thread while there
  // is one of these: it waits for the answer anyway.
  class OnThisThread {
   public:
    OnThisThread();
    ~OnThisThread();
    OnThisThread(const OnThisThread&) = delete;
    OnThisThread& operator=(const OnThisThread&) = delete;
    static bool is_allowed();
    // For threads that take turns on one: exchanges what the thread has with `other`.
    static void swap(int& other);
  };

  // Of this process. The messages are of the method's types and stay until `done` was called.
  void call(const std::string& name, const google::protobuf::MessageLite& request,
            google::protobuf::MessageLite& response, const net::CallLimits& limits,
            Done done) const;

 private:
  using Local = std::function<void(const google::protobuf::MessageLite&,
                                   google::protobuf::MessageLite&, const net::CallLimits&, Done)>;
  std::map<std::string, Local, std::less<>> local_;
  net::RpcMethods remote_;
};

struct CallOptions {
  std::int64_t timeout_ms = 0;  // 0: none
  bool wait_for_ready = false;  // for a task that does not listen yet
  // Of calls whose answer is read: may get its bytes instead, as they come.
  std::shared_ptr<net::AnswerSink> sink = {};
};

// The way to a task.
class Link {
 public:
  virtual ~Link() = default;
  // Both messages are kept until `done` was called. What it returns may be null: the call cannot be
  // taken back.
  virtual std::shared_ptr<net::PendingCall> call(const std::string& method, MessageRef request,
                                                 MutableMessageRef response,
                                                 const CallOptions& options, Done done) = 0;
  // The same for an answer that `read` takes out of its bytes, before `done` is called.
  using Read = std::function<bool(google::protobuf::io::ZeroCopyInputStream&)>;
  virtual std::shared_ptr<net::PendingCall> call(const std::string& method, MessageRef request,
                                                 Read read, const CallOptions& options,
                                                 Done done) = 0;
  virtual const std::string& address() const = 0;
};
std::shared_ptr<Link> link_to(const std::string& address,
                              std::shared_ptr<const net::ClientSecurity> security = nullptr);

// Where links to other processes lead: to gRPC, unless something else stands in for the network.
class Network {
 public:
  virtual std::shared_ptr<Link> link_to(const std::string& address) = 0;

 protected:
  ~Network() = default;
};
void stand_in_for_network(Network* network);  // null: gRPC again

// To a service of this process: Unavailable when it is gone.
std::shared_ptr<Link> link_to(const std::string& address, std::weak_ptr<const Service> service);

// Waits for the answer. Throws it where it is an error.
void call_and_wait(Link& link, const std::string& method, MessageRef request,
                   MutableMessageRef response, const CallOptions& options);

}  // namespace rill::cluster
