"""Ops of datasets under their two names, RangeDataset and its like, and what iterators are deleted with."""
import pytest
import tensorflow as tf

from rill import raw_ops

Dataset, experimental = tf.data.Dataset, tf.data.experimental
SCALAR = {"output_types": [tf.int64], "output_shapes": [tf.TensorShape([])]}


def examples():
    example = tf.train.Example(features=tf.train.Features(feature={
        "x": tf.train.Feature(float_list=tf.train.FloatList(value=[1.5, 2.5]))}))
    batches = Dataset.from_tensors(tf.constant([example.SerializeToString()] * 2))
    return batches.apply(experimental.parse_example_dataset({"x": tf.FixedLenFeature([2], tf.float32)}))


def csv(folder):
    (folder / "table.csv").write_text("1,2.5\n3,4.5\n")
    return experimental.CsvDataset(str(folder / "table.csv"), [tf.int32, tf.float32])


def sql(folder):
    import sqlite3
    with sqlite3.connect(folder / "base") as connection:
        connection.execute("create table t (a integer)")
        connection.execute("insert into t values (7), (8)")
    return experimental.SqlDataset("sqlite", str(folder / "base"), "select a from t", tf.int64)


def counted(dataset, aggregator):
    options = tf.data.Options()
    options.experimental_stats.aggregator = aggregator
    return dataset.apply(experimental.bytes_produced_stats("bytes")).with_options(options)


def reducer():
    return experimental.Reducer(lambda _: tf.constant(0, tf.int64), lambda s, x: s + x, lambda s: s)


TWINS = {
    "ExperimentalBytesProducedStatsDataset": lambda _: counted(Dataset.range(3), experimental.StatsAggregator()),
    "ExperimentalSetStatsAggregatorDataset": lambda _: counted(Dataset.range(3), experimental.StatsAggregator()),
    "ExperimentalCSVDataset": csv,
    "ExperimentalDirectedInterleaveDataset": lambda _: experimental.choose_from_datasets(
        [Dataset.range(2), Dataset.range(5, 7)], Dataset.from_tensor_slices(tf.constant([0, 1, 1, 0], tf.int64))),
    "ExperimentalGroupByReducerDataset": lambda _: Dataset.range(6).apply(
        experimental.group_by_reducer(lambda x: x % 2, reducer())),
    "ExperimentalGroupByWindowDataset": lambda _: Dataset.range(6).apply(
        experimental.group_by_window(lambda x: x % 2, lambda _, d: d.batch(4), 4)),
    "ExperimentalMapAndBatchDataset": lambda _: Dataset.range(5).apply(
        experimental.map_and_batch(lambda x: x + 1, 2)),
    "ExperimentalParallelInterleaveDataset": lambda _: Dataset.range(3).apply(
        experimental.parallel_interleave(lambda x: Dataset.range(x), 2)),
    "ExperimentalParseExampleDataset": lambda _: examples(),
    "ExperimentalScanDataset": lambda _: Dataset.range(4).apply(
        experimental.scan(tf.constant(0, tf.int64), lambda s, x: (s + x, s))),
    "ExperimentalSqlDataset": sql,
    "ExperimentalTakeWhileDataset": lambda _: Dataset.range(9).apply(experimental.take_while(lambda x: x < 3)),
    # These have one name; the files of their tests do not spell it out.
    "RangeDataset": lambda _: Dataset.range(3),
    "TensorDataset": lambda _: Dataset.from_tensors(tf.constant([1, 2])),
    "ParallelMapDataset": lambda _: Dataset.range(3).map(lambda x: x * 2, num_parallel_calls=2),
    "ParseExampleDataset": lambda _: examples(),
    "PrefetchDataset": lambda _: Dataset.range(3).prefetch(2),
}


def elements(session, start, following):
    session.run(start)
    found = []
    while True:
        try:
            found.append(session.run(following))
        except tf.errors.OutOfRangeError:
            return found


def under_both_names(make, op, folder):
    """The elements, as the graph is and with the other op in the place of its twin; how many were replaced."""
    with tf.Graph().as_default() as graph:
        iterator = tf.compat.v1.data.make_initializable_iterator(make(folder))
        following = tf.nest.flatten(iterator.get_next())
        names = [tensor.name for tensor in following]
        with tf.Session() as session:
            plain = elements(session, iterator.initializer, following)
        definition = graph.as_graph_def()
    replaced = 0
    for node in definition.node:
        if node.op == op.removeprefix("Experimental"):
            node.op, replaced = op, replaced + 1
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(definition, name="")
        with tf.Session() as session:
            other = elements(session, graph.get_operation_by_name(iterator.initializer.name), names)
    return plain, other, replaced


@pytest.mark.parametrize("op", TWINS)
def test_both_names_give_the_same(op, tmp_path):
    plain, other, replaced = under_both_names(TWINS[op], op, tmp_path)
    assert replaced > 0 and plain
    assert str(plain) == str(other)


