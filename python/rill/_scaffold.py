"""tf.train.Scaffold: the operations that training needs besides those of the model."""

import weakref

from rill import _rill
from rill._checkpoint import Checkpoint
from rill._saver import Saver

_SAVERS = _rill.graph_keys.SAVERS
_PARTS = ("init_op", "init_feed_dict", "init_fn", "ready_op", "ready_for_local_init_op", "local_init_op",
          "summary_op", "saver", "local_init_feed_dict")


def saver_or_default():
    """The Saver of the graph's collection, else a new one, which is put there."""
    savers = _rill.get_default_graph().get_collection(_SAVERS)
    if len(savers) > 1:
        raise RuntimeError("More than one item in collection savers. Please indicate which one to use by "
                           "passing it to the constructor.")
    if savers:
        return savers[0]
    saver = Saver(sharded=True, allow_empty=True)
    _rill.get_default_graph().add_to_collection(_SAVERS, saver)
    return saver


class Scaffold:
    """The operations that training needs besides those of the model: given, found in the graph's
    collections, or made by finalize()."""

    def __init__(self, init_op=None, init_feed_dict=None, init_fn=None, ready_op=None,
                 ready_for_local_init_op=None, local_init_op=None, summary_op=None, saver=None,
                 copy_from_scaffold=None, local_init_feed_dict=None):
        given = dict(init_op=init_op, init_feed_dict=init_feed_dict, init_fn=init_fn, ready_op=ready_op,
                     ready_for_local_init_op=ready_for_local_init_op, local_init_op=local_init_op,
                     summary_op=summary_op, saver=saver, local_init_feed_dict=local_init_feed_dict)
        if copy_from_scaffold is not None:
            if not isinstance(copy_from_scaffold, Scaffold):
                raise TypeError("copy_from_scaffold is not a Scaffold instance.")
            for part, value in given.items():
                if value is None:
                    source = "_user_init_fn" if part == "init_fn" else part
                    given[part] = getattr(copy_from_scaffold, source)
        if isinstance(given["saver"], Checkpoint):
            raise NotImplementedError("Scaffold(saver=tf.train.Checkpoint(...))")
        self._given, self._saver, self._user_init_fn = given, given["saver"], given["init_fn"]
        self._core = _rill.ScaffoldCore(given, weakref.ref(self))

    def finalize(self):
        """Completes the parts and finalises the graph."""
        self._core.complete()
        if self._saver is None:
            self._saver = _rill.get_default_graph().get_collection(_SAVERS)[0]
        self._core.set_restorer(self._saver)
        return self

    @property
    def init_fn(self):
        """What initialises further things, called with the session; None."""
        if not self._user_init_fn:
            return None
        return lambda sess: self._user_init_fn(self, sess)

    @property
    def saver(self):
        """What saves and restores variables."""
        return self._saver

    @property
    def init_feed_dict(self):
        """Fed to init_op."""
        return self._given["init_feed_dict"]

    @property
    def local_init_feed_dict(self):
        """Fed to local_init_op."""
        return self._given["local_init_feed_dict"]

    def _part(self, name):
        value = getattr(self._core, name)()
        return self._given[name] if value is None else value

    init_op = property(lambda self: self._part("init_op"), doc="Initialises the variables.")
    ready_op = property(lambda self: self._part("ready_op"), doc="Names what is not initialised yet.")
    ready_for_local_init_op = property(lambda self: self._part("ready_for_local_init_op"),
                                       doc="Names what local_init_op waits for.")
    local_init_op = property(lambda self: self._part("local_init_op"),
                             doc="Initialises what every process has for itself.")
    summary_op = property(lambda self: self._part("summary_op"), doc="All summaries.")

    @staticmethod
    def get_or_default(arg_name, collection_key, default_constructor):
        """What the collection holds, else what the function makes, which is put there."""
        found = _rill.get_default_graph().get_collection(collection_key)
        if len(found) > 1:
            raise RuntimeError(f'More than one item in the collection "{collection_key}". '
                               "Please indicate which one to use by passing it to the tf.Scaffold "
                               f"constructor as:  tf.Scaffold({arg_name}=item to use)")
        if found:
            return found[0]
        made = default_constructor()
        if made is not None:
            _rill.get_default_graph().add_to_collection(collection_key, made)
        return made

    @staticmethod
    def default_local_init_op():
        """Initialises local variables, tables and local resources."""
        return _rill.default_local_init_op()


def around(core):
    """The Scaffold of one that C++ made."""
    scaffold = Scaffold.__new__(Scaffold)
    scaffold._given, scaffold._user_init_fn = dict.fromkeys(_PARTS), None
    scaffold._core, scaffold._saver = core, None
    if core.saver() is not None:
        scaffold._saver = Saver.__new__(Saver)
        scaffold._saver._from_graph, scaffold._saver._core = False, core.saver()
    return scaffold
