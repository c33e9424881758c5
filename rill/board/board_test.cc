#include "rill/board/board.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "rill/base/file_testing.h"
#include "rill/board/gate.h"
#include "rill/io/event_writer.h"
#include "rill/net/http/http_post.h"
#include "tensorflow/core/util/event.pb.h"

namespace rill::board {
namespace {

constexpr std::int64_t kPatience = 20'000;

// A directory with one run of one scalar.
class Logs {
 public:
  explicit Logs(const std::string& tag = "loss") {
    EventWriter writer(scratch_ / "run/events");
    for (int step = 0; step < 10; ++step) {
      tensorflow::Event event;
      event.set_step(step);
      auto* value = event.mutable_summary()->add_value();
      value->set_tag(tag);
      value->set_simple_value(static_cast<float>(step));
      writer.write(event);
    }
    writer.flush();
  }
  const std::string& path() const { return scratch_.path(); }

 private:
  const ScratchDirectory scratch_;
};

TEST(Board, is_there_while_it_lives) {
  const Logs logs;
  const Board board({.logdir = logs.path(), .port = 0});
  board.wait_until_loaded();
  EXPECT_EQ(board.url(), str_cat("http://localhost:", board.port(), "/"));
  const std::string base = str_cat("http://127.0.0.1:", board.port());
  const auto chart = [&](std::string_view wish) {
    return net::http_post(base + "/data/rill/chart", "application/json", wish, kPatience);
  };
  EXPECT_EQ(chart(R"({"tag": "loss", "runs": ["run"]})"), 200);
  EXPECT_EQ(chart("no JSON"), 400);
  EXPECT_EQ(net::http_post(base + "/none", "text/plain", "", kPatience), 404);
}

TEST(Board, who_waits_for_news_is_answered_before_it_ends) {
  const Logs logs;
  std::vector<int> statuses;
  std::jthread waiting;
  {
    const Board board({.logdir = logs.path(), .port = 0});
    board.wait_until_loaded();
    const std::string url =
        str_cat("http://127.0.0.1:", board.port(), "/data/rill/changes?version=");
    waiting = std::jthread([url, &statuses] {
      try {
        for (int version = 1; version < 50; ++version)  // one of them is the present one
          statuses.push_back(net::http_post(str_cat(url, version), "text/plain", "", kPatience));
      } catch (const Error&) {  // the server is gone
      }
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
  }
  waiting.join();
  EXPECT_FALSE(statuses.empty());
  EXPECT_LT(statuses.size(), 49u);
  EXPECT_EQ(std::ranges::count(statuses, 200), std::ssize(statuses));
}

TEST(Board, needs_a_directory_and_a_prefix_that_is_one) {
  EXPECT_NE(error_of([] { Board({.port = 0}); }).find("directory of logs"), std::string::npos);
  EXPECT_NE(error_of([] { Board({.logdir = ".", .port = 0, .path_prefix = "x"}); }).find("slash"),
            std::string::npos);
}

TEST(Board, takes_the_next_port_where_one_is_taken) {
  const Logs logs;
  const Board first({.logdir = logs.path(), .port = 0});
  EXPECT_NE(error_of([&] { Board({.logdir = logs.path(), .port = first.port()}); }), "");
  const Board second({.logdir = logs.path(), .port = first.port(), .tries_next_ports = true});
  EXPECT_GT(second.port(), first.port());
}

TEST(Board, reports_and_inspections_tell_what_there_is) {
  const Logs logs("<b>loss</b>");
  const std::string report = html_report({.logdir = logs.path()});
  EXPECT_NE(report.find("&lt;b&gt;loss&lt;/b&gt;"), std::string::npos);
  EXPECT_EQ(report.find("<b>loss"), std::string::npos);
  const std::string told = inspect_logs({.logdir = logs.path()});
  EXPECT_NE(told.find("last_step            9"), std::string::npos) << told;
}

net::HttpRequest request_of(const std::string& host, const std::string& target = "/") {
  net::HttpRequest request;
  request.method = "GET";
  request.target = target;
  request.head = "Host: " + host;
  request.fields = {{.name = 0,
                     .name_size = 4,
                     .value = 6,
                     .value_size = static_cast<std::uint32_t>(host.size())}};
  return request;
}

TEST(BoardGate, names_that_lead_elsewhere_are_refused) {
  const Gate gate({.host = "127.0.0.1", .token = "", .allowed_hosts = {"board.example"}});
  EXPECT_FALSE(gate.refusal(request_of("localhost:6006")));
  EXPECT_FALSE(gate.refusal(request_of("[::1]:6006")));
  EXPECT_FALSE(gate.refusal(request_of("Board.Example")));
  EXPECT_TRUE(gate.refusal(request_of("evil.example")));
  EXPECT_TRUE(gate.refusal(request_of("localhost.evil.example")));
  EXPECT_TRUE(gate.refusal(request_of("192.168.0.1")));
}

TEST(BoardGate, tokens_are_needed_whole) {
  const Gate gate({.host = "0.0.0.0", .token = "secret", .allowed_hosts = {}});
  EXPECT_TRUE(gate.refusal(request_of("10.0.0.1")));
  EXPECT_TRUE(gate.refusal(request_of("10.0.0.1", "/?token=secre")));
  EXPECT_TRUE(gate.refusal(request_of("10.0.0.1", "/?token=")));
  EXPECT_FALSE(gate.refusal(request_of("10.0.0.1", "/?token=secret")));
  EXPECT_EQ(Gate::fresh_token().size(), 32u);
  EXPECT_NE(Gate::fresh_token(), Gate::fresh_token());
}

}  // namespace
}  // namespace rill::board