def test_sizes_files_and_the_quickest(tmp_path):
    dataset = raw_ops.RangeDataset(start=0, stop=3, step=1, **SCALAR)
    size = raw_ops.ExperimentalDatasetCardinality(input_dataset=dataset)
    lines = raw_ops.TensorSliceDataset(components=[tf.constant(["a", "b"])], output_shapes=[tf.TensorShape([])])
    write = raw_ops.ExperimentalDatasetToTFRecord(
        input_dataset=lines, filename=str(tmp_path / "records"), compression_type="")
    quickest = raw_ops.ExperimentalChooseFastestDataset(
        input_datasets=[dataset, dataset], num_experiments=2, **SCALAR)
    matching = raw_ops.ExperimentalMatchingFilesDataset(patterns=[str(tmp_path / "rec*")])
    pool = raw_ops.ExperimentalThreadPoolHandle(num_threads=2, display_name="two")
    pooled = raw_ops.ExperimentalThreadPoolDataset(input_dataset=dataset, thread_pool=pool, **SCALAR)
    iterator = raw_ops.IteratorV2(shared_name="", container="", **SCALAR)
    following = raw_ops.IteratorGetNextSync(iterator=iterator, **SCALAR)[0]
    wrapped = raw_ops.UnwrapDatasetVariant(
        input_handle=raw_ops.WrapDatasetVariant(input_handle=dataset))
    starts = [raw_ops.MakeIterator(dataset=d, iterator=iterator) for d in (quickest, pooled, wrapped)]
    file = raw_ops.DatasetToSingleElement(
        dataset=matching, output_types=[tf.string], output_shapes=[tf.TensorShape([])])
    devices = [raw_ops.IteratorGetDevice(resource=iterator),
               raw_ops.ExperimentalIteratorGetDevice(resource=iterator)]
    with tf.Session() as session:
        assert session.run(size) == 3
        session.run(write)
        assert list(tf.python_io.tf_record_iterator(str(tmp_path / "records"))) == [b"a", b"b"]
        assert session.run(file) == [str(tmp_path / "records").encode()]
        for start in starts:
            assert elements(session, start, following) == [0, 1, 2]
        assert all(b"CPU:0" in device for device in session.run(devices))


def test_a_database_that_is_not_there(tmp_path):
    spec = {"output_types": [tf.string, tf.string], "output_shapes": [tf.TensorShape([])] * 2}
    for op in (raw_ops.LMDBDataset, raw_ops.ExperimentalLMDBDataset):
        single = raw_ops.DatasetToSingleElement(dataset=op(filenames=str(tmp_path / "none"), **spec), **spec)
        with tf.Session() as session, pytest.raises(tf.errors.OpError):
            session.run(single)


def test_what_statistics_say(tmp_path):
    dataset = raw_ops.RangeDataset(start=0, stop=3, step=1, **SCALAR)
    counted_bytes = raw_ops.BytesProducedStatsDataset(input_dataset=dataset, tag="bytes", **SCALAR)
    handle = raw_ops.ExperimentalStatsAggregatorHandle()
    watched = raw_ops.SetStatsAggregatorDataset(
        input_dataset=counted_bytes, stats_aggregator=handle, tag="", counter_prefix="", **SCALAR)
    iterator = raw_ops.IteratorV2(shared_name="", container="", **SCALAR)
    start = raw_ops.MakeIterator(dataset=watched, iterator=iterator)
    following = raw_ops.IteratorGetNext(iterator=iterator, **SCALAR)[0]
    said = raw_ops.ExperimentalStatsAggregatorSummary(iterator=handle)
    newer = raw_ops.StatsAggregatorHandleV2()
    writer = raw_ops.SummaryWriter()
    made = raw_ops.CreateSummaryFileWriter(
        writer=writer, logdir=str(tmp_path), max_queue=10, flush_millis=1000, filename_suffix="")
    joined = raw_ops.StatsAggregatorSetSummaryWriter(stats_aggregator=newer, summary=writer)
    with tf.Session() as session:
        assert elements(session, start, following) == [0, 1, 2]
        assert "bytes" in str(tf.Summary.FromString(session.run(said)))
        session.run(made)
        session.run(joined)


def test_what_has_no_name_is_deleted():
    made = raw_ops.AnonymousIteratorV2(**SCALAR)
    older = raw_ops.AnonymousIterator(**SCALAR)
    dataset = raw_ops.RangeDataset(start=0, stop=3, step=1, **SCALAR)
    start = raw_ops.MakeIterator(dataset=dataset, iterator=older)
    with tf.control_dependencies([start]):
        following = raw_ops.IteratorGetNext(iterator=older, **SCALAR)[0]
    several = raw_ops.AnonymousMultiDeviceIterator(devices=["/cpu:0"], **SCALAR)
    cache = raw_ops.AnonymousMemoryCache()
    seeds = raw_ops.AnonymousRandomSeedGenerator(seed=1, seed2=2)
    deletions = [
        raw_ops.DeleteIterator(handle=made[0], deleter=made[1]),
        raw_ops.DeleteMultiDeviceIterator(multi_device_iterator=several[0], iterators=[], deleter=several[1]),
        raw_ops.DeleteMemoryCache(handle=cache[0], deleter=cache[1]),
        raw_ops.DeleteRandomSeedGenerator(handle=seeds[0], deleter=seeds[1]),
    ]
    missing = raw_ops.OptionalHasValue(optional=raw_ops.OptionalNone())
    with tf.Session() as session:
        assert session.run(following) == 0
        session.run(deletions)
        assert not session.run(missing)


def test_iterators_of_several_devices_as_strings():
    iterator = raw_ops.MultiDeviceIterator(devices=["/cpu:0"], shared_name="", container="", **SCALAR)
    text = raw_ops.MultiDeviceIteratorToStringHandle(multi_device_iterator=iterator)
    again = raw_ops.MultiDeviceIteratorFromStringHandle(string_handle=text, **SCALAR)
    dataset = raw_ops.RangeDataset(start=5, stop=6, step=1, **SCALAR)
    number = raw_ops.MultiDeviceIteratorInit(
        dataset=dataset, multi_device_iterator=again, max_buffer_size=1)
    following = raw_ops.MultiDeviceIteratorGetNextFromShard(
        multi_device_iterator=iterator, shard_num=0, incarnation_id=number, **SCALAR)[0]
    with tf.Session() as session:
        assert session.run(following) == 5
