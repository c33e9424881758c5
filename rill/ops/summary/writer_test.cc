// What the ops write is read back from the file.
#include <gtest/gtest.h>

#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/io/event_reader.h"
#include "rill/ops/logging/summary_message.h"
#include "rill/ops/summary/event_message.h"
#include "tensorflow/core/framework/summary.pb.h"
#include "tensorflow/core/util/event.pb.h"

namespace rill {
namespace {

TEST(EventMessageTest, summaries_and_graphs_become_events) {
  SummaryMessage message;
  message.add_scalar("loss", 0.5f);
  tensorflow::Event event;
  ASSERT_TRUE(event.ParseFromString(summary_event(7, message.serialized())));
  EXPECT_EQ(event.step(), 7);
  EXPECT_GT(event.wall_time(), 1.6e9);
  EXPECT_EQ(event.summary().value(0).tag(), "loss");
  EXPECT_EQ(event.summary().value(0).simple_value(), 0.5f);
  ASSERT_TRUE(event.ParseFromString(graph_event(8, "")));
  EXPECT_EQ(event.what_case(), tensorflow::Event::kGraphDef);
}

TEST(EventMessageTest, what_is_no_message_is_data_loss) {
  const std::string bad = "\xff\xff";
  for (const auto& attempt : std::initializer_list<std::function<void()>>{
           [&] { summary_event(1, bad); }, [&] { graph_event(1, bad); }, [&] { check_event(bad); }})
    try {
      attempt();
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::kDataLoss) << error.what();
    }
}

}  // namespace
}  // namespace rill
