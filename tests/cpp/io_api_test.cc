// Files, records and readers as C++ programs use them.
#include <gtest/gtest.h>

#include "rill/base/error_testing.h"
#include "rill/base/files.h"
#include "rill/messages.h"
#include "rill/rill.h"

namespace tf = rill;

namespace {

class Files : public ::testing::Test {
 protected:
  ~Files() override {
    if (tf::gfile::Exists(folder_)) tf::gfile::DeleteRecursively(folder_);
  }
  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  void write(const std::string& name, const std::string& text) const {
    tf::gfile::GFile file(path(name), "w");
    file.write(text);
    file.close();
  }

  const std::string folder_ = "ram://io_api_test";
};

TEST_F(Files, are_written_and_read) {
  tf::gfile::MakeDirs(folder_);
  write("a", "one\ntwo\nthree");
  tf::gfile::GFile file(path("a"));
  EXPECT_EQ(file.readline(), "one\n");
  EXPECT_EQ(file.tell(), 4U);
  EXPECT_EQ(file.read(3), "two");
  file.seek(-5, 2);
  EXPECT_EQ(file.read(), "three");
  file.seek(0);
  EXPECT_EQ(file.readlines().size(), 3U);
  EXPECT_EQ(file.size(), 13U);
  EXPECT_EQ(tf::thrown_by([&] { file.write("x"); }).code(), tf::Code::kPermissionDenied);
  EXPECT_EQ(tf::thrown_by([&] { file.seek(-14, 2); }).code(), tf::Code::kInvalidArgument);
  EXPECT_EQ(tf::thrown_by([&] { tf::gfile::GFile(path("a"), "rw"); }).code(),
            tf::Code::kInvalidArgument);
  EXPECT_EQ(tf::thrown_by([&] { tf::gfile::GFile(path("none")).read(); }).code(),
            tf::Code::kNotFound);
}

TEST_F(Files, are_appended_to) {
  tf::gfile::MakeDirs(folder_);
  write("a", "one");
  tf::gfile::GFile file(path("a"), "a");
  EXPECT_EQ(file.tell(), 3U);
  file.write("two");
  file.flush();
  EXPECT_EQ(tf::gfile::GFile(path("a")).read(), "onetwo");
  EXPECT_EQ(tf::thrown_by([&] { file.read(); }).code(), tf::Code::kPermissionDenied);
}

TEST_F(Files, stand_in_directories) {
  tf::gfile::MakeDirs(path("d/e"));
  write("d/x", "1");
  write("d/e/y", "2");
  EXPECT_EQ(tf::gfile::ListDirectory(path("d")), (std::vector<std::string>{"e", "x"}));
  const auto walked = tf::gfile::Walk(path("d"));
  ASSERT_EQ(walked.size(), 2U);
  EXPECT_EQ(walked[0].directories, std::vector<std::string>{"e"});
  EXPECT_EQ(walked[1].files, std::vector<std::string>{"y"});
  EXPECT_EQ(tf::gfile::Walk(path("d"), false)[0].path, path("d/e"));
  tf::gfile::Copy(path("d/x"), path("d/z"));
  EXPECT_EQ(tf::thrown_by([&] { tf::gfile::Copy(path("d/x"), path("d/z")); }).code(),
            tf::Code::kAlreadyExists);
  tf::gfile::Rename(path("d/z"), path("d/w"), true);
  EXPECT_EQ(tf::gfile::Glob(path("d/?")).size(), 3U);
  tf::gfile::Remove(path("d/w"));
  EXPECT_FALSE(tf::gfile::Exists(path("d/w")));
  EXPECT_TRUE(tf::gfile::IsDirectory(path("d")));
  EXPECT_EQ(tf::gfile::Stat(path("d/x")).size, 1U);
  EXPECT_EQ(tf::thrown_by([&] { tf::gfile::ListDirectory(path("no")); }).code(),
            tf::Code::kNotFound);
}

TEST_F(Files, of_records) {
  tf::gfile::MakeDirs(folder_);
  for (const tf::Compression packed : {tf::Compression::none, tf::Compression::gzip}) {
    const tf::io::TFRecordOptions options{.compression_type = packed};
    tf::io::TFRecordWriter writer(path("r"), options);
    writer.write("one");
    writer.write("two");
    writer.close();
    std::vector<std::string> records;
    for (const std::string& record : tf::io::tf_record_iterator(path("r"), options))
      records.push_back(record);
    EXPECT_EQ(records, (std::vector<std::string>{"one", "two"}));
  }
}

TEST_F(Files, of_examples) {
  const auto example = tf::train::make_example({{"id", tf::train::int64_feature({7, -1})},
                                                {"name", tf::train::bytes_feature({"seven"})},
                                                {"x", tf::train::float_feature({0.5f})}});
  tf::io::TFRecordOptions options{.compression_type = tf::Compression::gzip,
                                  .compression_level = 9};
  tf::io::TFRecordWriter writer(path("examples"), options);
  writer.write(example.SerializeAsString());
  writer.flush();
  writer.close();
  for (const std::string& record : tf::python_io::tf_record_iterator(path("examples"), options)) {
    tf::train::Example read;
    ASSERT_TRUE(read.ParseFromString(record));
    EXPECT_EQ(read.features().feature().at("id").int64_list().value(1), -1);
    EXPECT_EQ(read.features().feature().at("name").bytes_list().value(0), "seven");
  }
  const auto sequence = tf::train::make_sequence_example(
      {{"id", tf::train::int64_feature({7})}},
      {{"steps", {tf::train::float_feature({1}), tf::train::float_feature({})}}});
  EXPECT_EQ(sequence.feature_lists().feature_list().at("steps").feature_size(), 2);
}

TEST_F(Files, of_graphs) {
  auto graph = tf::make_graph();
  const tf::AsDefault in(graph);
  tf::constant(1.0F, {.name = "c"});
  const std::string text = tf::train::write_graph(*graph, folder_, "g.pbtxt");
  EXPECT_NE(tf::read_file(text).find("name: \"c\""), std::string::npos);
  const std::string bytes = tf::io::write_graph(*graph, folder_, "g.pb", false);
  EXPECT_EQ(bytes, path("g.pb"));
}

TEST_F(Files, are_read_by_readers) {
  tf::gfile::MakeDirs(folder_);
  write("a", "head\n1\n2\n");
  auto graph = tf::make_graph();
  const tf::AsDefault in(graph);
  tf::FIFOQueue names(10, {tf::string}, {.shapes = {tf::PartialShape::scalar()}});
  tf::Node& fill = names.enqueue({path("a")});
  const tf::TextLineReader reader({.skip_header_lines = 1});
  const auto [key, value] = reader.read(names);
  tf::Session session(graph);
  session.run(fill);
  EXPECT_EQ(session.run(value).scalar_value<std::string>(), "1");
  const auto next = session.run(std::vector<tf::Output>{key, value});
  EXPECT_EQ(next[0].scalar_value<std::string>(), path("a") + ":3");
  EXPECT_EQ(next[1].scalar_value<std::string>(), "2");
  EXPECT_EQ(session.run(reader.num_records_produced()).scalar_value<std::int64_t>(), 2);
  EXPECT_EQ(reader.reader_ref().node->name(), "TextLineReaderV2");
}

}  // namespace
