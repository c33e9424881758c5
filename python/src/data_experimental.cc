// tf.data.experimental and readers: what python/rill/data puts structures around.
#include "class_call.h"
#include "data.h"
#include "parse_features.h"
#include "rill/api/data/csv_columns.h"
#include "rill/api/data/readers.h"

namespace rill::python {
namespace {

namespace ex = data::experimental;

const data::Dataset& dataset_of(const Call& call, const char* name = "dataset") {
  return nb::cast<DatasetObject&>(call[name]).dataset;
}
std::vector<data::Dataset> datasets_of(nb::handle datasets) {
  std::vector<data::Dataset> all;
  for (nb::handle dataset : datasets) all.push_back(nb::cast<DatasetObject&>(dataset).dataset);
  return all;
}
data::ElementFunction element_function_of(const Call& call, const char* name) {
  return element_function(nb::borrow(call[name]));
}
data::FileNames file_names_of(const Call& call) {
  const nb::handle names = call["filenames"];
  if (nb::isinstance<DatasetObject>(names)) return nb::cast<DatasetObject&>(names).dataset;
  return call.input("filenames");
}
Input or_default(const Call& call, const char* name, Input otherwise) {
  return call.optional_input(name).value_or(std::move(otherwise));
}

data::ReaderOptions reader_options(const Call& call) {
  return {.compression_type = or_default(call, "compression_type", ""),
          .buffer_size = call.optional_input("buffer_size"),
          .num_parallel_reads = call.optional_input("num_parallel_reads")};
}

const Function kReaders[] = {
    {"data_tf_record(filenames, compression_type, buffer_size, num_parallel_reads)",
     [](const Call& call) {
       return give(data::Dataset(data::TFRecordDataset(file_names_of(call), reader_options(call))));
     }},
    {"data_text_line(filenames, compression_type, buffer_size, num_parallel_reads)",
     [](const Call& call) {
       return give(data::Dataset(data::TextLineDataset(file_names_of(call), reader_options(call))));
     }},
    {"data_fixed_length_record(filenames, record_bytes, header_bytes, footer_bytes, buffer_size, "
     "compression_type, num_parallel_reads)",
     [](const Call& call) {
       return give(data::Dataset(data::FixedLengthRecordDataset(
           file_names_of(call), call.input("record_bytes"),
           {.header_bytes = or_default(call, "header_bytes", 0),
            .footer_bytes = or_default(call, "footer_bytes", 0),
            .buffer_size = call.optional_input("buffer_size"),
            .compression_type = or_default(call, "compression_type", ""),
            .num_parallel_reads = call.optional_input("num_parallel_reads")})));
     }},
    {"data_csv(filenames, record_defaults, compression_type, buffer_size, header, field_delim, "
     "use_quote_delim, na_value, select_cols)",
     [](const Call& call) {
       std::vector<ex::RecordDefault> defaults;
       for (nb::handle given : call["record_defaults"]) {
         const DType type = is_tensor(given) ? DType::invalid : try_as_dtype(given);
         if (type == DType::invalid) {
           defaults.emplace_back(any_input(given, "record_defaults"));
         } else {
           defaults.emplace_back(type);
         }
       }
       return give(data::Dataset(
           ex::CsvDataset(call.input("filenames"), defaults,
                          {.compression_type = or_default(call, "compression_type", ""),
                           .buffer_size = call.optional_input("buffer_size"),
                           .header = call.input("header"),
                           .field_delim = call.input("field_delim"),
                           .use_quote_delim = call.input("use_quote_delim"),
                           .na_value = call.input("na_value"),
                           .select_cols = call.has("select_cols") ? call.integers("select_cols")
                                                                  : std::vector<std::int64_t>{}})));
     }},
    {"data_sql(driver_name, data_source_name, query, output_types)",
     [](const Call& call) {
       return give(
           data::Dataset(ex::SqlDataset(call.input("driver_name"), call.input("data_source_name"),
                                        call.input("query"), dtype_list(call["output_types"]))));
     }},
    {"data_lmdb(filenames)",
     [](const Call& call) {
       return give(data::Dataset(ex::LMDBDataset(call.input("filenames"))));
     }},
    {"data_random(seed)",
     [](const Call& call) { return give(ex::random(call.optional_input("seed"))); }},
    {"data_counter(start, step, dtype)",
     [](const Call& call) {
       return give(ex::counter(call.input("start"), call.input("step"), call.dtype("dtype")));
     }},
};

const Function kPlain[] = {
    {"data_ignore_errors(dataset)",
     [](const Call& call) { return give(ex::ignore_errors(dataset_of(call))); }},
    {"data_unique(dataset)", [](const Call& call) { return give(ex::unique(dataset_of(call))); }},
    {"data_shuffle_and_repeat(dataset, buffer_size, count, seed)",
     [](const Call& call) {
       return give(ex::shuffle_and_repeat(dataset_of(call), call.input("buffer_size"),
                                          or_default(call, "count", -1),
                                          call.optional_input("seed")));
     }},
    {"data_dense_to_sparse_batch(dataset, batch_size, row_shape)",
     [](const Call& call) {
       return give(ex::dense_to_sparse_batch(dataset_of(call), call.input("batch_size"),
                                             call.shape("row_shape")));
     }},
    {"data_sliding_window_batch(dataset, window_size, window_shift, window_stride)",
     [](const Call& call) {
       return give(ex::sliding_window_batch(dataset_of(call), call.input("window_size"),
                                            call.input("window_shift"),
                                            call.input("window_stride")));
     }},
    {"data_latency_stats(dataset, tag)",
     [](const Call& call) { return give(ex::latency_stats(dataset_of(call), call.input("tag"))); }},
    {"data_bytes_produced_stats(dataset, tag)",
     [](const Call& call) {
       return give(ex::bytes_produced_stats(dataset_of(call), call.input("tag")));
     }},
    {"data_assert_element_shape(dataset, shapes)",
     [](const Call& call) {
       return give(ex::assert_element_shape(dataset_of(call), shape_list(call["shapes"])));
     }},
    {"data_copy_to_device(dataset, target_device, source_device)",
     [](const Call& call) {
       return give(ex::copy_to_device(dataset_of(call), call.text("target_device"),
                                      call.text("source_device")));
     }},
    {"data_prefetch_to_device(dataset, device, buffer_size)",
     [](const Call& call) {
       return give(ex::prefetch_to_device(dataset_of(call), call.text("device"),
                                          call.optional_input("buffer_size")));
     }},
    {"data_parse_example(dataset, features, num_parallel_calls)",
     [](const Call& call) {
       return give(ex::parse_example_dataset(dataset_of(call), features_of(call["features"]),
                                             call.input("num_parallel_calls")));
     }},
    {"data_write_tf_record(dataset, filename, compression_type)",
     [](const Call& call) {
       return give(ex::write_tf_record(dataset_of(call), call.input("filename"),
                                       call.text("compression_type")));
     }},
};

const Function kOnElements[] = {
    {"data_take_while(dataset, predicate)",
     [](const Call& call) {
       return give(ex::take_while(dataset_of(call), element_function_of(call, "predicate")));
     }},
    {"data_scan(dataset, initial_state, f)",
     [](const Call& call) {
       return give(ex::scan(dataset_of(call), parts_of(call["initial_state"]),
                            element_function_of(call, "f")));
     }},
    {"data_map_and_batch(dataset, f, batch_size, num_parallel_batches, drop_remainder, "
     "num_parallel_calls, legacy)",
     [](const Call& call) {
       return give(ex::map_and_batch(
           dataset_of(call), element_function_of(call, "f"), call.input("batch_size"),
           {.num_parallel_batches = call.optional_input("num_parallel_batches"),
            .num_parallel_calls = call.optional_input("num_parallel_calls"),
            .drop_remainder = call.input("drop_remainder"),
            .legacy = call.flag("legacy")}));
     }},
    {"data_parallel_interleave(dataset, f, cycle_length, block_length, sloppy, "
     "buffer_output_elements, prefetch_input_elements)",
     [](const Call& call) {
       return give(ex::parallel_interleave(
           dataset_of(call), element_function_of(call, "f"), call.input("cycle_length"),
           {.block_length = call.input("block_length"),
            .sloppy = call.input("sloppy"),
            .buffer_output_elements = call.optional_input("buffer_output_elements"),
            .prefetch_input_elements = call.optional_input("prefetch_input_elements")}));
     }},
    {"data_group_by_reducer(dataset, key_func, init_func, reduce_func, finalize_func)",
     [](const Call& call) {
       return give(ex::group_by_reducer(
           dataset_of(call), element_function_of(call, "key_func"),
           {element_function_of(call, "init_func"), element_function_of(call, "reduce_func"),
            element_function_of(call, "finalize_func")}));
     }},
    {"data_group_by_window(dataset, key_func, reduce_func, window_size_func)",
     [](const Call& call) {
       return give(ex::group_by_window(dataset_of(call), element_function_of(call, "key_func"),
                                       element_function_of(call, "reduce_func"),
                                       element_function_of(call, "window_size_func")));
     }},
    {"data_bucket_by_sequence_length(dataset, element_length_func, bucket_boundaries, "
     "bucket_batch_sizes, padded_shapes, padding_values, pad_to_bucket_boundary, no_padding, "
     "drop_remainder)",
     [](const Call& call) {
       ex::BucketOptions options{.padded_shapes = shape_list(call["padded_shapes"])};
       for (nb::handle value : call["padding_values"])
         options.padding_values.push_back(optional_input(value, "padding_value"));
       options.pad_to_bucket_boundary = call.flag("pad_to_bucket_boundary");
       options.no_padding = call.flag("no_padding");
       options.drop_remainder = call.flag("drop_remainder");
       return give(ex::bucket_by_sequence_length(
           dataset_of(call), element_function_of(call, "element_length_func"),
           call.integers("bucket_boundaries"), call.integers("bucket_batch_sizes"), options));
     }},
    {"data_choose_from_datasets(datasets, choice_dataset)",
     [](const Call& call) {
       return give(ex::choose_from_datasets(datasets_of(call["datasets"]),
                                            dataset_of(call, "choice_dataset")));
     }},
    {"data_sample_from_datasets(datasets, weights, seed)",
     [](const Call& call) {
       const std::vector<data::Dataset> datasets = datasets_of(call["datasets"]);
       if (nb::isinstance<DatasetObject>(call["weights"]))
         return give(ex::sample_from_datasets(datasets, dataset_of(call, "weights"),
                                              call.optional_input("seed")));
       return give(ex::sample_from_datasets(datasets, call.optional_input("weights"),
                                            call.optional_input("seed")));
     }},
    {"data_rejection_resample(dataset, class_func, target_dist, initial_dist, seed)",
     [](const Call& call) {
       return give(ex::rejection_resample(
           dataset_of(call), element_function_of(call, "class_func"), call.input("target_dist"),
           call.optional_input("initial_dist"), call.optional_integer("seed")));
     }},
};

nb::object give_texts(const std::vector<std::string>& texts) {
  nb::list list;
  for (const std::string& text : texts) list.append(nb::str(text.c_str(), text.size()));
  return list;
}

const Function kColumns[] = {
    {"data_file_names(patterns)",
     [](const Call& call) { return give_texts(ex::matching_files(text_list(call["patterns"]))); }},
    {"data_csv_column_names(files, field_delim, use_quote_delim, compression)",
     [](const Call& call) {
       return give_texts(ex::csv_column_names(text_list(call["files"]),
                                              {.field_delim = call.text("field_delim"),
                                               .quotes = call.flag("use_quote_delim"),
                                               .compression = call.text("compression")}));
     }},
    {"data_csv_column_types(files, column_count, field_delim, use_quote_delim, na_value, header, "
     "row_count, select_columns, compression)",
     [](const Call& call) -> nb::object {
       const std::vector<DType> types = ex::csv_column_types(
           text_list(call["files"]), static_cast<std::size_t>(call.integer("column_count")),
           {.field_delim = call.text("field_delim"),
            .quotes = call.flag("use_quote_delim"),
            .na_value = call.text("na_value"),
            .header = call.flag("header"),
            .row_count = call.optional_integer("row_count"),
            .compression = call.text("compression")},
           call.has("select_columns") ? call.integers("select_columns")
                                      : std::vector<std::int64_t>{});
       return dtype_objects(types);
     }},
};

}  // namespace

void bind_data_experimental() {
  add_functions(kReaders);
  add_functions(kPlain);
  add_functions(kOnElements);
  add_functions(kColumns);
}

}  // namespace rill::python
