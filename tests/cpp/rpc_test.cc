// Rpc and TryRpc against a gRPC server of this process that takes any method.
#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>

#include "rill/base/error.h"
#include "rill/graph/scope.h"
#include "rill/ops/register.h"
#include "rill/runtime/session/session.h"

namespace rill {
namespace {

std::string text_of(const grpc::ByteBuffer& buffer) {
  std::vector<grpc::Slice> slices;
  std::string text;
  if (!buffer.Dump(&slices).ok()) return text;
  for (const auto& slice : slices)
    text.append(reinterpret_cast<const char*>(slice.begin()), slice.size());
  return text;
}

// "/test/Echo" answers the request, "/test/Fail" a status, "/test/Wait" never until cancelled.
class Server final : public grpc::CallbackGenericService {
 public:
  Server() {
    grpc::ServerBuilder builder;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port_);
    builder.RegisterCallbackGenericService(this);
    builder.SetMaxReceiveMessageSize(-1);
    server_ = builder.BuildAndStart();
  }
  ~Server() override { server_->Shutdown(std::chrono::system_clock::now()); }

  std::string address() const { return "127.0.0.1:" + std::to_string(port_); }
  void await_cancelled(int count) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::seconds(20), [&] { return cancelled_ >= count; });
    EXPECT_EQ(cancelled_, count);
  }
  void await_waiting(int count) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::seconds(20), [&] { return waiting_ >= count; });
  }

 private:
  class Call final : public grpc::ServerGenericBidiReactor {
   public:
    Call(Server& server, std::string method) : server_(server), method_(std::move(method)) {
      StartRead(&request_);
    }

   private:
    void OnReadDone(bool ok) override {
      if (!ok) return end(grpc::Status::CANCELLED);  // cancelled before it was sent
      if (method_ == "/test/Echo") {
        if (!ended_.exchange(true))
          StartWriteAndFinish(&request_, grpc::WriteOptions(), grpc::Status::OK);
      } else if (method_ == "/test/Fail") {
        end({grpc::StatusCode::FAILED_PRECONDITION, "not with " + text_of(request_)});
      } else if (method_ == "/test/Wait") {
        server_.count(server_.waiting_);
      } else {
        end({grpc::StatusCode::UNIMPLEMENTED, "no method " + method_});
      }
    }
    void OnCancel() override {
      if (method_ != "/test/Wait") return;
      server_.count(server_.cancelled_);
      end(grpc::Status::CANCELLED);
    }
    // A server is not shut down before every call has ended; one may end only once.
    void end(grpc::Status status) {
      if (!ended_.exchange(true)) Finish(std::move(status));
    }
    void OnDone() override { delete this; }

    Server& server_;
    const std::string method_;
    grpc::ByteBuffer request_;
    std::atomic<bool> ended_{false};
  };

  grpc::ServerGenericBidiReactor* CreateReactor(grpc::GenericCallbackServerContext* c) override {
    return new Call(*this, c->method());
  }
  void count(int& number) {
    const std::lock_guard lock(mutex_);
    ++number;
    changed_.notify_all();
  }

  int port_ = 0;
  std::unique_ptr<grpc::Server> server_;
  std::mutex mutex_;
  std::condition_variable changed_;
  int cancelled_ = 0, waiting_ = 0;
};

class RpcOp : public testing::Test {
 protected:
  using Texts = std::vector<std::string>;

  static Tensor vector(const Texts& texts) {
    return Tensor::of<std::string>({static_cast<std::int64_t>(texts.size())}, std::span(texts));
  }
  static Tensor scalar(const std::string& text) { return Tensor::scalar<std::string>(text); }
  static Texts texts(const Tensor& tensor) {
    const auto flat = tensor.flat<std::string>();
    return {flat.begin(), flat.end()};
  }
  Node& add(const char* op, const Tensor& address, const Tensor& method, const Tensor& request,
            AttrMap attrs = {}) {
    return scope_.add(op, {address, method, request}, std::move(attrs));
  }
  std::vector<Tensor> run(Node& node) {
    std::vector<Output> all;
    for (int i = 0; i < node.output_count(); ++i) all.push_back(node.output(i));
    return Session(graph_).run({}, all);
  }
  Error error_of(Node& node) {
    try {
      run(node);
    } catch (const Error& error) {
      return error;
    }
    return Error(Code::kOk, "nothing is raised");
  }

  Server server_;
  std::shared_ptr<Graph> graph_ = std::make_shared<Graph>(standard_ops());
  Scope scope_{*graph_};
};

