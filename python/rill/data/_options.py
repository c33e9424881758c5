"""tf.data.Options: how pipelines are run."""

import enum

_UNSET = object()


def _option(name, kind, doc, default=None, make=None):
    def get(self):
        value = self._options.get(name, _UNSET)
        if value is _UNSET:
            value = make() if make else default
            if make:
                self._options[name] = value
        return value

    def set_(self, value):
        if value is not None and not isinstance(value, kind):
            raise TypeError(f"Property \"{name}\" must be of type {kind}, got: {value!r} (type: {type(value)})")
        self._options[name] = value

    return property(get, set_, doc=doc)


class OptionsBase:
    """Named settings, each of one type; None where nothing is said."""

    def __init__(self):
        object.__setattr__(self, "_options", {})

    def __setattr__(self, name, value):
        if not isinstance(getattr(type(self), name, None), property):
            raise AttributeError(f"Cannot set the property {name} on {type(self).__name__}.")
        object.__setattr__(self, name, value)

    def __eq__(self, other):
        if not isinstance(other, type(self)):
            return NotImplemented
        return all(self._options.get(name) == other._options.get(name)
                   for name in {*self._options, *other._options})

    def __ne__(self, other):
        return not self == other

    __hash__ = None


class AutotuneAlgorithm(enum.Enum):
    """How the runtime looks for good settings."""

    HILL_CLIMB = 0
    GRADIENT_DESCENT = 1


def _flags(names, doc):
    return {name: _option(name, bool, doc.format(name.replace("_", " "))) for name in names.split()}


class MapVectorizationOptions(OptionsBase):
    """How functions of map are made to work on whole batches."""

    vars().update(_flags("enabled use_choose_fastest", "Whether: {}."))


class OptimizationOptions(OptionsBase):
    """What is done to a pipeline before it runs."""

    vars().update(_flags(
        "apply_default_optimizations autotune autotune_buffers filter_fusion filter_with_random_uniform_fusion "
        "hoist_random_uniform map_and_batch_fusion map_and_filter_fusion map_fusion map_parallelization "
        "noop_elimination parallel_batch shuffle_and_repeat_fusion", "Whether to use: {}."))
    autotune_algorithm = _option("autotune_algorithm", AutotuneAlgorithm, "How to look for good settings.")
    autotune_cpu_budget = _option("autotune_cpu_budget", int, "How many cores to use; 0: all.")
    map_vectorization = _option("map_vectorization", MapVectorizationOptions,
                                "How functions of map work on batches.", make=MapVectorizationOptions)


class ThreadingOptions(OptionsBase):
    """How many threads a pipeline uses."""

    max_intra_op_parallelism = _option("max_intra_op_parallelism", int, "How many threads one op may use.")
    private_threadpool_size = _option("private_threadpool_size", int, "How many threads of its own it has.")


class DistributeOptions(OptionsBase):
    """How a pipeline is divided among workers."""

    auto_shard = _option("auto_shard", bool, "Whether each worker reads its own part.", default=True)
    num_devices = _option("num_devices", int, "How many devices share the elements.")


class StatsOptions(OptionsBase):
    """What is counted while a pipeline runs."""

    @property
    def aggregator(self):
        """The StatsAggregator that gathers what is counted."""
        return self._options.get("aggregator")

    @aggregator.setter
    def aggregator(self, value):
        from rill.data import _stats
        if value is not None and not isinstance(value, _stats.StatsAggregator):
            raise TypeError(f"Property \"aggregator\" must be of type {_stats.StatsAggregator}, got: {value!r} "
                            f"(type: {type(value)})")
        self._options["aggregator"] = value

    prefix = _option("prefix", str, "What names of measurements begin with.", default="")
    counter_prefix = _option("counter_prefix", str, "What names of counters begin with.", default="")
    latency_all_edges = _option("latency_all_edges", bool, "Whether to time every stage.", default=False)


class Options(OptionsBase):
    """How a pipeline is run; tf.data.Dataset.with_options applies it."""

    experimental_deterministic = _option("experimental_deterministic", bool,
                                         "Whether the order of elements is always the same.")
    experimental_distribute = _option("experimental_distribute", DistributeOptions,
                                      "How it is divided among workers.", make=DistributeOptions)
    experimental_optimization = _option("experimental_optimization", OptimizationOptions,
                                        "What is done to it before it runs.", make=OptimizationOptions)
    experimental_slack = _option("experimental_slack", bool, "Whether to work ahead while a step computes.")
    experimental_stateful_whitelist = _option("experimental_stateful_whitelist", list,
                                              "Ops with state that do not keep it from being saved.")
    experimental_stats = _option("experimental_stats", StatsOptions, "What is counted.", make=StatsOptions)
    experimental_threading = _option("experimental_threading", ThreadingOptions, "How many threads it uses.",
                                     make=ThreadingOptions)

    def merge(self, options):
        """These, with what `options` says on top."""
        return _merged(self, options)

    def _flat(self):
        """Everything that was said, by name, for C++."""
        flat = {}
        for part in (self, self.experimental_optimization, self.experimental_optimization.map_vectorization,
                     self.experimental_threading):
            flat.update({k: v for k, v in part._options.items() if not isinstance(v, OptionsBase) and v is not None})
        flat.pop("experimental_stateful_whitelist", None)
        if isinstance(flat.get("autotune_algorithm"), enum.Enum):
            flat["autotune_algorithm"] = flat["autotune_algorithm"].value
        stats = self.experimental_stats
        if stats.aggregator is not None:
            flat.update(aggregator=stats.aggregator._resource, prefix=stats.prefix,
                        counter_prefix=stats.counter_prefix, latency_all_edges=stats.latency_all_edges)
        return flat


def _merged(first, second):
    """A new object of the settings of both; the second one's where both say something different."""
    if type(first) is not type(second):
        raise TypeError("All options objects must be of the same type.")
    result = type(first)()
    for name in {**first._options, **second._options}:
        mine, theirs = first._options.get(name), second._options.get(name)
        if isinstance(mine, OptionsBase) and isinstance(theirs, OptionsBase):
            result._options[name] = _merged(mine, theirs)
        else:
            result._options[name] = mine if theirs is None else theirs
    return result
