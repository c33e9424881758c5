"""tf.random.experimental: generators that keep their state in a variable."""

from rill import _rill, _surface, dtypes


class Generator:
    """Random numbers from a state of its own."""

    def __init__(self, copy_from=None, state=None, alg=None):
        if copy_from is not None:
            if state is not None or alg is not None:
                raise ValueError("Only one of copy_from and (state and alg) may be given")
            self._core = copy_from._core
        elif state is None or alg is None:
            raise ValueError("Both state and alg are needed where there is no generator to copy")
        else:
            self._core = _rill.RandomGenerator._from_state(state, alg)

    @classmethod
    def _of(cls, core):
        made = cls.__new__(cls)
        made._core = core
        return made

    @classmethod
    def from_state(cls, state, alg):
        """A generator that goes on from `state`."""
        return cls(state=state, alg=alg)

    @classmethod
    def from_seed(cls, seed, alg=None):
        """A generator whose key is `seed`."""
        return cls._of(_rill.RandomGenerator._from_seed(seed, alg))

    @classmethod
    def from_non_deterministic_state(cls, alg=None):
        """A generator that starts from chance."""
        return cls._of(_rill.RandomGenerator._from_non_deterministic_state(alg))

    @classmethod
    def from_key_counter(cls, key, counter, alg):
        """A generator with this key that has counted so far."""
        return cls._of(_rill.RandomGenerator._from_key_counter(key, counter, alg))

    state = property(lambda self: self._core.state, doc="The variable that keeps counter and key.")
    algorithm = property(lambda self: self._core.algorithm, doc="1: Philox.")
    key = property(lambda self: self._core.key, doc="What tells its numbers from those of others.")

    def reset(self, state):
        """Goes on from `state`."""
        return self._core.reset(state)

    def reset_from_seed(self, seed):
        """Starts again with the key `seed`."""
        return self._core.reset_from_seed(seed)

    def reset_from_key_counter(self, key, counter):
        """Goes on from this key and counter."""
        return self._core.reset_from_key_counter(key, counter)

    def skip(self, delta):
        """Leaves out `delta` numbers."""
        return self._core.skip(delta)

    def normal(self, shape, mean=0.0, stddev=1.0, dtype=dtypes.float32, name=None):
        """Numbers of a normal distribution."""
        return self._core.normal(shape, mean, stddev, dtype, name)

    def truncated_normal(self, shape, mean=0.0, stddev=1.0, dtype=dtypes.float32, name=None):
        """Those of a normal distribution that lie within two deviations."""
        return self._core.truncated_normal(shape, mean, stddev, dtype, name)

    def uniform(self, shape, minval=0, maxval=None, dtype=dtypes.float32, name=None):
        """Numbers from `minval` to below `maxval`."""
        return self._core.uniform(shape, minval, maxval, dtype, name)

    def uniform_full_int(self, shape, dtype=dtypes.uint64, name=None):
        """Any integers of the type."""
        return self._core.uniform_full_int(shape, dtype, name)

    def binomial(self, shape, counts, probs, dtype=dtypes.int32, name=None):
        """How often something of probability `probs` happens in `counts` trials."""
        return self._core.binomial(shape, counts, probs, dtype, name)

    def make_seeds(self, count=1):
        """Seeds for stateless functions: a column for each."""
        return self._core.make_seeds(count)

    def split(self, count=1):
        """Generators whose numbers have nothing to do with each other."""
        return [self._of(core) for core in self._core.split(count)]


_global_generator = None


def get_global_generator():
    """The generator of the program, made when it is first asked for."""
    if _global_generator is None:
        set_global_generator(Generator.from_non_deterministic_state())
    return _global_generator


def set_global_generator(generator):
    """Sets the generator of the program."""
    global _global_generator
    _global_generator = generator


def create_rng_state(seed, algorithm):
    """The state of a generator that begins with a seed."""
    return _rill.create_rng_state(seed, algorithm)


__getattr__, __dir__ = _surface.members_of(__name__)
