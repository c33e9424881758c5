#include <algorithm>

#include "class_call.h"
#include "queues.h"
#include "rill/api/input/batch.h"
#include "rill/api/input/input_producers.h"
#include "sparse_tensors.h"
#include "train_inputs.h"
#include "truth.h"
#include "variables.h"

namespace rill::python {
namespace {

// --- producers -----------------------------------------------------------------------------------

train::InputProducerOptions producer_options(const Call& call) {
  train::InputProducerOptions options;
  options.num_epochs = call.optional_integer("num_epochs");
  options.shuffle = call.flag("shuffle");
  options.seed = call.optional_integer("seed");
  options.capacity = call.integer("capacity");
  options.shared_name = call.text("shared_name");
  options.name = call.name();
  if (call.knows("cancel_op") && call.has("cancel_op"))
    options.cancel_op = runnable_of(call["cancel_op"]);
  return options;
}

nb::object input_producer(const Call& call) {
  train::InputProducerOptions options = producer_options(call);
  if (call.has("element_shape")) options.element_shape = call.shape("element_shape");
  options.summary_name = call.text("summary_name");
  return give(train::input_producer(call.input("input_tensor"), options));
}

nb::object string_input_producer(const Call& call) {
  const nb::handle strings = call["string_tensor"];
  if (!is_tensor(strings) && !is_variable(strings) && !call.flag("string_tensor"))
    value_error("string_input_producer requires a non-null input tensor");
  return give(train::string_input_producer(call.input("string_tensor", DType::string),
                                           producer_options(call)));
}

nb::object slice_input_producer(const Call& call) {
  return give(train::slice_input_producer(input_list(call["tensor_list"], "Const"),
                                          producer_options(call)));
}

constexpr Function kProducers[] = {
    {"io.match_filenames_once(pattern, name=None)",
     [](const Call& c) {
       return give(train::match_filenames_once(c.input("pattern"), {.name = c.name()}));
     },
     "A local variable that holds the names of the files that match."},
    {"train.limit_epochs(tensor, num_epochs=None, name=None)",
     [](const Call& c) {
       if (!c.has("num_epochs")) return nb::object(nb::borrow(c["tensor"]));
       return give(train::limit_epochs(c.input("tensor"), c.optional_integer("num_epochs"),
                                       {.name = c.name()}));
     },
     "The tensor, which can be computed num_epochs times."},
    {"train.input_producer(input_tensor, element_shape=None, num_epochs=None, shuffle=True, "
     "seed=None, capacity=32, shared_name=None, summary_name=None, name=None, cancel_op=None)",
     input_producer, "A queue of the rows of a tensor."},
    {"train.string_input_producer(string_tensor, num_epochs=None, shuffle=True, seed=None, "
     "capacity=32, shared_name=None, name=None, cancel_op=None)",
     string_input_producer, "A queue of strings, such as names of files."},
    {"train.range_input_producer(limit, num_epochs=None, shuffle=True, seed=None, capacity=32, "
     "shared_name=None, name=None)",
     [](const Call& c) {
       return give(train::range_input_producer(c.input("limit"), producer_options(c)));
     },
     "A queue of the integers from 0 to below limit."},
    {"train.slice_input_producer(tensor_list, num_epochs=None, shuffle=True, seed=None, "
     "capacity=32, shared_name=None, name=None)",
     slice_input_producer, "One row of each tensor at a time."},
};

// --- batches -------------------------------------------------------------------------------------

// The keys of a dict in the order in which its values are components.
std::vector<nb::object> sorted_keys(nb::handle dict) {
  std::vector<nb::object> keys;
  for (auto [key, value] : nb::cast<nb::dict>(dict)) keys.push_back(nb::borrow(key));
  std::ranges::stable_sort(keys, {}, [](const nb::object& key) { return str_of(key); });
  return keys;
}

train::Component component_of(nb::handle value) {
  if (is_sparse(value)) return sparse_of(value);
  return input_of(value, DType::invalid, "", "Const");
}

train::Components components_of(nb::handle tensors) {
  train::Components list;
  if (PyDict_Check(tensors.ptr())) {
    for (const nb::object& key : sorted_keys(tensors)) list.push_back(component_of(tensors[key]));
  } else {
    for (nb::handle value : tensors) list.push_back(component_of(value));
  }
  return list;
}

std::vector<train::Components> component_lists(nb::handle tensors_list) {
  if (!truth_of(tensors_list)) value_error("Expected at least one set of tensors");
  std::vector<train::Components> lists;
  nb::object first = tensors_list[0];
  for (nb::handle tensors : tensors_list) {
    if (PyDict_Check(first.ptr())) {
      const auto same = [](const nb::object& a, const nb::object& b) { return a.equal(b); };
      if (!std::ranges::equal(sorted_keys(first), sorted_keys(tensors), same))
        value_error("All dictionaries in tensors_list must have the same keys");
    }
    lists.push_back(components_of(tensors));
  }
  return lists;
}

nb::object give_component(const train::BatchedComponent& component) {
  if (const auto* sparse = std::get_if<SparseTensor>(&component)) return give(*sparse);
  return give(std::get<Output>(component));
}

// As the components were given: a dict, a list, or a single one alone.
nb::object give_batch(const train::Batch& batch, nb::handle like) {
  if (PyDict_Check(like.ptr())) {
    nb::dict dict;
    std::size_t i = 0;
    for (const nb::object& key : sorted_keys(like)) dict[key] = give_component(batch[i++]);
    return dict;
  }
  if (batch.size() == 1) return give_component(batch[0]);
  nb::list list;
  for (const train::BatchedComponent& component : batch) list.append(give_component(component));
  return list;
}

template <class Options>
Options batch_queue_options(const Call& call) {
  Options options;
  if (call.knows("num_threads")) options.num_threads = call.integer("num_threads");
  options.enqueue_many = call.flag("enqueue_many");
  if (call.has("shapes")) options.shapes = shape_list(call["shapes"]);
  options.allow_smaller_final_batch = call.flag("allow_smaller_final_batch");
  options.shared_name = call.text("shared_name");
  options.name = call.name();
  return options;
}

train::BatchOptions batch_options(const Call& call) {
  auto options = batch_queue_options<train::BatchOptions>(call);
  options.capacity = call.integer("capacity");
  options.dynamic_pad = call.flag("dynamic_pad");
  return options;
}

Input keep_of(const Call& call) {
  return call.knows("keep_input") ? call.input("keep_input") : Input(true);
}

nb::object batch(const Call& call) {
  const nb::handle tensors = call["tensors"];
  return give_batch(train::maybe_batch(components_of(tensors), keep_of(call),
                                       call.input("batch_size"), batch_options(call)),
                    tensors);
}

nb::object batch_join(const Call& call) {
  const nb::handle lists = call["tensors_list"];
  const auto components = component_lists(lists);
  return give_batch(train::maybe_batch_join(components, keep_of(call), call.input("batch_size"),
                                            batch_options(call)),
                    lists[0]);
}

train::ShuffleBatchOptions shuffle_options(const Call& call) {
  auto options = batch_queue_options<train::ShuffleBatchOptions>(call);
  options.seed = call.optional_integer("seed");
  return options;
}

nb::object shuffle_batch(const Call& call) {
  const nb::handle tensors = call["tensors"];
  return give_batch(train::maybe_shuffle_batch(
                        components_of(tensors), call.input("batch_size"), call.integer("capacity"),
                        call.integer("min_after_dequeue"), keep_of(call), shuffle_options(call)),
                    tensors);
}

nb::object shuffle_batch_join(const Call& call) {
  const nb::handle lists = call["tensors_list"];
  const auto components = component_lists(lists);
  return give_batch(train::maybe_shuffle_batch_join(
                        components, call.input("batch_size"), call.integer("capacity"),
                        call.integer("min_after_dequeue"), keep_of(call), shuffle_options(call)),
                    lists[0]);
}

constexpr Function kBatches[] = {
    {"train.batch(tensors, batch_size, num_threads=1, capacity=32, enqueue_many=False, "
     "shapes=None, dynamic_pad=False, allow_smaller_final_batch=False, shared_name=None, "
     "name=None)",
     batch, "Batches of tensors, by way of a queue."},
    {"train.batch_join(tensors_list, batch_size, capacity=32, enqueue_many=False, shapes=None, "
     "dynamic_pad=False, allow_smaller_final_batch=False, shared_name=None, name=None)",
     batch_join, "Batches of what several threads make."},
    {"train.maybe_batch(tensors, keep_input, batch_size, num_threads=1, capacity=32, "
     "enqueue_many=False, shapes=None, dynamic_pad=False, allow_smaller_final_batch=False, "
     "shared_name=None, name=None)",
     batch, "Batches of those tensors that are to be kept."},
    {"train.maybe_batch_join(tensors_list, keep_input, batch_size, capacity=32, "
     "enqueue_many=False, shapes=None, dynamic_pad=False, allow_smaller_final_batch=False, "
     "shared_name=None, name=None)",
     batch_join, "Batches of what several threads make and is to be kept."},
    {"train.shuffle_batch(tensors, batch_size, capacity, min_after_dequeue, num_threads=1, "
     "seed=None, enqueue_many=False, shapes=None, allow_smaller_final_batch=False, "
     "shared_name=None, name=None)",
     shuffle_batch, "Batches in random order."},
    {"train.shuffle_batch_join(tensors_list, batch_size, capacity, min_after_dequeue, seed=None, "
     "enqueue_many=False, shapes=None, allow_smaller_final_batch=False, shared_name=None, "
     "name=None)",
     shuffle_batch_join, "Batches in random order of what several threads make."},
    {"train.maybe_shuffle_batch(tensors, batch_size, capacity, min_after_dequeue, keep_input, "
     "num_threads=1, seed=None, enqueue_many=False, shapes=None, "
     "allow_smaller_final_batch=False, shared_name=None, name=None)",
     shuffle_batch, "Batches in random order of what is to be kept."},
    {"train.maybe_shuffle_batch_join(tensors_list, batch_size, capacity, min_after_dequeue, "
     "keep_input, seed=None, enqueue_many=False, shapes=None, allow_smaller_final_batch=False, "
     "shared_name=None, name=None)",
     shuffle_batch_join, "Batches in random order of what several threads make and is to be kept."},
};

}  // namespace

void bind_input_functions() {
  add_functions(kProducers);
  add_functions(kBatches);
}

}  // namespace rill::python
