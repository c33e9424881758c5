// Writes examples to a file and parses them. The Python twin is records.py.
#include "rill/messages.h"
#include "tests/tutorials/shown.h"

namespace tf = rill;

int main() {
  const std::string file = temporary_folder("records") + "/data.tfrecord";
  {
    tf::io::TFRecordWriter writer(file);
    for (int i = 0; i < 3; ++i) {
      const auto example = tf::train::make_example(
          {{"id", tf::train::int64_feature({i})},
           {"x", tf::train::float_feature({0.5f * static_cast<float>(i), 1.0f})},
           {"name", tf::train::bytes_feature({"row " + std::to_string(i)})}});
      writer.write(example.SerializeAsString());
    }
  }
  const auto data = tf::data::TFRecordDataset(file).batch(3);
  const auto texts = tf::data::make_one_shot_iterator(data).get_next()[0].tensor();
  const auto parsed = tf::parse_example(texts, {{"id", tf::FixedLenFeature{{}, tf::int64}},
                                                {"x", tf::FixedLenFeature{{2}, tf::float32}},
                                                {"name", tf::FixedLenFeature{{}, tf::string}}});
  tf::Session sess;
  const auto values =
      sess.run({std::get<tf::Output>(parsed.at("id")), std::get<tf::Output>(parsed.at("x")),
                std::get<tf::Output>(parsed.at("name"))});
  show("id", values[0]);
  show("x", values[1]);
  show("name", values[2]);
  return 0;
}
