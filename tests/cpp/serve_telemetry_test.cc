// What a server tells of itself: lines of its log, spans of requests, metrics with exemplars, live
// profiles.
#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include "rill/base/file_testing.h"
#include "rill/base/files.h"
#include "rill/base/json.h"
#include "rill/net/http/http_post.h"
#include "rill/net/http/http_server.h"
#include "rill/serve/model/step_profile.h"
#include "rill/serve/server.h"
#include "tests/cpp/http_testing.h"
#include "tests/cpp/serve_testing.h"

namespace rill::serve {
namespace {

const std::string kTrace = "0af7651916cd43dd8448eb211c80319c";
const std::string kParent = "00-" + kTrace + "-b7ad6b7169203331-01";

TEST(RequestId, is_the_clients_if_it_can_be_one) {
  EXPECT_EQ(net::request_id("abc-123"), "abc-123");
  for (const std::string& given :
       {std::string(), std::string("a b"), std::string("a\nb"), std::string(129, 'x'),
        std::string("\xff"), std::string("a\"b")}) {
    const std::string made = net::request_id(given);
    EXPECT_NE(made, given);
    EXPECT_EQ(made.size(), 15u);
    EXPECT_NE(made, net::request_id(given));
  }
}

TEST(TraceParent, is_read_as_the_standard_says) {
  const auto parent = parse_traceparent(kParent);
  ASSERT_TRUE(parent);
  EXPECT_EQ(parent->trace_id, kTrace);
  EXPECT_EQ(parent->span_id, "b7ad6b7169203331");
  EXPECT_TRUE(parent->is_sampled);
  EXPECT_FALSE(parse_traceparent("00-" + kTrace + "-b7ad6b7169203331-00")->is_sampled);
  EXPECT_TRUE(parse_traceparent("01-" + kTrace + "-b7ad6b7169203331-01-more"));
  for (const std::string& wrong :
       {std::string(), std::string("00-"), "ff-" + kTrace + "-b7ad6b7169203331-01",
        "00-" + std::string(32, '0') + "-b7ad6b7169203331-01", kParent + "x",
        "00-" + kTrace + "-B7AD6B7169203331-01", "01-" + kTrace + "-b7ad6b7169203331-01x"})
    EXPECT_FALSE(parse_traceparent(wrong)) << wrong;
}

TEST(LogLine, is_one_line_of_text_or_one_object) {
  const LogFields fields{{"model", "a b"}, {"version", std::int64_t{3}}, {"id", "x\n\xff\"y"}};
  const std::string text =
      log_line_text(LogFormat::kText, LogLevel::kWarning, "two\nlines", fields);
  EXPECT_EQ(text.find('\n'), std::string::npos);
  EXPECT_NE(text.find("Z WARN  two\\nlines model=\"a b\" version=3 id="), std::string::npos)
      << text;
  const Json line =
      parse_json(log_line_text(LogFormat::kJson, LogLevel::kWarning, "two\nlines", fields));
  EXPECT_EQ(line.find("level")->text, "warning");
  EXPECT_EQ(line.find("message")->text, "two\nlines");
  EXPECT_EQ(line.find("version")->kind, Json::Kind::number);
  EXPECT_EQ(line.find("time")->text.size(), std::string("2026-11-19T04:00:00.000000Z").size());
}

TEST(LineFile, goes_on_in_a_new_file_when_the_old_one_is_moved) {
  const ScratchDirectory directory;
  const std::string path = directory / "access.log";
  LineFile file(path);
  file.add("one");
  file.flush();
  std::filesystem::rename(path, path + ".1");
  file.add("two");  // still into the old one
  file.flush();
  file.reopen();
  file.flush();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  file.add("three");
  file.flush();
  EXPECT_EQ(read_file(path + ".1"), "one\ntwo\n");
  EXPECT_EQ(read_file(path), "three\n");
  EXPECT_THROW(LineFile("/nowhere/at/all"), Error);
}

TEST(HttpPost, sends_and_says_who_does_not_answer) {
  std::atomic<int> seen = 0;
  net::HttpServer server(
      [&](const net::HttpRequest& request, const net::HttpReply& reply) {
        EXPECT_EQ(request.body, "{}");
        EXPECT_EQ(request.target, "/v1/traces");
        ++seen;
        reply({.status = 202});
      },
      {});
  const std::string url = str_cat("http://127.0.0.1:", server.port(), "/v1/traces");
  EXPECT_EQ(net::http_post(url, "application/json", "{}", 5000), 202);
  EXPECT_EQ(seen, 1);
  server.shut_down(0);
  EXPECT_THROW(net::http_post(url, "application/json", "{}", 1000), Error);
  for (const char* wrong : {"https://a/b", "http://", "http://a:x/", "a", "http://a:99999/"})
    EXPECT_THROW(net::check_http_url(wrong), Error) << wrong;
}

TEST(Metrics, have_exemplars_where_they_are_understood) {
  Metrics metrics;
  RequestMetrics& requests = metrics.model("a").requests[0][1];
  requests.add(Code::kOk, 1500);
  requests.exemplar.set(kTrace, 1500, 1'700'000'000'000'000);
  const std::string open = metrics.prometheus(true), plain = metrics.prometheus();
  EXPECT_EQ(plain.find(kTrace), std::string::npos);
  EXPECT_EQ(plain.find("# EOF"), std::string::npos);
  EXPECT_NE(open.find(" # {trace_id=\"" + kTrace + "\"} 1500 1700000000.000\n"), std::string::npos);
  EXPECT_EQ(open.find(kTrace), open.rfind(kTrace));
  EXPECT_TRUE(open.ends_with("# EOF\n"));
  EXPECT_NE(open.find("# TYPE :tensorflow:serving:request_count unknown\n"), std::string::npos);
  EXPECT_NE(plain.find("# TYPE :tensorflow:serving:request_count counter\n"), std::string::npos);
  EXPECT_NE(open.find("# TYPE process_cpu_seconds counter\n"), std::string::npos);
  // Every family says what it is.
  std::size_t helps = 0, types = 0;
  for (const std::string_view line : split(plain, '\n')) {
    helps += line.starts_with("# HELP ");
    types += line.starts_with("# TYPE ");
    if (!line.starts_with("# HELP ")) continue;
    EXPECT_GT(line.size(), line.find(' ', 7) + 2) << line;
  }
  EXPECT_EQ(helps, types);
  EXPECT_GT(helps, 25u);
}

class TelemetryServer : public testing::Test {
 protected:
  TelemetryServer() {
    models_.add("predict", kSavedModels + "predict/model");
    options_.core = core_options();
    options_.has_grpc = false;
    options_.rest.prometheus_path = "/metrics";
    options_.log =
        std::make_shared<ServerLog>(ServerLog::Options{.format = LogFormat::kJson,
                                                       .level = LogLevel::kError,
                                                       .access_path = directory_ / "access.log"});
    options_.traces.file = directory_ / "traces.jsonl";
    options_.has_profiles = true;
  }
  void start() { server_ = std::make_unique<Server>(options_, models_.config()); }
  HttpAnswer ask(const std::string& path, const std::string& headers = {},
                 const std::string& body = R"({"inputs": [[0.0, 0.0, 0.0]]})") {
    HttpClient client(server_->rest_port());
    return body.empty() ? client.ask("GET", path, {}, headers)
                        : client.ask("POST", path, body, headers);
  }
  std::vector<Json> lines(const std::string& name) {
    std::vector<Json> all;
    const std::string text = read_file(directory_ / name);
    for (const std::string_view line : split(text, '\n'))
      if (!line.empty()) all.push_back(parse_json(line));
    return all;
  }

  ScratchDirectory directory_;
  ModelFolder models_;
  ServerOptions options_;
  std::unique_ptr<Server> server_;
};

TEST_F(TelemetryServer, notes_every_request_with_its_id_and_its_trace) {
  start();
  const std::string predict = "/v1/models/predict:predict";
  EXPECT_NE(ask(predict, "X-Request-Id: mine\r\n").headers.find("X-Request-Id: mine\r\n"),
            std::string::npos);
  EXPECT_NE(ask(predict).headers.find("X-Request-Id: "), std::string::npos);
  ask(predict, "traceparent: " + kParent + "\r\n");
  ask("/v1/models/predict/versions/9:predict");
  ask("/v1/models/invented:predict");
  const std::string metrics = ask("/metrics", "Accept: application/openmetrics-text\r\n", "").body;
  server_->shut_down(1000);
  const auto access = lines("access.log");
  ASSERT_EQ(access.size(), 6u);
  EXPECT_EQ(access[0].find("request_id")->text, "mine");
  EXPECT_EQ(access[0].find("model")->text, "predict");
  EXPECT_EQ(access[0].find("version")->text, "1");
  EXPECT_EQ(access[0].find("signature")->text, "serving_default");
  EXPECT_EQ(access[0].find("status")->text, "200");
  EXPECT_EQ(access[0].find("method")->text, "POST " + predict);
  EXPECT_NE(access[0].find("run_micros"), nullptr);
  EXPECT_TRUE(access[0].find("peer")->text.starts_with("127.0.0.1:"));
  EXPECT_EQ(access[2].find("traceparent")->text, kParent);
  EXPECT_EQ(access[3].find("status")->text, "404");
  EXPECT_EQ(access[3].find("model")->text, "predict");
  EXPECT_EQ(access[4].find("model"), nullptr);
  // Of an unknown version, under the model's name; of what clients invent, not.
  EXPECT_NE(metrics.find("request_count{model_name=\"predict\",status=\"NOT_FOUND\"} 1\n"),
            std::string::npos);
  EXPECT_EQ(metrics.find("invented"), std::string::npos);
  EXPECT_NE(metrics.find("trace_id=\"" + kTrace), std::string::npos);
  // The one trace that a client asked for.
  const auto traces = lines("traces.jsonl");
  ASSERT_EQ(traces.size(), 1u);
  const Json& scope = traces[0].find("resourceSpans")->items[0].find("scopeSpans")->items[0];
  const std::vector<Json>& spans = scope.find("spans")->items;
  ASSERT_EQ(spans.size(), 2u);
  for (const Json& span : spans) EXPECT_EQ(span.find("traceId")->text, kTrace);
  EXPECT_EQ(spans[0].find("parentSpanId")->text, "b7ad6b7169203331");
  EXPECT_EQ(spans[1].find("parentSpanId")->text, spans[0].find("spanId")->text);
  EXPECT_LE(spans[0].find("startTimeUnixNano")->text, spans[1].find("startTimeUnixNano")->text);
  EXPECT_GE(spans[0].find("endTimeUnixNano")->text, spans[1].find("endTimeUnixNano")->text);
}

TEST_F(TelemetryServer, traces_a_part_of_the_requests_by_itself) {
  options_.traces.sampling = 0.25;
  start();
  for (int i = 0; i < 40; ++i) ask("/v1/models/predict:predict");
  server_->shut_down(1000);
  std::size_t spans = 0;
  for (const Json& line : lines("traces.jsonl"))
    spans += line.find("resourceSpans")
                 ->items[0]
                 .find("scopeSpans")
                 ->items[0]
                 .find("spans")
                 ->items.size();
  EXPECT_NEAR(static_cast<double>(spans), 20, 4);  // two of each of ten
}

TEST_F(TelemetryServer, shows_what_steps_do_while_they_do_it) {
  start();
  std::atomic<bool> is_over = false;
  std::thread load([&] {
    while (!is_over) ask("/v1/models/predict:predict");
  });
  const Json timeline = parse_json(ask("/debug/profile?seconds=1&model=predict", "", "").body);
  const std::string pprof = ask("/debug/profile?seconds=1&format=pprof", "", "").body;
  const std::string steps = ask("/debug/profile?seconds=1&format=run_metadata", "", "").body;
  const std::string none = ask("/debug/profile?seconds=1&model=other", "", "").body;
  EXPECT_EQ(ask("/debug/profile?seconds=0", "", "").status, 400);
  EXPECT_EQ(ask("/debug/profile?what=1", "", "").status, 400);
  is_over = true;
  load.join();
  EXPECT_GT(timeline.find("traceEvents")->items.size(), 2u);
  EXPECT_NE(pprof.find("nanoseconds"), std::string::npos);
  EXPECT_NE(pprof.find("predict"), std::string::npos);
  EXPECT_GT(steps.size(), 100u);
  EXPECT_EQ(parse_json(none).find("traceEvents")->items.size(), 0u);
}

TEST_F(TelemetryServer, shows_no_profiles_unless_it_is_told_to) {
  options_.has_profiles = false;
  start();
  EXPECT_EQ(ask("/debug/profile?seconds=1", "", "").status, 404);
}

TEST(StepProfile, has_one_watcher_and_an_end) {
  StepProfile profile;
  EXPECT_FALSE(profile.wants("a"));
  std::thread other([&] { EXPECT_EQ(profile.collect("a", 5000, 2).size(), 2u); });
  while (!profile.wants("a")) std::this_thread::yield();
  EXPECT_FALSE(profile.wants("b"));
  EXPECT_THROW(profile.collect("", 1, 1), Error);
  profile.add("a", {});
  EXPECT_TRUE(profile.wants("a"));
  EXPECT_FALSE(profile.wants("a"));  // two are enough
  profile.add("a", {});
  other.join();
  EXPECT_TRUE(profile.collect("", 10, 5).empty());
}

}  // namespace
}  // namespace rill::serve
