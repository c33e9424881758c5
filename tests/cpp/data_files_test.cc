// Datasets of files, caches and snapshots.
#include <set>

#include "rill/io/record_writer.h"
#include "rill/ops/register.h"
#include "tests/cpp/data_testing.h"

namespace rill {
namespace {

class DataFilesTest : public DataFileFixture {
 protected:
  static AttrMap strings() { return stating(DType::string, PartialShape::scalar()); }
  static Tensor names(const Texts& texts) {
    return Tensor::of<std::string>({static_cast<std::int64_t>(texts.size())}, std::span(texts));
  }
  std::string records(const std::string& name, const Texts& texts,
                      Compression compression = Compression::none) {
    RecordWriter writer(path(name), {.compression = compression});
    for (const std::string& text : texts) writer.write(text);
    writer.close();
    return path(name);
  }
  Output record_files(const Texts& files, const char* compression = "", int buffer = 0) {
    return node("TFRecordDataset", {names(files), compression, buffer}, {});
  }
  Output lines(const Texts& files, const char* compression = "", int buffer = 0) {
    return node("TextLineDataset", {names(files), compression, buffer}, {});
  }
  Output fixed(const Texts& files, std::int64_t header, std::int64_t record, std::int64_t footer,
               const char* compression = "") {
    return node("FixedLengthRecordDatasetV2",
                {names(files), header, record, footer, 0, compression}, {});
  }
  std::string packed_file(const std::string& name, std::string_view bytes) {
    const auto file = packed(file_system_of(path(name)).create(path(name), WriteMode::truncate),
                             Compression::gzip);
    file->append(bytes);
    file->close();
    return path(name);
  }
};

TEST_F(DataFilesTest, reads_records) {
  const std::string a = records("a", {"one", "", "three"}), b = records("b", {"x"});
  EXPECT_EQ(all(record_files({a, b})), (Texts{"one", "", "three", "x", "END"}));
  for (const auto& [name, compression] :
       {std::pair("ZLIB", Compression::zlib), std::pair("GZIP", Compression::gzip)}) {
    const std::string packed = records(name, {"p", "q", "r"}, compression);
    EXPECT_EQ(all(record_files({packed}, name, 1)), (Texts{"p", "q", "r", "END"}));
  }
  EXPECT_EQ(error_of(record_files({a}, "", -1)),
            "InvalidArgument: `buffer_size` must be >= 0 (0 == no buffering)");
}

TEST_F(DataFilesTest, files_are_shared_out) {
  Texts files;
  for (const char* name : {"a", "b", "c"})
    files.push_back(file(name, str_cat(name, "1\n", name, "2")));
  const auto part = [&](Output input, std::int64_t workers, std::int64_t index) {
    return node("AutoShardDataset", {input, workers, index}, strings());
  };
  EXPECT_EQ(all(part(lines(files), 2, 0)), (Texts{"a1", "a2", "c1", "c2", "END"}));
  EXPECT_EQ(all(part(lines(files), 2, 1)), (Texts{"b1", "b2", "END"}));
  const Output twice = node("RepeatDataset", {lines(files), std::int64_t{2}}, strings());
  EXPECT_EQ(all(part(twice, 3, 1)), (Texts{"b1", "b2", "b1", "b2", "END"}));
  EXPECT_TRUE(error_of(part(lines(files), 4, 0)).find("# files = 3, # shards = 4") !=
              std::string::npos);
  // Beside another source, elements are shared out.
  const Output joined =
      node("ConcatenateDataset", {lines(files), slices(names({"x", "y"}))}, strings());
  EXPECT_EQ(all(part(joined, 2, 0)), (Texts{"a1", "b1", "c1", "x", "END"}));
}

// Of these TensorFlow shares out the elements.
TEST(FileSharding, datasets_of_a_list_of_files_say_whether_the_files_are_shared_out) {
  const std::set<std::string> by_element{"CSVDataset", "ExperimentalCSVDataset", "LMDBDataset",
                                         "ExperimentalLMDBDataset"};
  for (const Op* op : standard_ops().all()) {
    if (op->inputs.empty() || op->inputs[0].name != "filenames" || op->outputs.size() != 1 ||
        op->outputs[0].type != DType::variant)
      continue;
    EXPECT_NE(op->has(kReadsFileList), by_element.contains(op->name)) << op->name;
  }
}

TEST_F(DataFilesTest, a_broken_record_costs_the_rest_of_its_file) {
  const std::string good = records("good", {"x", "y"});
  std::string bytes;
  {
    std::ifstream in(records("bad", {"one", "two", "three"}), std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(in), {});
  }
  bytes[16 + 3 + 13] ^= 1;
  const std::string bad = file("bad", bytes);
  EXPECT_EQ(
      all(record_files({bad, path("none"), good})),
      (Texts{"one", str_cat("DataLoss: corrupted record at 31 in ", bad),
             str_cat("NotFound: ", path("none"), "; No such file or directory"), "x", "y", "END"}));
  EXPECT_EQ(all(node("IgnoreErrorsDataset", {record_files({bad, path("none"), good})}, strings())),
            (Texts{"one", "x", "y", "END"}));
}

TEST_F(DataFilesTest, reads_lines) {
  const std::string a = file("a", "one\r\ntw\ro\n\nlast"), b = file("b", "x\n"), c = file("c", "");
  EXPECT_EQ(all(lines({a, c, b}, "", 2)), (Texts{"one", "two", "", "last", "x", "END"}));
  EXPECT_EQ(all(lines({packed_file("p", "u\nv")}, "GZIP")), (Texts{"u", "v", "END"}));
  const std::string longer(700'000, 'l');
  EXPECT_EQ(all(lines({file("long", longer + "\nshort\n")})), (Texts{longer, "short", "END"}));
  EXPECT_EQ(error_of(lines({a}, "BAD")), "InvalidArgument: Unsupported compression_type.");
  EXPECT_EQ(error_of(lines({a}, "", -1)),
            "InvalidArgument: `buffer_size` must be >= 0 (0 == default)");
}

TEST_F(DataFilesTest, reads_records_of_one_length) {
  const std::string a = file("a", "HHabcdefFFF");
  EXPECT_EQ(all(fixed({a, a}, 2, 3, 3)), (Texts{"abc", "def", "abc", "def", "END"}));
  EXPECT_EQ(all(fixed({packed_file("p", "HHabcdefFFF")}, 2, 3, 3, "GZIP")),
            (Texts{"abc", "def", "END"}));
  EXPECT_EQ(all(fixed({a}, 2, 3, 2)),
            (Texts{str_cat("InvalidArgument: Excluding the header (2 bytes) and footer (2 bytes), "
                           "input file \"",
                           a,
                           "\" has body length 7 bytes, which is not an exact multiple of the "
                           "record length (3 bytes)."),
                   "END"}));
  EXPECT_EQ(all(fixed({packed_file("q", "HHabcdFFF")}, 2, 3, 3, "GZIP")).at(1).substr(0, 9),
            "DataLoss:");
  EXPECT_EQ(error_of(fixed({a}, -1, 3, 2)), "InvalidArgument: `header_bytes` must be >= 0");
  EXPECT_EQ(error_of(fixed({a}, 0, 0, 2)), "InvalidArgument: `record_bytes` must be > 0");
  EXPECT_EQ(error_of(fixed({a}, 0, std::int64_t{1} << 62, 2)).substr(0, 16), "InvalidArgument:");
}

TEST_F(DataFilesTest, finds_files) {
  file("b.txt", ""), file("a.txt", ""), file("c", "");
  EXPECT_EQ(all(node("MatchingFilesDataset", {names({path("*.txt"), path("c"), path("no*")})}, {})),
            (Texts{path("a.txt"), path("b.txt"), path("c"), "END"}));
  EXPECT_EQ(all(node("MatchingFilesDataset", {path("no*")}, {})),
            (Texts{"NotFound: Don't find any matched files", "END"}));
}

TEST_F(DataFilesTest, reads_databases_of_keys_and_values) {
  const std::string database = "tests/script/io/entries";
  const Texts found =
      all(node("LMDBDataset", {names({database, path("none")})},
               {{"output_types", std::vector<DType>(2, DType::string)},
                {"output_shapes", std::vector<PartialShape>(2, PartialShape::scalar())}}));
  ASSERT_EQ(found.size(), 103u);
  EXPECT_EQ(found[0], "000;");
  EXPECT_EQ(found[1], "001;value 1 value 1 value 1 value 1 ");
  EXPECT_EQ(found[101].substr(0, 9), "NotFound:");
}

class CsvTest : public DataFilesTest {
 protected:
  // Defaults: a number that must be there, one that need not, a text.
  Output csv(const Texts& files, bool header, bool quotes = true, Tensor columns = no_columns(),
             const char* delimiter = ",") {
    return node("CSVDataset",
                {names(files), "", 3, header, delimiter, quotes, "NA", std::move(columns),
                 InputArg(std::vector<Input>{Tensor(DType::i32, {0}), Tensor::vector<float>({7}),
                                             Tensor::vector<std::string>({"dd"})})},
                {{"output_types", std::vector<DType>{DType::i32, DType::f32, DType::string}},
                 {"output_shapes", std::vector<PartialShape>(3, PartialShape::scalar())}});
  }
  static Tensor no_columns() { return Tensor(DType::i64, {0}); }
};

TEST_F(CsvTest, reads_fields) {
  const std::string a =
      file("a", "a,b,c\n1,2.5,\"x,y\"\r\n2,,\"he said \"\"hi\"\"\"\n3,NA,\"un\nq\"\r4,5,");
  EXPECT_EQ(all(csv({a, a}, true), 5),
            (Texts{"1;2.5;x,y", R"(2;7;he said \"hi\")", R"(3;7;un\nq)", "4;5;dd", "1;2.5;x,y"}));
}

TEST_F(CsvTest, continues_after_an_error) {
  const std::string a = file("a",
                             "1,2\n1,2,3,4\nx,2,y\n,1,q\n6,1,a\"b\n\n7,1,ok\n8,1,\"a\"b\"\n9,1,z\n"
                             "10,1,\"open");
  const std::string wrong = "InvalidArgument: ";
  EXPECT_EQ(all(csv({a}, false)),
            (Texts{wrong + "Expect 3 fields but have 2 in record",
                   wrong + "Expect 3 fields but have more in record",
                   wrong + "Field 0 in record is not a valid int32: x",
                   wrong + "Field 0 is required but missing in record!",
                   wrong + "Unquoted fields cannot have quotes inside",
                   wrong + "Field 0 is required but missing in record!", "7;1;ok",
                   wrong + "Quote inside a string has to be escaped by another quote", "9;1;z",
                   wrong + "Reached end of file without closing quoted field in record", "END"}));
}

TEST_F(CsvTest, selects_columns) {
  const std::string a = file("a", "q,1,r,2,s\nt,3,u,4,v\n");
  EXPECT_EQ(all(csv({a}, false, true, Tensor::vector<std::int64_t>({1, 3, 4}))),
            (Texts{"1;2;s", "3;4;v", "END"}));
  EXPECT_EQ(error_of(csv({a}, false, true, Tensor::vector<std::int64_t>({1, 0, 4}))),
            "InvalidArgument: select_cols should be strictly increasing indices");
  EXPECT_EQ(error_of(csv({a}, false, true, Tensor::vector<std::int64_t>({-1, 0, 4}))),
            "InvalidArgument: select_cols should be non-negative indices");
  EXPECT_EQ(error_of(csv({a}, false, true, Tensor::vector<std::int64_t>({1}))),
            "InvalidArgument: select_cols should match output size");
  EXPECT_EQ(error_of(csv({a}, false, true, no_columns(), "ab")),
            "InvalidArgument: field_delim should be only 1 char");
}

TEST_F(CsvTest, takes_quotes_as_they_are_and_other_delimiters) {
  EXPECT_EQ(all(csv({file("a", "1;2;\"x\n")}, false, false, no_columns(), ";")),
            (Texts{R"(1;2;\"x)", "END"}));
  EXPECT_EQ(all(csv({file("e", "")}, true)),
            (Texts{"InvalidArgument: Can't read header of file", "END"}));
}

class CacheTest : public DataFilesTest {
 protected:
  Output cached(Output input, const std::string& file) {
    return node("CacheDataset", {input, file}, numbers());
  }
  Output random() {
    return node("TakeDataset", {node("RandomDataset", {0, 0}, numbers()), 4}, numbers());
  }
};

TEST_F(CacheTest, keeps_elements_in_memory) {
  EXPECT_EQ(all(node("RepeatDataset", {cached(range(0, 3), ""), 2}, numbers())),
            (Texts{"0", "1", "2", "0", "1", "2", "END"}));
  const DatasetRef kept = dataset(cached(random(), ""));
  EXPECT_EQ(next_text(*walk(kept)), next_text(*walk(kept)));  // of equal seeds, though not complete
  const Texts first = rest(*walk(kept));
  EXPECT_EQ(rest(*walk(kept)), first);
}

TEST_F(CacheTest, a_cache_can_be_shared) {
  Node& cache = scope_.add("AnonymousMemoryCache", {}, {});
  const Output both = node("CacheDatasetV2", {range(0, 3), "", cache.output(0)}, numbers());
  EXPECT_EQ(all(node("RepeatDataset", {both, 2}, numbers())),
            (Texts{"0", "1", "2", "0", "1", "2", "END"}));
}

TEST_F(CacheTest, keeps_elements_in_files) {
  const Texts first = rest(*walk(dataset(cached(random(), path("c")))));
  EXPECT_EQ(first.size(), 5u);
  EXPECT_TRUE(std::filesystem::exists(path("c.index")));
  EXPECT_FALSE(std::filesystem::exists(path("c_0.lockfile")));
  EXPECT_EQ(rest(*walk(dataset(cached(random(), path("c"))))), first);
  EXPECT_EQ(all(cached(range(0, 3), path("c"))), first);
}

TEST_F(CacheTest, a_file_that_is_being_written_is_locked) {
  const auto writing = walk(dataset(cached(range(0, 3), path("c"))));
  EXPECT_EQ(next_text(*writing), "0");
  EXPECT_EQ(next_text(*walk(dataset(cached(range(0, 3), path("c"))))).substr(0, 14),
            "AlreadyExists:");
  EXPECT_EQ(rest(*writing), (Texts{"1", "2", "END"}));
  EXPECT_EQ(rest(*walk(dataset(cached(range(7, 9), path("c"))))), (Texts{"0", "1", "2", "END"}));
}

TEST_F(CacheTest, partial_iteration_leaves_no_cache) {
  { EXPECT_EQ(next_text(*walk(dataset(cached(range(0, 3), path("c"))))), "0"); }
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
  EXPECT_EQ(rest(*walk(dataset(cached(range(5, 7), path("c"))))), (Texts{"5", "6", "END"}));
}

TEST_F(CacheTest, writing_continues_after_a_restore) {
  IteratorState state;
  {
    const auto writing = walk(dataset(cached(range(0, 5), path("c"))));
    EXPECT_EQ(rest(*writing, 2), (Texts{"0", "1"}));
    StateWriter writer(state);
    writing->save(writer);
    EXPECT_EQ(next_text(*writing), "2");
  }
  const auto restored = walk(dataset(cached(range(0, 5), path("c"))));
  restored->restore(StateReader(state));
  EXPECT_EQ(rest(*restored), (Texts{"2", "3", "4", "END"}));
  EXPECT_EQ(rest(*walk(dataset(cached(range(7, 9), path("c"))))),
            (Texts{"0", "1", "2", "3", "4", "END"}));
}

TEST_F(DataFilesTest, snapshots_are_written_once) {
  const auto snapshot = [&](Output input) {
    return node("SnapshotDataset", {input, path("s")}, with(numbers(), "shard_size_bytes", 20));
  };
  const Output random =
      node("TakeDataset", {node("RandomDataset", {0, 0}, numbers()), 3}, numbers());
  const Texts first = rest(*walk(dataset(snapshot(random))));
  EXPECT_EQ(first.size(), 4u);
  EXPECT_EQ(rest(*walk(dataset(snapshot(random)))), first);
  EXPECT_EQ(all(snapshot(random)), first);
  EXPECT_EQ(rest(*walk(dataset(snapshot(range(0, 2))))), (Texts{"0", "1", "END"}));
}

TEST_F(DataFilesTest, writes_records) {
  const auto write = [&](Output input) {
    Node& writing = scope_.add("DatasetToTFRecord", {input, path("out"), ""}, {});
    try {
      Session(graph_).run(writing);
      return std::string("ok");
    } catch (const Error& error) {
      return error.message().substr(0, error.message().find('\n'));
    }
  };
  EXPECT_EQ(write(slices(Tensor::vector<std::string>({"a", "bb"}))), "ok");
  EXPECT_EQ(all(record_files({path("out")})), (Texts{"a", "bb", "END"}));
  EXPECT_EQ(write(range(0, 2)).substr(0, 72),
            "ToTFRecordOp currently only supports DT_STRING dataypes, but got int64");
}

TEST_F(CsvTest, positions_that_are_wrong_do_no_harm) {
  const std::string text = file("t", "1,2,a\n3,4,b\n5,6,c\n");
  const std::string some = records("r", {"a", "b", "c"});
  for (const Output& stage :
       {csv({text}, true), lines({text, text}), record_files({some, some}),
        record_files({records("z", {"a", "b", "c"}, Compression::zlib)}, "ZLIB"),
        fixed({text}, 0, 6, 0), node("MatchingFilesDataset", {path("*")}, {}),
        node("LMDBDataset", {names({"tests/script/io/entries"})},
             {{"output_types", std::vector<DType>(2, DType::string)},
              {"output_shapes", std::vector<PartialShape>(2, PartialShape::scalar())}}),
        node("SnapshotDataset", {range(0, 4), path("s")}, numbers()),
        node("CacheDataset", {range(0, 5), path("c")}, numbers())})
    check_hostile_positions(stage);
}

}  // namespace
}  // namespace rill
