// The gRPC server by itself: health, cancelled calls, draining.
#include <google/protobuf/unknown_field_set.h>
#include <google/protobuf/wrappers.pb.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/security/credentials.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "rill/base/clock.h"
#include "rill/net/grpc/grpc_server.h"
#include "rill/serve/token.h"
#include "tests/cpp/await_testing.h"

namespace rill::net {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::system_clock;

std::string bytes_of(int field, std::uint64_t value) {
  google::protobuf::UnknownFieldSet fields;
  fields.AddVarint(field, value);
  std::string bytes;
  fields.SerializeToString(&bytes);
  return bytes;
}

struct Answer {
  grpc::Status status;
  std::string bytes;
};

class Client {
 public:
  explicit Client(int port) {
    grpc::ChannelArguments own;
    own.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    own.SetInt(GRPC_ARG_ENABLE_RETRIES, 0);
    stub_ = std::make_unique<grpc::GenericStub>(grpc::CreateCustomChannel(
        str_cat("127.0.0.1:", port), grpc::InsecureChannelCredentials(), own));
  }
  Answer ask(const std::string& method, const std::string& body = {}) {
    grpc::ClientContext context;
    return ask(context, method, body);
  }
  Answer ask(grpc::ClientContext& context, const std::string& method,
             const std::string& body = {}) {
    context.set_deadline(system_clock::now() + seconds(20));
    const grpc::Slice slice(body);
    const grpc::ByteBuffer request(&slice, 1);
    grpc::CompletionQueue queue;
    grpc::ByteBuffer response;
    Answer answer;
    auto call = stub_->PrepareUnaryCall(&context, method, request, &queue);
    call->StartCall();
    call->Finish(&response, &answer.status, this);
    void* tag = nullptr;
    bool ok = false;
    queue.Next(&tag, &ok);
    std::vector<grpc::Slice> slices;
    if (answer.status.ok()) (void)response.Dump(&slices);
    for (const grpc::Slice& one : slices)
      answer.bytes.append(reinterpret_cast<const char*>(one.begin()), one.size());
    queue.Shutdown();
    while (queue.Next(&tag, &ok)) {
    }
    return answer;
  }
  grpc::GenericStub& stub() { return *stub_; }

 private:
  std::unique_ptr<grpc::GenericStub> stub_;
};

// "/a.B/Now" answers at once, "/a.B/Later" when it is told to, or the client has left.
class GrpcServing : public testing::Test {
 protected:
  GrpcServing() {
    const auto reply = [](RpcCall& call) {
      google::protobuf::StringValue value;
      value.set_value("answer");
      call.reply(value);
    };
    RpcMethods methods;
    methods["/a.B/Now"] = [reply](const std::shared_ptr<RpcCall>& call) { reply(*call); };
    methods["/a.B/Later"] = [this, reply](const std::shared_ptr<RpcCall>& call) {
      ++asked_;
      threads_.emplace_back([this, reply, call, limits = call->limits()] {
        await([&] { return is_released_ || limits.is_gone(); });
        if (limits.is_gone()) ++gone_;
        reply(*call);
      });
    };
    GrpcServerOptions options;
    options.addresses = {"127.0.0.1:0"};
    options.authorizer = token_;
    server_ = std::make_unique<GrpcServer>(std::move(methods), options);
    server_->set_serving(true);
  }
  ~GrpcServing() override {
    is_released_ = true;
    server_.reset();
    for (std::thread& thread : threads_) thread.join();
  }
  int port() const { return server_->ports().at(0); }

