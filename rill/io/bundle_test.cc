#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "rill/base/durable_files.h"
#include "rill/base/file_system.h"
#include "rill/base/file_testing.h"
#include "rill/io/bundle_format.h"
#include "rill/io/bundle_index.h"
#include "rill/io/bundle_reader.h"
#include "rill/io/bundle_writer.h"
#include "rill/tensor/list_value.h"

namespace rill {
namespace {

using Names = std::vector<std::string>;

class Bundle : public testing::Test {
 protected:
  std::string prefix(const char* name = "model") { return scratch_ / name; }
  std::string data() { return bundle_data_path(prefix(), 0, 1); }
  void write(const std::map<std::string, Tensor>& tensors) {
    BundleWriter writer(prefix());
    for (const auto& [name, tensor] : tensors) writer.add(name, tensor);
    writer.finish();
  }
  Tensor read(const std::string& name) { return CheckpointReader::open(prefix())->read(name); }
  Names files() { return file_system_of(scratch_.path()).list(scratch_.path()); }

  ScratchDirectory scratch_;
};

Tensor counted(const Shape& shape) {
  Tensor tensor(DType::f32, shape);
  float value = 0;
  for (float& element : tensor.flat<float>()) element = value++;
  return tensor;
}

TEST_F(Bundle, every_type_comes_back) {
  std::map<std::string, Tensor> tensors;
  for (int i = 1; i < kDTypeCount; ++i) {
    const auto dtype = static_cast<DType>(i);
    if (!is_trivial(dtype)) continue;
    for (const Shape& shape : {Shape(), Shape{3, 2}, Shape{0, 5}}) {
      Tensor tensor = Tensor::zeros(dtype, shape);
      auto* bytes = static_cast<char*>(tensor.raw_data());
      for (std::size_t k = 0; k < tensor.byte_size(); ++k) bytes[k] = static_cast<char>(k % 2);
      tensors[str_cat(dtype, "/", shape)] = tensor;
    }
  }
  tensors["strings"] = Tensor::vector<std::string>({"ab", "", "xyz", std::string(300'000, 'q')});
  tensors["string"] = Tensor::scalar<std::string>("s");
  tensors["no strings"] = Tensor(DType::string, {0});
  write(tensors);
  const auto reader = CheckpointReader::open(prefix());
  EXPECT_EQ(reader->tensors().size(), tensors.size());
  for (const auto& [name, tensor] : tensors) {
    EXPECT_TRUE(identical(reader->read(name), tensor)) << name;
    EXPECT_EQ(reader->tensor(name).dtype, tensor.dtype());
    EXPECT_EQ(reader->tensor(name).shape, tensor.shape());
  }
  EXPECT_EQ(files(), (Names{"model.data-00000-of-00001", "model.index"}));
}

TEST_F(Bundle, bytes_are_as_documented) {
  write({{"global_step", Tensor::scalar<std::int64_t>(7)}, {"w", Tensor::vector<float>({1, 2})}});
  EXPECT_EQ(read_file(data()), std::string("\7\0\0\0\0\0\0\0\0\0\x80\x3f\0\0\0\x40", 16));
  const unsigned char kIndex[] = {
      0x00, 0x00, 0x06, 0x08, 0x01, 0x1a, 0x02, 0x08, 0x01, 0x00, 0x0b, 0x0b, 0x67, 0x6c, 0x6f,
      0x62, 0x61, 0x6c, 0x5f, 0x73, 0x74, 0x65, 0x70, 0x08, 0x09, 0x12, 0x00, 0x28, 0x08, 0x35,
      0xbb, 0xd7, 0x9f, 0x11, 0x00, 0x01, 0x11, 0x77, 0x08, 0x01, 0x12, 0x04, 0x12, 0x02, 0x08,
      0x02, 0x20, 0x08, 0x28, 0x08, 0x35, 0x59, 0x3c, 0xe5, 0x35, 0x00, 0x00, 0x00, 0x00, 0x01,
      0x00, 0x00, 0x00, 0x00, 0x0b, 0xcf, 0x24, 0x33, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00,
      0x00, 0x00, 0xc0, 0xf2, 0xa1, 0xb0, 0x00, 0x01, 0x02, 0x78, 0x00, 0x3f, 0x00, 0x00, 0x00,
      0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0xf8, 0x4d, 0x77, 0xf5, 0x44, 0x08, 0x51, 0x0e, 0x00,
      0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
      0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
      0x00, 0x00, 0x00, 0x00, 0x00, 0x57, 0xfb, 0x80, 0x8b, 0x24, 0x75, 0x47, 0xdb};
  EXPECT_EQ(read_file(prefix() + ".index"),
            std::string(reinterpret_cast<const char*>(kIndex), sizeof kIndex));
}

TEST_F(Bundle, strings_are_as_documented) {
  write({{"s", Tensor::vector<std::string>({"ab", "", "xyz"})}, {"t", Tensor(DType::string, {0})}});
  EXPECT_EQ(read_file(data()), std::string("\2\0\3\x1b\x42\x8b\xca"
                                           "abxyz\xd8\xea\x82\xa2",
                                           16));
  const BundleIndex index = read_bundle_index(prefix());
  EXPECT_EQ(index.entries.at("s").crc32c(), 0x3fc4ad10u);
  EXPECT_EQ(index.entries.at("t").crc32c(), 0x640cc1f6u);
}

TEST_F(Bundle, lists_come_back) {
  const auto list = std::make_shared<ListValue>(DType::f32, PartialShape::of_rank(1));
  list->push_back(counted({2}));
  list->push_back(counted({3}));
  write({{"list", Tensor::scalar(to_variant(list))}});
  const Tensor again = read("list");
  const auto* found = again.scalar_value<Variant>().get<ListValue>();
  ASSERT_NE(found, nullptr);
  ASSERT_EQ(found->elements.size(), 2u);
  EXPECT_TRUE(identical(found->elements[1], counted({3})));
}

TEST_F(Bundle, slices_and_whole_tensors_convert_both_ways) {
  const Tensor whole = counted({10, 4});
  BundleWriter writer(prefix());
  writer.add("plain", whole);
  writer.add_slice("rows", {10, 4}, TensorSlice::parse("0,5:0,4"), whole.slice(0, 5));
  writer.add_slice("rows", {10, 4}, TensorSlice::parse("5,5:0,4"), whole.slice(5, 10));
  writer.add_slice("all", {10, 4}, TensorSlice::parse("0,10:-"), whole);
  writer.finish();
  const auto reader = CheckpointReader::open(prefix());
  EXPECT_EQ(reader->describe(),
            "all (DT_FLOAT) [10,4]\nplain (DT_FLOAT) [10,4]\nrows (DT_FLOAT) [10,4]\n");
  for (const char* name : {"plain", "rows", "all"}) {
    EXPECT_TRUE(identical(reader->read(name), whole)) << name;
    EXPECT_TRUE(
        identical(reader->read_slice(name, TensorSlice::parse("5,5:0,4")), whole.slice(5, 10)));
    EXPECT_TRUE(
        identical(reader->read_slice(name, TensorSlice::parse("3,4:-")), whole.slice(3, 7)));
    const Tensor column = reader->read_slice(name, TensorSlice::parse("-:2,1"));
    EXPECT_EQ(column.shape(), Shape({10, 1}));
    EXPECT_EQ(column.flat<float>()[7], 30);
  }
  EXPECT_TRUE(error_of([&] {
                reader->read_slice("plain", TensorSlice::parse("8,4:-"));
              }).starts_with("InvalidArgument: Extent in dimension 0"));
}

TEST_F(Bundle, wrong_use_is_refused) {
  BundleWriter writer(prefix());
  writer.add("a", counted({2}));
  writer.add_slice("p", {4}, TensorSlice::parse("0,2"), counted({2}));
  const auto error_adding = [&](const char* name) {
    return error_of([&] { writer.add(name, counted({1})); });
  };
  EXPECT_EQ(error_adding("a"), "InvalidArgument: Adding duplicate key: a");
  EXPECT_EQ(error_adding("p"), "InvalidArgument: Adding duplicate key: p");
  EXPECT_TRUE(error_adding("").starts_with("InvalidArgument"));
  const auto error_of_slice = [&](const char* name, const Shape& full, const char* slice,
                                  int size) {
    return error_of(
        [&] { writer.add_slice(name, full, TensorSlice::parse(slice), counted({size})); });
  };
  EXPECT_EQ(error_of_slice("p", {4}, "0,2", 2),
            "InvalidArgument: Adding duplicate key: p slice 0,2");
  EXPECT_TRUE(error_of_slice("p", {5}, "2,2", 2).starts_with("InvalidArgument: Slice 2,2"));
  EXPECT_TRUE(error_of_slice("p", {4}, "2,2", 1).starts_with("InvalidArgument: Slice 2,2"));
  EXPECT_TRUE(error_of_slice("a", {4}, "2,2", 2).starts_with("InvalidArgument: Adding duplicate"));
  EXPECT_TRUE(error_of([&] {
                writer.add("r", Tensor(DType::resource, Shape{}));
              }).starts_with("Unimplemented"));
  writer.finish();
  EXPECT_TRUE(error_of([&] { writer.finish(); }).starts_with("FailedPrecondition"));
  EXPECT_EQ(error_of([&] { read("nope"); }), "NotFound: Key nope not found in checkpoint");
  EXPECT_EQ(error_of([&] { CheckpointReader::open(scratch_ / "zip"); }),
            str_cat("NotFound: Unsuccessful TensorSliceReader constructor: Failed to find any "
                    "matching files for ",
                    scratch_ / "zip"));
}

TEST_F(Bundle, nothing_is_seen_of_a_checkpoint_before_it_is_finished) {
  write({{"v", counted({1})}});
  {
    BundleWriter writer(prefix());
    writer.add("v", counted({1000}));
    EXPECT_TRUE(identical(read("v"), counted({1})));
  }
  EXPECT_TRUE(identical(read("v"), counted({1})));
  EXPECT_EQ(files().size(), 2u);  // what was not finished has left nothing
}

TEST_F(Bundle, whatever_is_broken_is_data_loss_with_tensor_and_file) {
  write({{"a", counted({3})}, {"s", Tensor::vector<std::string>({"ab", "cde"})}});
  for (const std::string& path : {data(), prefix() + ".index"}) {
    const std::string whole = read_file(path);
    for (std::size_t i = 0; i < whole.size(); ++i) {
      std::string broken = whole;
      broken[i] = static_cast<char>(broken[i] ^ 8);
      write_file(path, broken);
      const std::string error = error_of([&] {
        read("a");
        read("s");
      });
      if (error.empty()) {  // unused bytes of the table alone may be anything
        EXPECT_NE(path, data());
      } else {
        EXPECT_TRUE(error.starts_with("DataLoss: ")) << error;
        EXPECT_NE(error.find(path), std::string::npos) << error;
        if (path == data()) {
          EXPECT_NE(error.find(i < 12 ? "tensor a at offset 0" : "tensor s at offset 12"),
                    std::string::npos)
              << error;
        }
      }
    }
    write_file(path, whole.substr(0, whole.size() - 1));
    EXPECT_TRUE(error_of([&] { read("s"); }).starts_with("DataLoss: "));
    write_file(path, whole);
  }
}

TEST_F(Bundle, impossible_entries_take_no_memory) {
  write({{"a", counted({3})}, {"s", Tensor::vector<std::string>({"ab", "cde"})}});
  const BundleIndex good = read_bundle_index(prefix());
  const auto error_with = [&](const char* name, auto&& change) {
    BundleIndex bad = good;
    change(bad.entries.at(name));
    write_bundle_index(prefix(), bad);
    return error_of([&] { read(name); });
  };
  using Entry = tensorflow::BundleEntryProto;
  constexpr std::int64_t kHuge = std::int64_t{1} << 45;
  const auto huge = [](Entry& entry) {
    entry.mutable_shape()->mutable_dim(0)->set_size(kHuge);
    entry.set_size(4 * kHuge);
  };
  EXPECT_TRUE(error_with("a", huge).starts_with("DataLoss: truncated data"));
  EXPECT_TRUE(error_with("s", huge).starts_with("DataLoss"));
  const auto error_of_part = [&](const char* slice) {
    return error_of(
        [&] { CheckpointReader::open(prefix())->read_slice("a", TensorSlice::parse(slice)); });
  };
  error_with("a", huge);
  EXPECT_TRUE(error_of_part("0,34359738368").starts_with("DataLoss: truncated data"));
  for (const char* name : {"a", "s"}) {
    EXPECT_TRUE(error_with(name, [](Entry& e) {
                  e.mutable_shape()->mutable_dim(0)->set_size(kHuge);
                }).starts_with("DataLoss"));
    EXPECT_TRUE(error_with(name, [](Entry& e) { e.set_offset(-1); }).starts_with("DataLoss"));
    EXPECT_TRUE(error_with(name, [](Entry& e) { e.set_offset(kHuge); }).starts_with("DataLoss"));
    EXPECT_TRUE(error_with(name, [](Entry& e) { e.set_shard_id(7); }).starts_with("DataLoss"));
  }
}

TEST_F(Bundle, the_other_byte_order_is_read) {
  Tensor swapped = Tensor::vector<std::uint32_t>({0x01020304u, 0x0a0b0c0du});
  write({{"a", swapped}});
  BundleIndex index = read_bundle_index(prefix());
  index.header.set_endianness(tensorflow::BundleHeaderProto::BIG);
  write_bundle_index(prefix(), index);
  EXPECT_TRUE(identical(read("a"), Tensor::vector<std::uint32_t>({0x04030201u, 0x0d0c0b0au})));
  const Tensor second =
      CheckpointReader::open(prefix())->read_slice("a", TensorSlice::parse("1,1"));
  EXPECT_EQ(second.flat<std::uint32_t>()[0], 0x0d0c0b0au);
}

TEST_F(Bundle, versions_are_checked) {
  write({{"a", counted({1})}});
  const BundleIndex good = read_bundle_index(prefix());
  const auto error_with = [&](auto&& change) {
    BundleIndex index = good;
    change(*index.header.mutable_version());
    write_bundle_index(prefix(), index);
    return error_of([&] { read("a"); });
  };
  EXPECT_TRUE(error_with([](auto& v) { v.set_min_consumer(2); }).starts_with("InvalidArgument"));
  EXPECT_TRUE(error_with([](auto& v) { v.add_bad_consumers(1); }).starts_with("InvalidArgument"));
  EXPECT_EQ(error_with([](auto& v) { v.set_producer(9); }), "");
}

TEST_F(Bundle, tensors_can_be_aligned) {
  BundleWriter writer(prefix(), {.alignment = 64});
  writer.add("a", counted({3}));
  writer.add("b", counted({2}));
  writer.finish();
  EXPECT_EQ(read_bundle_index(prefix()).entries.at("b").offset(), 64);
  EXPECT_EQ(read_file(data()).size(), 128u);
  EXPECT_TRUE(identical(read("b"), counted({2})));
}

TEST_F(Bundle, merging_joins_shards_and_parts) {
  const Tensor whole = counted({6, 2});
  const Names prefixes{prefix("tmp/part-0"), prefix("tmp/part-1")};
  for (int i = 0; i < 2; ++i) {
    BundleWriter writer(prefixes[static_cast<std::size_t>(i)]);
    writer.add(str_cat("v", i), counted({i + 1}));
    writer.add_slice("p", {6, 2}, TensorSlice({{i * 3, 3}, {0, 2}}), whole.slice(i * 3, i * 3 + 3));
    writer.finish();
  }
  merge_bundles(prefixes, prefix());
  EXPECT_EQ(files(),
            (Names{"model.data-00000-of-00002", "model.data-00001-of-00002", "model.index"}));
  EXPECT_TRUE(identical(read("v0"), counted({1})));
  EXPECT_TRUE(identical(read("v1"), counted({2})));
  EXPECT_TRUE(identical(read("p"), whole));

  write({{"v0", counted({1})}});
  const Names same{prefix("a"), prefix("b")};
  for (const std::string& path : same) {
    BundleWriter writer(path);
    writer.add("v", counted({1}));
    writer.finish();
  }
  EXPECT_TRUE(error_of([&] { merge_bundles(same, prefix("c")); })
                  .starts_with("InvalidArgument: Duplicate tensor keyed by v encountered, when "
                               "merging prefix: " +
                               same[1]));
  EXPECT_TRUE(CheckpointReader::exists(same[0]));
}

// Ends the writing process at any moment: what can be found afterwards is whole.
TEST_F(Bundle, a_killed_writer_leaves_only_whole_checkpoints_slow) {
  const Tensor tensor = counted({50'000});
  for (int round = 0; round < 20; ++round) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      set_durable_files(false);  // or it would not get far in the time it has
      for (int i = 0; i < 1000; ++i) {
        BundleWriter writer(prefix(str_cat("model-", round, "-", i).c_str()));
        writer.add("v", tensor);
        writer.finish();
      }
      ::_exit(0);
    }
    std::this_thread::sleep_for(std::chrono::microseconds(3000 + 700 * round));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
  }
  int count = 0;
  for (std::string path : matching_paths(scratch_ / "*.index")) {
    path.resize(path.size() - std::string_view(".index").size());
    EXPECT_TRUE(identical(CheckpointReader::open(path)->read("v"), tensor)) << path;
    ++count;
  }
  EXPECT_GT(count, 0);
}

TEST(BundleInMemory, ram_works_as_well) {
  BundleWriter writer("ram://bundle_test/model");
  writer.add("v", counted({5}));
  writer.finish();
  EXPECT_TRUE(
      identical(CheckpointReader::open("ram://bundle_test/model")->read("v"), counted({5})));
  remove_tree("ram://bundle_test");
}

}  // namespace
}  // namespace rill
