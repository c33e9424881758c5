"""tf.keras.preprocessing.text: texts as numbers of words."""

import collections
import hashlib
import json

import numpy as np

_FILTERS = '!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~\t\n'


def text_to_word_sequence(text, filters=_FILTERS, lower=True, split=" "):
    """The words of a text."""
    text = text.lower() if lower else text
    text = text.translate({ord(c): split for c in filters})
    return [word for word in text.split(split) if word]


def hashing_trick(text, n, hash_function=None, filters=_FILTERS, lower=True, split=" "):
    """Words as numbers below n, by a hash."""
    if hash_function is None:
        hash_function = hash
    elif hash_function == "md5":
        hash_function = lambda word: int(hashlib.md5(word.encode()).hexdigest(), 16)  # noqa: E731
    return [hash_function(word) % (n - 1) + 1 for word in text_to_word_sequence(text, filters, lower, split)]


def one_hot(text, n, filters=_FILTERS, lower=True, split=" "):
    """As hashing_trick with Python's own hash."""
    return hashing_trick(text, n, hash, filters, lower, split)


class Tokenizer:
    """Numbers for words: the more frequent a word, the lower its number."""

    def __init__(self, num_words=None, filters=_FILTERS, lower=True, split=" ", char_level=False, oov_token=None,
                 document_count=0, **kwargs):
        kwargs.pop("nb_words", None)
        if kwargs:
            raise TypeError(f"Unrecognized keyword arguments: {kwargs}")
        self.num_words, self.filters, self.lower, self.split = num_words, filters, lower, split
        self.char_level, self.oov_token, self.document_count = char_level, oov_token, document_count
        self.word_counts, self.word_docs = collections.OrderedDict(), collections.defaultdict(int)
        self.word_index, self.index_word, self.index_docs = {}, {}, collections.defaultdict(int)

    def _words(self, text):
        if isinstance(text, list):
            return [word.lower() for word in text] if self.lower else text
        if self.char_level:
            return list(text.lower() if self.lower else text)
        return text_to_word_sequence(text, self.filters, self.lower, self.split)

    def fit_on_texts(self, texts):
        """Counts the words of texts."""
        for text in texts:
            self.document_count += 1
            words = self._words(text)
            for word in words:
                self.word_counts[word] = self.word_counts.get(word, 0) + 1
            for word in set(words):
                self.word_docs[word] += 1
        ordered = [word for word, _ in sorted(self.word_counts.items(), key=lambda item: item[1], reverse=True)]
        if self.oov_token is not None:
            ordered = [self.oov_token] + [word for word in ordered if word != self.oov_token]
        self.word_index = {word: i + 1 for i, word in enumerate(ordered)}
        self.index_word = {i: word for word, i in self.word_index.items()}
        for word, count in self.word_docs.items():
            self.index_docs[self.word_index[word]] = count

    def texts_to_sequences(self, texts):
        """Texts as lists of numbers."""
        return list(self.texts_to_sequences_generator(texts))

    def texts_to_sequences_generator(self, texts):
        """The same, one by one."""
        unknown = self.word_index.get(self.oov_token)
        for text in texts:
            numbers = []
            for word in self._words(text):
                i = self.word_index.get(word)
                if i is not None and (not self.num_words or i < self.num_words):
                    numbers.append(i)
                elif unknown is not None:
                    numbers.append(unknown)
            yield numbers

    def sequences_to_texts(self, sequences):
        """Lists of numbers as texts."""
        unknown = self.word_index.get(self.oov_token)
        made = []
        for sequence in sequences:
            words = []
            for i in sequence:
                word = self.index_word.get(i)
                if word is not None and (not self.num_words or i < self.num_words):
                    words.append(word)
                elif unknown is not None:
                    words.append(self.index_word[unknown])
            made.append(" ".join(words))
        return made

    def texts_to_matrix(self, texts, mode="binary"):
        """Texts as rows with a column for each word."""
        return self.sequences_to_matrix(self.texts_to_sequences(texts), mode=mode)

    def sequences_to_matrix(self, sequences, mode="binary"):
        """Lists of numbers as rows with a column for each word."""
        if not self.num_words and not self.word_index:
            raise ValueError("Specify a dimension (`num_words` argument), or fit on some text data first.")
        width = self.num_words or len(self.word_index) + 1
        made = np.zeros((len(sequences), width))
        for row, sequence in zip(made, sequences):
            counts = collections.Counter(i for i in sequence if i < width)
            for i, count in counts.items():
                row[i] = self._entry(mode, i, count, len(sequence))
        return made

    def _entry(self, mode, i, count, length):
        if mode == "count":
            return count
        if mode == "freq":
            return count / length
        if mode == "binary":
            return 1
        if mode == "tfidf":
            return (1 + np.log(count)) * np.log(1 + self.document_count / (1 + self.index_docs.get(i, 0)))
        raise ValueError(f"Unknown vectorization mode: {mode}")

    def get_config(self):
        """What was counted, as text."""
        return {"num_words": self.num_words, "filters": self.filters, "lower": self.lower, "split": self.split,
                "char_level": self.char_level, "oov_token": self.oov_token,
                "document_count": self.document_count, "word_counts": json.dumps(self.word_counts),
                "word_docs": json.dumps(self.word_docs), "index_docs": json.dumps(self.index_docs),
                "index_word": json.dumps(self.index_word), "word_index": json.dumps(self.word_index)}

    def to_json(self, **kwargs):
        """The same as JSON."""
        return json.dumps({"class_name": type(self).__name__, "config": self.get_config()}, **kwargs)


def tokenizer_from_json(json_string):
    """The tokenizer that `to_json` wrote."""
    config = json.loads(json_string)["config"]
    learnt = {key: json.loads(config.pop(key)) for key in ("word_counts", "word_docs", "index_docs", "index_word",
                                                           "word_index")}
    made = Tokenizer(**config)
    for key, value in learnt.items():
        numbered = key in ("index_docs", "index_word")
        setattr(made, key, {int(k): v for k, v in value.items()} if numbered else value)
    return made
