// The gRPC server against clients that want to exhaust it, each on one connection: others are
// answered meanwhile, memory stays where it is, and the connection is ended for a reason.
#include <google/protobuf/wrappers.pb.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/security/credentials.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <map>
#include <mutex>
#include <thread>

#include "rill/net/grpc/grpc_server.h"
#include "tests/cpp/await_testing.h"
#include "tests/cpp/socket_testing.h"

namespace rill::net {
namespace {

// Frames of HTTP/2.
enum FrameType : char {
  kData = 0,
  kHeaders = 1,
  kPriority = 2,
  kReset = 3,
  kSettings = 4,
  kPing = 6,
  kWindowUpdate = 8,
  kContinuation = 9
};
constexpr int kEndStream = 1, kEndHeaders = 4;
constexpr std::int64_t kMiB = 1 << 20;

std::string frame(FrameType type, int flags, int stream, const std::string& payload) {
  std::string bytes;
  for (int shift : {16, 8, 0}) bytes += static_cast<char>(payload.size() >> shift);
  bytes += type;
  bytes += static_cast<char>(flags);
  for (int shift : {24, 16, 8, 0}) bytes += static_cast<char>(stream >> shift);
  return bytes + payload;
}
std::string four(std::uint32_t value) {
  std::string bytes;
  for (int shift : {24, 16, 8, 0}) bytes += static_cast<char>(value >> shift);
  return bytes;
}
std::string field(const std::string& name, const std::string& value) {  // of HPACK, unpacked
  EXPECT_LT(name.size(), 127u);
  EXPECT_LT(value.size(), 127u);
  return std::string(1, '\0') + static_cast<char>(name.size()) + name +
         static_cast<char>(value.size()) + value;
}
std::string call_head(const std::string& method) {
  return field(":method", "POST") + field(":scheme", "http") + field(":path", method) +
         field(":authority", "h") + field("content-type", "application/grpc") +
         field("te", "trailers");
}
const std::string kPreface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(kSettings, 0, 0, "");

std::int64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::int64_t all = 0, resident = 0;
  file >> all >> resident;
  return resident * ::sysconf(_SC_PAGESIZE);
}

// Answers /a.B/Now at once with a few bytes, /a.B/Big with a megabyte.
class GrpcAttacked : public testing::Test {
 protected:
  void start(std::vector<std::pair<std::string, std::string>> arguments = {}) {
    RpcMethods methods;
    const auto answer = [this](std::size_t size) {
      return [this, size](const std::shared_ptr<RpcCall>& call) {
        ++answered_;
        google::protobuf::BytesValue value;
        value.set_value(std::string(size, 'x'));
        call->reply(value);
      };
    };
    methods["/a.B/Now"] = answer(8);
    methods["/a.B/Big"] = answer(kMiB);
    GrpcServerOptions options;
    options.addresses = {"127.0.0.1:0"};
    options.refuse_early = refuse_early_;
    options.channel_arguments = std::move(arguments);
    options.on_end = [this](const std::string& reason) {
      const std::lock_guard lock(mutex_);
      ++ends_[reason];
    };
    server_ = std::make_unique<GrpcServer>(std::move(methods), options);
    server_->set_serving(true);
    grpc::ChannelArguments own;
    own.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    stub_ = std::make_unique<grpc::GenericStub>(grpc::CreateCustomChannel(
        str_cat("127.0.0.1:", port()), grpc::InsecureChannelCredentials(), own));
  }
  int port() const { return server_->ports().at(0); }
  int ends(const std::string& reason) {
    const std::lock_guard lock(mutex_);
    return ends_[reason];
  }

  // A call of somebody who has nothing to do with it.
  bool bystander_is_answered() {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(10));
    const grpc::Slice nothing("");
    const grpc::ByteBuffer request(&nothing, 1);
    grpc::CompletionQueue queue;
    grpc::ByteBuffer response;
    grpc::Status status;
    auto call = stub_->PrepareUnaryCall(&context, "/a.B/Now", request, &queue);
    call->StartCall();
    call->Finish(&response, &status, this);
    void* tag = nullptr;
    bool ok = false;
    queue.Next(&tag, &ok);
    queue.Shutdown();
    while (queue.Next(&tag, &ok)) {
    }
    return status.ok();
  }

