"""How workers share files, what stages report, datasets that come from graphs, rows of ragged tensors."""
import os
import re
import tempfile

import tensorflow as tf
from program import elements, raised, spec

Dataset = tf.data.Dataset
FOLDER = tempfile.mkdtemp()


def files(count, lines=2):
    names = [os.path.join(FOLDER, f"{count}_{i}.txt") for i in range(count)]
    for i, name in enumerate(names):
        with open(name, "w") as file:
            file.writelines(f"{i}-{j}\n" for j in range(lines))
    return names


def stated(dataset):
    return {"output_types": tf.nest.flatten(tf.data.get_output_types(dataset)),
            "output_shapes": tf.nest.flatten(tf.data.get_output_shapes(dataset))}


def walked(variant, stated_types, limit=100):
    """The elements of a dataset of one component, and the name of the error that ended the walk."""
    iterator = tf.raw_ops.IteratorV2(shared_name="", container="", **stated_types)
    start = tf.raw_ops.MakeIterator(dataset=variant, iterator=iterator)
    following = tf.raw_ops.IteratorGetNext(iterator=iterator, **stated_types)
    found = []
    with tf.Session() as session:
        try:
            session.run(start)
            while len(found) < limit:
                found.append(session.run(following)[0])
        except tf.errors.OpError as error:
            return found, type(error).__name__
    return found, ""


def shared(dataset, workers, index):
    variant = tf.raw_ops.AutoShardDataset(
        input_dataset=tf.data.experimental.to_variant(dataset), num_workers=tf.constant(workers, tf.int64),
        index=tf.constant(index, tf.int64), **stated(dataset))
    return walked(variant, stated(dataset))


def of_two(dataset):
    return {"first": shared(dataset, 2, 0), "second": shared(dataset, 2, 1)}


def program_sharing_files():
    return of_two(tf.data.TextLineDataset(files(3)))


def program_sharing_files_of_records():
    names = [os.path.join(FOLDER, f"{i}.tfrecord") for i in range(3)]
    for i, name in enumerate(names):
        with tf.python_io.TFRecordWriter(name) as writer:
            for j in range(i + 1):
                writer.write(f"{i}-{j}".encode())
    return of_two(tf.data.TFRecordDataset(names).repeat(2))


def program_sharing_files_opened_by_functions():
    names = Dataset.from_tensor_slices(files(5))
    return {"flat_map": of_two(names.flat_map(tf.data.TextLineDataset)),
            "interleave": of_two(names.interleave(tf.data.TextLineDataset, cycle_length=2)),
            "parallel": of_two(names.interleave(tf.data.TextLineDataset, cycle_length=2, num_parallel_calls=2))}


def program_sharing_files_opened_further_inside():
    names = Dataset.from_tensor_slices(files(4))
    return of_two(names.flat_map(lambda name: Dataset.from_tensors(name).flat_map(tf.data.TextLineDataset)))


def program_sharing_files_before_other_stages():
    lines = tf.data.TextLineDataset(files(4)).map(lambda x: x + "!").filter(lambda x: tf.not_equal(x, "1-1!"))
    return of_two(lines.take(5).repeat(2).batch(2).map(lambda x: tf.strings.reduce_join(x)))


def program_sharing_shuffled_files():
    names = Dataset.from_tensor_slices(files(6, 1))
    return {str(seed): of_two(names.shuffle(6, seed=seed).flat_map(tf.data.TextLineDataset)) for seed in (1, 2, 3)}


def program_sharing_files_after_a_map_of_their_names():
    names = Dataset.from_tensor_slices([os.path.basename(name) for name in files(5, 1)]).shuffle(5, seed=4)
    return of_two(names.map(lambda x: FOLDER + "/" + x).flat_map(tf.data.TextLineDataset))


def program_sharing_listed_files():
    files(7, 1)
    names = Dataset.list_files(os.path.join(FOLDER, "7_*.txt"), shuffle=False)
    return of_two(names.interleave(tf.data.TextLineDataset, cycle_length=3, block_length=2))


def program_sharing_both_sides_of_a_join():
    one, other = tf.data.TextLineDataset(files(2)), tf.data.TextLineDataset(files(3))
    return {"concatenated": of_two(one.concatenate(other)),
            "zipped": of_two(Dataset.zip((one, other)).map(lambda a, b: a + b))}


def program_sharing_elements_where_there_are_no_files():
    return {"slices": of_two(Dataset.from_tensor_slices(["a", "b", "c"])),
            "range": of_two(Dataset.range(7).shuffle(3, seed=1).map(lambda x: x * 2))}


def program_sharing_too_few_files():
    return {"list": shared(tf.data.TextLineDataset(files(3)), 4, 1),
            "enough": shared(tf.data.TextLineDataset(files(4)), 4, 3)}