TEST_F(RpcOp, answers) {
  const Tensor address = scalar(server_.address()), echo = scalar("/test/Echo");
  const std::vector<Tensor> one = run(add("Rpc", address, echo, scalar("hello")));
  EXPECT_EQ(one[0].shape(), Shape());
  EXPECT_EQ(texts(one[0]), (Texts{"hello"}));
  const Texts many{"a", std::string(5, '\0'), "", std::string(6 << 20, 'x')};
  EXPECT_EQ(texts(run(add("Rpc", address, echo, vector(many), {{"protocol", "grpc"}}))[0]), many);
  EXPECT_EQ(texts(run(add("Rpc", address, vector({"/test/Echo", "/test/Echo"}), scalar("x")))[0]),
            (Texts{"x", "x"}));
  EXPECT_EQ(run(add("Rpc", address, echo, vector({})))[0].shape(), Shape({0}));
}

TEST_F(RpcOp, an_error_of_the_server_is_the_ops) {
  const Error error =
      error_of(add("Rpc", scalar(server_.address()), scalar("/test/Fail"), scalar("me")));
  EXPECT_EQ(error.code(), Code::kFailedPrecondition);
  EXPECT_NE(error.message().find("not with me"), std::string::npos) << error.message();
  EXPECT_EQ(error_of(add("Rpc", scalar(server_.address()), scalar("/test/No"), scalar(""))).code(),
            Code::kUnimplemented);
}

TEST_F(RpcOp, a_status_for_each_call) {
  const auto out = run(add("TryRpc", scalar(server_.address()),
                           vector({"/test/Echo", "/test/Fail", "/test/Echo"}), scalar("me")));
  EXPECT_EQ(texts(out[0]), (Texts{"me", "", "me"}));
  const auto codes = out[1].flat<std::int32_t>();
  EXPECT_EQ(std::vector(codes.begin(), codes.end()), (std::vector<std::int32_t>{0, 9, 0}));
  EXPECT_EQ(texts(out[2]), (Texts{"", "not with me", ""}));
}

TEST_F(RpcOp, no_server) {
  const Tensor nowhere = scalar("127.0.0.1:1");
  EXPECT_EQ(error_of(add("Rpc", nowhere, scalar("/test/Echo"), scalar("x"))).code(),
            Code::kUnavailable);
  const AttrMap patient{{"fail_fast", false}, {"timeout_in_ms", 200}};
  EXPECT_EQ(error_of(add("Rpc", nowhere, scalar("/test/Echo"), scalar("x"), patient)).code(),
            Code::kDeadlineExceeded);
}

TEST_F(RpcOp, deadline) {
  Node& node = add("TryRpc", scalar(server_.address()), scalar("/test/Wait"), scalar("x"),
                   {{"timeout_in_ms", 100}});
  EXPECT_EQ(run(node)[1].flat<std::int32_t>()[0], static_cast<int>(Code::kDeadlineExceeded));
  server_.await_cancelled(1);
}

TEST_F(RpcOp, the_end_of_a_step_ends_its_calls) {
  Node& node = add("Rpc", scalar(server_.address()), scalar("/test/Wait"), vector({"x", "y"}));
  Session session(graph_);
  std::thread closer([&] {
    server_.await_waiting(2);
    session.close();
  });
  const Output fetch = node.output(0);
  try {
    session.run({}, {&fetch, 1});
    ADD_FAILURE() << "the call ended";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kCancelled) << error.message();
  }
  closer.join();
  server_.await_cancelled(2);
}

TEST_F(RpcOp, errors) {
  const Tensor address = scalar(server_.address()), echo = scalar("/test/Echo");
  const auto code = [&](const Tensor& to, const Tensor& method, AttrMap attrs = {}) {
    return error_of(add("Rpc", to, method, scalar("x"), std::move(attrs))).code();
  };
  EXPECT_EQ(code(address, echo, {{"protocol", "http"}}), Code::kInvalidArgument);
  EXPECT_EQ(code(address, echo, {{"timeout_in_ms", -1}}), Code::kInvalidArgument);
  EXPECT_EQ(code(scalar(""), echo), Code::kInvalidArgument);
  EXPECT_EQ(code(address, scalar("/te st\n")), Code::kInvalidArgument);
  EXPECT_EQ(code(address, vector({"/test/Echo", ""})), Code::kInvalidArgument);
  EXPECT_THROW(add("Rpc", vector({"a", "b"}), echo, vector({"1", "2", "3"})), Error);
}

}  // namespace
}  // namespace rill