  // Sends what `piece` makes, up to so many pieces, while bystanders ask. The server has to end
  // the connection for this reason.
  void expect_ended(const std::string& reason, int pieces,
                    const std::function<std::string(int)>& piece) {
    ASSERT_TRUE(bystander_is_answered());
    const std::int64_t before = resident_bytes();
    std::atomic<bool> is_over = false;
    std::atomic<int> asked = 0, lost = 0;
    std::thread bystander([&] {
      while (!is_over || asked < 20) {
        ++asked;
        if (!bystander_is_answered()) ++lost;
      }
    });
    {
      RawClient attacker(port());
      bool goes_on = attacker.send(kPreface);
      for (int i = 0; goes_on && i < pieces; ++i) goes_on = attacker.send(piece(i));
      EXPECT_TRUE(await([&] { return ends(reason) > 0; })) << reason;
      EXPECT_LT(resident_bytes() - before, 100 * kMiB);
    }
    is_over = true;
    bystander.join();
    EXPECT_EQ(lost, 0) << "of " << asked;
    EXPECT_EQ(ends(reason), 1);
  }

  RefuseEarly refuse_early_;
  std::atomic<int> answered_ = 0;
  std::mutex mutex_;
  std::map<std::string, int> ends_;
  std::unique_ptr<grpc::GenericStub> stub_;
  std::unique_ptr<GrpcServer> server_;
};

constexpr int kPieces = 1000, kFramesOfPiece = 100;

std::string repeated(const auto& make, int piece) {
  std::string bytes;
  for (int i = 0; i < kFramesOfPiece; ++i) bytes += make(piece * kFramesOfPiece + i);
  return bytes;
}

TEST_F(GrpcAttacked, opened_streams) {
  start();
  expect_ended("resets", kPieces, [](int piece) {
    return repeated(
        [](int i) { return frame(kHeaders, kEndHeaders, 2 * i + 1, call_head("/a.B/Now")); },
        piece);
  });
}

TEST_F(GrpcAttacked, streams_that_are_reset) {
  start();
  expect_ended("resets", kPieces, [](int piece) {
    return repeated(
        [](int i) {
          return frame(kHeaders, kEndHeaders, 2 * i + 1, call_head("/a.B/Now")) +
                 frame(kReset, 0, 2 * i + 1, four(8));
        },
        piece);
  });
}

TEST_F(GrpcAttacked, headers_that_never_end) {
  start();
  expect_ended("protocol", kPieces, [](int piece) {
    if (piece == 0) return frame(kHeaders, 0, 1, call_head("/a.B/Now"));
    return repeated([](int) { return frame(kContinuation, 0, 1, field("x", "y")); }, piece);
  });
}

// One large entry of the table that both sides keep, told of again and again.
TEST_F(GrpcAttacked, headers_that_unpack_to_much) {
  start();
  const std::string name = "n", value(100, 'v');
  std::string head = call_head("/a.B/Now");
  head += std::string(1, '\x40') + '\1' + name + static_cast<char>(value.size()) + value;
  head += std::string(8000, '\xbe');  // the newest entry
  expect_ended("header_bytes", 1, [&](int) { return frame(kHeaders, kEndHeaders, 1, head); });
}

TEST_F(GrpcAttacked, control_frames) {
  start();
  const std::map<std::string, std::string> floods{
      {"pings", frame(kPing, 0, 0, std::string(8, 'p'))},
      {"settings", frame(kSettings, 0, 0, std::string("\0\4\0\0\1\0", 6))},
      {"priorities", frame(kPriority, 0, 1, four(3) + "\1")},
      {"windows", frame(kWindowUpdate, 0, 0, four(1))}};
  for (const auto& [name, bytes] : floods) {
    SCOPED_TRACE(name);
    ends_.clear();
    expect_ended("control_frames", kPieces,
                 [&](int piece) { return repeated([&](int) { return bytes; }, piece); });
  }
}