def reported(dataset):
    """What an aggregator has been told: names without numbers, and how often, or the value where it is certain."""
    aggregator = tf.raw_ops.StatsAggregatorHandle(container="", shared_name="")
    variant = tf.raw_ops.SetStatsAggregatorDataset(
        input_dataset=tf.data.experimental.to_variant(dataset), stats_aggregator=aggregator, tag="tag",
        counter_prefix="", **stated(dataset))
    types = stated(dataset)
    iterator = tf.raw_ops.IteratorV2(shared_name="", container="", **types)
    start = tf.raw_ops.MakeIterator(dataset=variant, iterator=iterator)
    following = tf.raw_ops.IteratorGetNext(iterator=iterator, **types)
    summary = tf.raw_ops.StatsAggregatorSummary(iterator=aggregator)
    with tf.Session() as session:
        session.run(start)
        try:
            while True:
                session.run(following)
        except tf.errors.OutOfRangeError:
            pass
        told = tf.Summary.FromString(session.run(summary))
    found = {}
    for value in told.value:
        name = re.sub(r"(V\d)?/_\d+|V\d(?=::)|(?<=lambda_)\d+", "", value.tag)
        found[name] = value.histo.num if value.HasField("histo") else value.simple_value
    return found


def program_reports_of_prefetching():
    found = reported(Dataset.range(10).prefetch(3))
    size = [name for name in found if name.endswith("buffer_size")]
    return {"names": sorted(found), "size": 0 <= found[size[0]] <= 3,
            "others": {name: value for name, value in found.items() if name not in size}}


def program_reports_of_filters():
    return reported(Dataset.range(10).filter(lambda x: tf.equal(x % 3, 0)))


def program_reports_of_map_and_batch():
    found = reported(Dataset.range(10).apply(tf.data.experimental.map_and_batch(lambda x: x + 1, 3)))
    return {"names": sorted(found)}


def program_reports_of_maps():
    found = reported(Dataset.range(7).map(lambda x: x * x, num_parallel_calls=2))
    return {"times": sorted(item for item in found.items() if item[0].endswith("execution_time"))}


def program_reports_by_name():
    dataset = Dataset.range(5)
    variant = tf.raw_ops.BytesProducedStatsDataset(
        input_dataset=tf.data.experimental.to_variant(dataset), tag="bytes", **stated(dataset))
    from_variant = tf.data.experimental.from_variant(variant, tf.TensorSpec([], tf.int64))
    return reported(from_variant)


def program_reports_of_parsed_examples():
    feature = {"a": tf.train.Feature(int64_list=tf.train.Int64List(value=[1, 2, 3])),
               "b": tf.train.Feature(bytes_list=tf.train.BytesList(value=[b"x"])),
               "c": tf.train.Feature(float_list=tf.train.FloatList(value=[1.]))}
    example = tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString()
    parse = tf.data.experimental.parse_example_dataset(
        {"a": tf.FixedLenFeature([3], tf.int64), "b": tf.FixedLenFeature([1], tf.string)})
    found = reported(Dataset.from_tensors([example, example]).repeat(3).apply(parse))
    return {name: value for name, value in found.items() if name.endswith("count")}


def program_a_dataset_there_and_back():
    dataset = Dataset.range(5).map(lambda x: x * x).batch(2)
    graph = tf.raw_ops.DatasetToGraph(input_dataset=tf.data.experimental.to_variant(dataset))
    return {"elements": walked(tf.raw_ops.DatasetFromGraph(graph_def=graph), stated(dataset))}


def program_rows_of_ragged_tensors():
    ragged = tf.ragged.constant([[1, 2], [], [3]])
    rows = Dataset.from_tensor_slices(ragged)
    return {"shapes": str(tf.data.get_output_shapes(rows)), "rows": elements(rows),
            "inner": elements(Dataset.from_tensor_slices(tf.ragged.constant([[[1., 2.]], []], inner_shape=(2,))))}


def program_rows_of_ragged_tensors_in_functions():
    ragged = tf.ragged.constant([["a", "b"], [], ["c"]])
    pairs = Dataset.from_tensor_slices((ragged, [1, 2, 3]))
    return {"sizes": elements(pairs.map(lambda row, x: tf.size(row) + x)),
            "joined": elements(pairs.map(lambda row, x: tf.strings.reduce_join(row)))}


def program_batches_of_rows_of_ragged_tensors():
    rows = Dataset.from_tensor_slices(tf.ragged.constant([[1, 2], [], [3]]))
    return {"batches": [batch.to_list() for batch in elements(rows.batch(2))]}


def program_predicates_that_are_not_boolean():
    return {"number": raised(lambda: Dataset.range(3).filter(lambda x: x)),
            "vector": raised(lambda: Dataset.range(3).filter(lambda x: tf.stack([x > 1])))}


def program_a_generator_of_empty_lists():
    lists = [[1, 2], [], [3]]
    shaped = Dataset.from_generator(lambda: iter(lists), tf.int32, [None])
    return {"shaped": elements(shaped), "spec": spec(shaped),
            "shapeless": elements(Dataset.from_generator(lambda: iter(lists), tf.int32))}
