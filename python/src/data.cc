// Datasets: what python/rill/data/_dataset.py puts structures around.
#include "data.h"

#include <nanobind/stl/string.h>

#include "class_call.h"
#include "plain_values.h"
#include "sparse_tensors.h"

namespace rill::python {
namespace {

using D = DatasetObject;

// One stage: what `make` builds where the program stands. `inputs` may hold tensors.
template <class Make>
nb::object stage(std::initializer_list<nb::handle> inputs, Make make) {
  std::vector<PyObject*> values;
  for (nb::handle input : inputs) values.push_back(input.ptr());
  const InCallersPlace place(values);
  return building([&] { return give(make()); });
}

template <class T>
void read_option(std::optional<T>& option, nb::dict given, const char* name) {
  if (given.contains(name) && !given[name].is_none()) option = plain_value<T>(given[name]);
}

data::Options dataset_options(nb::dict given) {
  data::Options o;
  read_option(o.deterministic, given, "experimental_deterministic");
  read_option(o.slack, given, "experimental_slack");
  auto& x = o.optimization;
  read_option(x.apply_default_optimizations, given, "apply_default_optimizations");
  read_option(x.autotune, given, "autotune");
  read_option(x.autotune_buffers, given, "autotune_buffers");
  read_option(x.autotune_algorithm, given, "autotune_algorithm");
  read_option(x.autotune_cpu_budget, given, "autotune_cpu_budget");
  read_option(x.filter_fusion, given, "filter_fusion");
  read_option(x.filter_with_random_uniform_fusion, given, "filter_with_random_uniform_fusion");
  read_option(x.hoist_random_uniform, given, "hoist_random_uniform");
  read_option(x.map_and_batch_fusion, given, "map_and_batch_fusion");
  read_option(x.map_and_filter_fusion, given, "map_and_filter_fusion");
  read_option(x.map_fusion, given, "map_fusion");
  read_option(x.map_parallelization, given, "map_parallelization");
  read_option(x.noop_elimination, given, "noop_elimination");
  read_option(x.parallel_batch, given, "parallel_batch");
  read_option(x.shuffle_and_repeat_fusion, given, "shuffle_and_repeat_fusion");
  read_option(x.map_vectorization.enabled, given, "enabled");
  read_option(x.map_vectorization.use_choose_fastest, given, "use_choose_fastest");
  read_option(o.threading.max_intra_op_parallelism, given, "max_intra_op_parallelism");
  read_option(o.threading.private_threadpool_size, given, "private_threadpool_size");
  if (given.contains("aggregator") && !given["aggregator"].is_none()) {
    o.stats.aggregator = tensor_object(nb::object(given["aggregator"])).output;
    o.stats.prefix = text_or_empty(given["prefix"]);
    o.stats.counter_prefix = text_or_empty(given["counter_prefix"]);
    o.stats.latency_all_edges = truth_of(given["latency_all_edges"]);
  }
  return o;
}

void bind_sources(nb::module_& m) {
  m.def("data_from_tensors", [](nb::handle values) {
    return stage({values}, [&] { return data::Dataset::from_tensors(parts_of(values)); });
  });
  m.def("data_from_tensor_slices", [](nb::handle values) {
    return stage({values}, [&] { return data::Dataset::from_tensor_slices(parts_of(values)); });
  });
  m.def("data_from_sparse_tensor_slices", [](nb::handle sparse) {
    return stage({sparse},
                 [&] { return data::Dataset::from_sparse_tensor_slices(sparse_of(sparse)); });
  });
  m.def("data_range", [](nb::handle start, nb::handle stop, nb::handle step) {
    return stage({start, stop, step}, [&] {
      return data::Dataset::range(any_input(start, "start"), any_input(stop, "stop"),
                                  any_input(step, "step"));
    });
  });
  m.def("data_zip", [](nb::handle datasets) {
    std::vector<data::Dataset> all;
    for (nb::handle dataset : datasets) all.push_back(nb::cast<D&>(dataset).dataset);
    return stage({}, [&] { return data::Dataset::zip(all); });
  });
  m.def(
      "data_list_files",
      [](nb::handle pattern, bool shuffle, nb::handle seed) {
        return stage({pattern, seed}, [&] {
          return data::Dataset::list_files(
              any_input(pattern, "file_pattern"),
              {.shuffle = shuffle, .seed = optional_input(seed, "seed")});
        });
      },
      nb::arg("file_pattern"), nb::arg("shuffle"), nb::arg("seed").none());
  m.def("data_from_functions", [](nb::handle argument, nb::object init, nb::object next,
                                  nb::object finalize, nb::handle element) {
    return stage({argument}, [&] {
      return data::Dataset::from_functions(
          parts_of(argument),
          {element_function(init), element_function(next), element_function(finalize)},
          element_of(element));
    });
  });
}

void bind_plain(nb::class_<D>& c) {
  c.def("concatenate", [](D& d, D& other) {
    return stage({}, [&] { return d.dataset.concatenate(other.dataset); });
  });
  c.def("repeat", [](D& d, nb::handle count) {
    return stage({count}, [&] { return d.dataset.repeat(any_input(count, "count")); });
  });
  c.def("take", [](D& d, nb::handle count) {
    return stage({count}, [&] { return d.dataset.take(any_input(count, "count")); });
  });
  c.def("skip", [](D& d, nb::handle count) {
    return stage({count}, [&] { return d.dataset.skip(any_input(count, "count")); });
  });
  c.def("shard", [](D& d, nb::handle num_shards, nb::handle index) {
    return stage({num_shards, index}, [&] {
      return d.dataset.shard(any_input(num_shards, "num_shards"), any_input(index, "index"));
    });
  });
  c.def("batch", [](D& d, nb::handle batch_size, nb::handle drop_remainder) {
    return stage({batch_size, drop_remainder}, [&] {
      return d.dataset.batch(any_input(batch_size, "batch_size"),
                             {.drop_remainder = any_input(drop_remainder, "drop_remainder")});
    });
  });
  c.def("padded_batch", [](D& d, nb::handle batch_size, nb::handle shapes, nb::handle values,
                           nb::handle drop_remainder) {
    return stage({batch_size, shapes, values, drop_remainder}, [&] {
      std::vector<ShapeInput> padded;
      for (nb::handle shape : shapes) padded.emplace_back(any_input(shape, "padded_shape"));
      data::PaddedBatchOptions options{.drop_remainder =
                                           any_input(drop_remainder, "drop_remainder")};
      for (nb::handle value : values)
        options.padding_values.push_back(optional_input(value, "padding_value"));
      return d.dataset.padded_batch(any_input(batch_size, "batch_size"), padded, options);
    });
  });
  c.def("unbatch", [](D& d) { return stage({}, [&] { return d.dataset.unbatch(); }); });
  c.def(
      "shuffle",
      [](D& d, nb::handle buffer_size, nb::handle seed, bool reshuffle) {
        return stage({buffer_size, seed}, [&] {
          return d.dataset.shuffle(
              any_input(buffer_size, "buffer_size"),
              {.seed = optional_input(seed, "seed"), .reshuffle_each_iteration = reshuffle});
        });
      },
      nb::arg("buffer_size"), nb::arg("seed").none(), nb::arg("reshuffle_each_iteration"));
  c.def("cache", [](D& d, nb::handle filename) {
    return stage({filename}, [&] { return d.dataset.cache(any_input(filename, "filename")); });
  });
  c.def("prefetch", [](D& d, nb::handle buffer_size) {
    return stage({buffer_size},
                 [&] { return d.dataset.prefetch(any_input(buffer_size, "buffer_size")); });
  });
  c.def(
      "window",
      [](D& d, nb::handle size, nb::handle shift, nb::handle stride, nb::handle drop_remainder) {
        return stage({size, shift, stride, drop_remainder}, [&] {
          return d.dataset.window(any_input(size, "size"),
                                  {.shift = optional_input(shift, "shift"),
                                   .stride = any_input(stride, "stride"),
                                   .drop_remainder = any_input(drop_remainder, "drop_remainder")});
        });
      },
      nb::arg("size"), nb::arg("shift").none(), nb::arg("stride"), nb::arg("drop_remainder"));
  c.def("enumerate", [](D& d, nb::handle start) {
    return stage({start}, [&] { return d.dataset.enumerate(any_input(start, "start")); });
  });
  c.def("with_options", [](D& d, nb::dict options) {
    return stage({}, [&] { return d.dataset.with_options(dataset_options(options)); });
  });
  c.def("with_options_applied",
        [](D& d) { return stage({}, [&] { return d.dataset.with_options_applied(); }); });
}

void bind_functions_on(nb::class_<D>& c) {
  c.def(
      "map",
      [](D& d, nb::object f, nb::handle calls, bool legacy, bool preserve_cardinality) {
        return stage({calls}, [&] {
          return d.dataset.map(element_function(f),
                               {.num_parallel_calls = optional_input(calls, "num_parallel_calls"),
                                .legacy = legacy,
                                .preserve_cardinality = preserve_cardinality});
        });
      },
      nb::arg("f"), nb::arg("num_parallel_calls").none(), nb::arg("legacy") = false,
      nb::arg("preserve_cardinality") = true);
  c.def("flat_map", [](D& d, nb::object f) {
    return stage({}, [&] { return d.dataset.flat_map(element_function(f)); });
  });
  c.def(
      "interleave",
      [](D& d, nb::object f, nb::handle cycle, nb::handle block, nb::handle calls) {
        return stage({cycle, block, calls}, [&] {
          return d.dataset.interleave(
              element_function(f),
              {.cycle_length = any_input(cycle, "cycle_length"),
               .block_length = any_input(block, "block_length"),
               .num_parallel_calls = optional_input(calls, "num_parallel_calls")});
        });
      },
      nb::arg("f"), nb::arg("cycle_length"), nb::arg("block_length"),
      nb::arg("num_parallel_calls").none());
  c.def("filter", [](D& d, nb::object f, bool legacy) {
    return stage({}, [&] { return d.dataset.filter(element_function(f), legacy); });
  });
  c.def("reduce", [](D& d, nb::handle state, nb::object f) {
    return stage({state}, [&] { return d.dataset.reduce(parts_of(state), element_function(f)); });
  });
  c.def("get_single_element",
        [](D& d) { return stage({}, [&] { return d.dataset.get_single_element(); }); });
  c.def("cardinality", [](D& d) { return stage({}, [&] { return d.dataset.cardinality(); }); });
}

}  // namespace

void bind_data(nb::module_& m) {
  nb::class_<D> c(m, "Dataset");
  c.def("__init__", [](D* self, nb::handle variant, nb::handle element) {
    TensorObject& tensor = tensor_object(variant);
    new (self) D{data::Dataset(tensor.output, element_of(element)), tensor.graph_object};
  });
  c.def_prop_ro("variant", [](D& d) { return wrap(graph_object(d.graph), d.dataset.variant()); });
  c.def_prop_ro("graph", [](D& d) { return d.graph; });
  c.def_prop_ro("element", [](D& d) { return give(d.dataset.element()); });
  c.def("with_element", [](D& d, nb::handle element) {
    return nb::cast(D{d.dataset.with_element(element_of(element)), d.graph});
  });
  bind_plain(c);
  bind_functions_on(c);
  bind_sources(m);
  m.def("data_carriers", [](nb::handle element) {
    const data::ElementSpec spec = element_of(element);
    return nb::make_tuple(dtype_objects(spec.types()), shape_objects(spec.shapes()));
  });
}

}  // namespace rill::python