TEST_F(GrpcAttacked, data_without_bytes) {
  start();
  expect_ended("control_frames", kPieces, [](int piece) {
    if (piece == 0) return frame(kHeaders, kEndHeaders, 1, call_head("/a.B/Now"));
    return repeated([](int) { return frame(kData, 0, 1, ""); }, piece);
  });
}

TEST_F(GrpcAttacked, bytes_that_are_no_http2) {
  start();
  expect_ended("protocol", 1, [](int) { return std::string(1000, 'g'); });
}

// A hundred answers of a megabyte, of which the client takes nothing: a few are made, and the rest
// waits with the client.
TEST_F(GrpcAttacked, answers_that_nobody_reads) {
  start();
  ASSERT_TRUE(bystander_is_answered());
  const std::int64_t before = resident_bytes();
  answered_ = 0;
  RawClient attacker(port());
  // No window at all for answers.
  ASSERT_TRUE(attacker.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" +
                            frame(kSettings, 0, 0, std::string("\0\4\0\0\0\0", 6))));
  for (int i = 0; i < 100; ++i)
    ASSERT_TRUE(attacker.send(frame(kHeaders, kEndHeaders, 2 * i + 1, call_head("/a.B/Big")) +
                              frame(kData, kEndStream, 2 * i + 1, std::string(5, '\0'))));
  ASSERT_TRUE(await([&] { return answered_ >= 4; }));
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(bystander_is_answered());
  EXPECT_LT(answered_, 80);  // with the bystander's 20
  EXPECT_LT(resident_bytes() - before, 100 * kMiB);
}

// Requests that are announced and come in part: they take what has come, up to the windows.
TEST_F(GrpcAttacked, requests_that_never_end) {
  start();
  ASSERT_TRUE(bystander_is_answered());
  const std::int64_t before = resident_bytes();
  RawClient attacker(port());
  ASSERT_TRUE(attacker.send(kPreface));
  const std::string announced = std::string(1, '\0') + four(1 << 30);
  for (int i = 0; i < 90; ++i)
    ASSERT_TRUE(attacker.send(frame(kHeaders, kEndHeaders, 2 * i + 1, call_head("/a.B/Now")) +
                              frame(kData, 0, 2 * i + 1, announced)));
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(bystander_is_answered());
  EXPECT_LT(resident_bytes() - before, 50 * kMiB);
}

// The first bytes of a large request are enough to refuse it; small ones are read.
TEST_F(GrpcAttacked, large_requests_that_nobody_wants) {
  std::atomic<int> judged = 0;
  refuse_early_ = [&](const std::string& method, std::string_view first,
                      const CallLimits&) -> std::optional<Error> {
    ++judged;
    EXPECT_EQ(method, "/a.B/Now");
    if (first != "full") return std::nullopt;
    return Error(Code::kUnavailable, "no room");
  };
  start();
  RawClient client(port());
  ASSERT_TRUE(client.send(kPreface));
  int stream = 1;
  const auto ask = [&](const std::string& first, std::uint32_t size) {
    const std::string prefix = std::string(1, '\0') + four(size);
    const bool is_whole = first.size() == size;
    client.send(frame(kHeaders, kEndHeaders, stream, call_head("/a.B/Now")) +
                frame(kData, is_whole ? kEndStream : 0, stream, prefix + first));
    stream += 2;
  };
  ask("full", 4);
  ASSERT_TRUE(await([&] { return answered_ == 1; }));
  EXPECT_EQ(judged, 0);
  ask("room", 1 << 20);
  ask("full", 1 << 20);
  // It is told to stop, behind the answer.
  const std::string reset = frame(kReset, 0, stream - 2, four(0));
  EXPECT_TRUE(client.read_until(reset).ends_with(reset));
  EXPECT_EQ(judged, 2);
  EXPECT_EQ(answered_, 1);
  EXPECT_TRUE(bystander_is_answered());
}

// Many messages, quickly, are no attack.
TEST_F(GrpcAttacked, a_busy_client_is_served) {
  start({{"grpc.max_concurrent_streams", "7"}});
  for (int i = 0; i < 3000; ++i) ASSERT_TRUE(bystander_is_answered());
  const std::lock_guard lock(mutex_);
  EXPECT_TRUE(ends_.empty());
}

}  // namespace
}  // namespace rill::net
