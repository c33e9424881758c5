"""tf.contrib.learn.preprocessing: words as ids."""

import re

import numpy as np

TOKENIZER_RE = re.compile(r"[A-Z]{2,}(?![a-z])|[A-Z][a-z]+(?=[A-Z])|[\'\w\-]+", re.UNICODE)


def tokenizer(iterator):
    """The words of each text."""
    for value in iterator:
        yield TOKENIZER_RE.findall(value)


class CategoricalVocabulary:
    """Ids of words; 0 is that of all words that are not known."""

    def __init__(self, unknown_token="<UNK>", support_reverse=True):
        self._unknown_token = unknown_token
        self._mapping = {unknown_token: 0}
        self._reverse_mapping = [unknown_token] if support_reverse else None
        self._freq = {}
        self._frozen = False

    def __len__(self):
        return len(self._mapping)

    def freeze(self, freeze=True):
        """No more words become known."""
        self._frozen = freeze

    def get(self, category):
        """The id of a word."""
        if category not in self._mapping:
            if self._frozen:
                return 0
            self._mapping[category] = len(self._mapping)
            if self._reverse_mapping is not None:
                self._reverse_mapping.append(category)
        return self._mapping[category]

    def add(self, category, count=1):
        """Counts a word."""
        if self.get(category) > 0:
            self._freq[category] = self._freq.get(category, 0) + count

    def trim(self, min_frequency, max_frequency=-1):
        """Forgets rare words; more frequent ones get smaller ids."""
        counted = sorted(sorted(self._freq.items(), key=lambda pair: str(pair[0])), key=lambda pair: -pair[1])
        kept = [(word, count) for word, count in counted
                if count > min_frequency and (max_frequency < 0 or count < max_frequency)]
        self._mapping = {self._unknown_token: 0, **{word: i + 1 for i, (word, _) in enumerate(kept)}}
        if self._reverse_mapping is not None:
            self._reverse_mapping = [self._unknown_token] + [word for word, _ in kept]
        self._freq = dict(kept)

    def reverse(self, class_id):
        """The word of an id."""
        if self._reverse_mapping is None:
            raise ValueError("This vocabulary wasn't initialized with support_reverse to support reverse() function.")
        return self._reverse_mapping[class_id]


class VocabularyProcessor:
    """Texts as rows of ids of a fixed length."""

    def __init__(self, max_document_length, min_frequency=0, vocabulary=None, tokenizer_fn=None):
        self.max_document_length, self.min_frequency = max_document_length, min_frequency
        self.vocabulary_ = vocabulary or CategoricalVocabulary()
        self._tokenizer = tokenizer_fn or tokenizer

    def fit(self, raw_documents, unused_y=None):
        """Learns the words of texts."""
        for tokens in self._tokenizer(raw_documents):
            for token in tokens:
                self.vocabulary_.add(token)
        if self.min_frequency > 0:
            self.vocabulary_.trim(self.min_frequency)
        self.vocabulary_.freeze()
        return self

    def fit_transform(self, raw_documents, unused_y=None):
        """Learns the words of texts and gives their ids."""
        self.fit(raw_documents)
        return self.transform(raw_documents)

    def transform(self, raw_documents):
        """The ids of the words of texts, filled up with zeros."""
        for tokens in self._tokenizer(raw_documents):
            ids = np.zeros(self.max_document_length, np.int64)
            for i, token in enumerate(tokens[:self.max_document_length]):
                ids[i] = self.vocabulary_.get(token)
            yield ids

    def reverse(self, documents):
        """The texts of rows of ids."""
        for row in documents:
            yield " ".join(self.vocabulary_.reverse(id_) for id_ in row)

    def save(self, filename):
        """Writes the processor to a file."""
        import pickle
        with open(filename, "wb") as file:
            file.write(pickle.dumps(self))

    @classmethod
    def restore(cls, filename):
        """A processor that was written to a file."""
        import pickle
        with open(filename, "rb") as file:
            return pickle.loads(file.read())