  const std::shared_ptr<serve::Token> token_ = std::make_shared<serve::Token>();
  std::unique_ptr<GrpcServer> server_;
  std::vector<std::thread> threads_;
  std::atomic<int> asked_ = 0, gone_ = 0;
  std::atomic<bool> is_released_ = false;
};

TEST_F(GrpcServing, answers) {
  Client client(port());
  const Answer answer = client.ask("/a.B/Now");
  EXPECT_TRUE(answer.status.ok()) << answer.status.error_message();
  EXPECT_EQ(answer.bytes, "\n\6answer");
  EXPECT_EQ(client.ask("/a.B/Nothing").status.error_code(), grpc::StatusCode::UNIMPLEMENTED);
}

TEST_F(GrpcServing, tokens_that_change) {
  Client client(port());
  token_->set("secret");
  EXPECT_EQ(client.ask("/a.B/Now").status.error_code(), grpc::StatusCode::UNAUTHENTICATED);
  grpc::ClientContext context;
  context.AddMetadata("authorization", "Bearer secret");
  EXPECT_TRUE(client.ask(context, "/a.B/Now").status.ok());
  EXPECT_TRUE(client.ask("/grpc.health.v1.Health/Check").status.ok());  // by who has none
  token_->set("");
  EXPECT_TRUE(client.ask("/a.B/Now").status.ok());
}

TEST_F(GrpcServing, health) {
  Client client(port());
  const std::string check = "/grpc.health.v1.Health/Check";
  EXPECT_EQ(client.ask(check).bytes, bytes_of(1, 1));
  EXPECT_EQ(client.ask(check, "\n\3a.B").bytes, bytes_of(1, 1));
  EXPECT_EQ(client.ask(check, "\n\3a.C").status.error_code(), grpc::StatusCode::NOT_FOUND);
  EXPECT_EQ(client.ask(check, "\377").status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  server_->set_serving(false);
  EXPECT_EQ(client.ask(check).bytes, bytes_of(1, 2));
}

// Streams are told of every change.
TEST_F(GrpcServing, watched_health) {
  Client client(port());
  grpc::ClientContext context;
  context.set_deadline(system_clock::now() + seconds(20));
  grpc::CompletionQueue queue;
  void* tag = nullptr;
  bool ok = false;
  auto stream = client.stub().PrepareCall(&context, "/grpc.health.v1.Health/Watch", &queue);
  stream->StartCall(this);
  queue.Next(&tag, &ok);
  const grpc::Slice nothing("");
  stream->WriteLast(grpc::ByteBuffer(&nothing, 1), grpc::WriteOptions(), this);
  queue.Next(&tag, &ok);
  const auto next = [&] {
    grpc::ByteBuffer message;
    stream->Read(&message, this);
    queue.Next(&tag, &ok);
    std::vector<grpc::Slice> slices;
    if (ok) (void)message.Dump(&slices);
    return slices.empty() ? std::string() : std::string(slices[0].begin(), slices[0].end());
  };
  EXPECT_EQ(next(), bytes_of(1, 1));
  server_->set_serving(false);
  EXPECT_EQ(next(), bytes_of(1, 2));
  server_->set_serving(true);
  EXPECT_EQ(next(), bytes_of(1, 1));
  context.TryCancel();
  grpc::Status status;
  stream->Finish(&status, this);
  queue.Next(&tag, &ok);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::CANCELLED);
  queue.Shutdown();
  while (queue.Next(&tag, &ok)) {
  }
}

TEST_F(GrpcServing, cancelled_calls_are_noticed) {
  Client client(port());
  grpc::ClientContext context;
  std::thread asks([&] {
    EXPECT_EQ(client.ask(context, "/a.B/Later").status.error_code(), grpc::StatusCode::CANCELLED);
  });
  ASSERT_TRUE(await([&] { return asked_ == 1; }));
  context.TryCancel();
  asks.join();
  EXPECT_TRUE(await([&] { return gone_ == 1; }));
}

TEST_F(GrpcServing, ends_when_all_are_answered) {
  Client client(port());
  std::thread asks([&] {
    const Answer answer = client.ask("/a.B/Later");
    EXPECT_TRUE(answer.status.ok()) << answer.status.error_message();
  });
  ASSERT_TRUE(await([&] { return asked_ == 1; }));
  const auto begin = monotonic_nanos();
  std::thread stop([&] { server_->shut_down(20'000); });
  Client other(port());
  EXPECT_TRUE(await(
      [&] { return other.ask("/a.B/Now").status.error_code() == grpc::StatusCode::UNAVAILABLE; }));
  is_released_ = true;
  asks.join();
  stop.join();
  EXPECT_LT(monotonic_nanos() - begin, 5'000'000'000);  // of the 20 s it may wait
}

// Clients that hammer, and go on when they are refused: each is answered, or told that nothing was
// begun.
TEST_F(GrpcServing, no_request_is_lost_when_it_ends) {
  std::atomic<int> answered = 0, refused = 0;
  std::atomic<bool> is_over = false;
  std::vector<std::thread> clients;
  for (int i = 0; i < 64; ++i)
    clients.emplace_back([&] {
      Client client(port());
      while (!is_over) {
        const Answer answer = client.ask("/a.B/Now");
        if (answer.status.ok()) {
          ++answered;
          continue;
        }
        EXPECT_EQ(answer.status.error_code(), grpc::StatusCode::UNAVAILABLE)
            << answer.status.error_code() << ": " << answer.status.error_message();
        ++refused;
      }
    });
  ASSERT_TRUE(await([&] { return answered > 300; }));
  const auto begin = monotonic_nanos();
  server_->shut_down(20'000);
  EXPECT_LT(monotonic_nanos() - begin, 5'000'000'000);  // of the 20 s it may wait
  is_over = true;
  for (std::thread& client : clients) client.join();
  EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace rill::net
