"""The tables of an index, and the numbers that say which rules filled them.

A passage's rowid is `note_id << PASSAGE_BITS | ordinal`, so a row of the full-text table
names its note without a join.
"""

from __future__ import annotations

SCHEMA_VERSION = 3

PASSAGE_BITS = 16
"""65,536 passages a note: about 32 million characters, far above the largest file that is read."""

LINKS_STALE = "links stale"
"""Set by every change of a note and cleared when the links have been pointed anew: a killed run leaves it set."""

DENDRON = "dendron"
"""Ends the rules of an index whose folder is Dendron's: its links have the label first, its tags have dots."""

UNTIDY = "untidy"
"""Set where a note's text was taken out, cleared when no byte of it is left in the file or its log."""

WITHDRAWN = "withdrawn"
"""The generation that took out what had become private: answers of an earlier one may not be shown."""

BULK_HASH_BYTES = 64 * 1024 * 1024
FTS5_HASH_BYTES = 1024 * 1024
FTS5_AUTOMERGE = 4
"""How much FTS5 gathers before it writes, and how soon it merges: in a big run once at the end, else its defaults."""

TOKENIZER = ("unicode61", "remove_diacritics", "0", "categories", "L* N* M* Co")
"""Marks that do not count are already taken off by the folding rule; a second rule inside SQLite would disagree with
it. Those that are left are letters (Indic vowels), and private-use characters stand for symbols (`tokens.py`)."""

_TOKENIZE = " ".join(f"''{part}''" if " " in part else part for part in TOKENIZER)

FULL_TEXT_TABLES = ("note_words", "passage_words", "attachment_words")

SCHEMA = f"""
CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;

-- One row a file that can be found; an attachment has a name and nothing else. `date` is ISO: front matter's, else
-- the modification time's, in local time.
CREATE TABLE note (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    stamp TEXT NOT NULL,       -- of the file: NoteFile.stamp
    content_hash BLOB NOT NULL,
    title TEXT NOT NULL,
    date TEXT NOT NULL,
    date_from_mtime INTEGER NOT NULL,
    aliases TEXT NOT NULL,     -- JSON list
    tags TEXT NOT NULL,        -- JSON list
    properties TEXT NOT NULL,  -- JSON object
    first_passage INTEGER NOT NULL DEFAULT 0, -- ordinal of the first one below the front matter
    attachment INTEGER NOT NULL DEFAULT 0,
    folded_path TEXT NOT NULL,
    folded_title TEXT NOT NULL
);

-- What filters look at, folded; a note has one row for each value of a list.
CREATE TABLE note_tag (tag TEXT NOT NULL, note INTEGER NOT NULL, PRIMARY KEY (tag, note)) WITHOUT ROWID;
CREATE INDEX note_tag_by_note ON note_tag(note);
CREATE TABLE note_property (
    key TEXT NOT NULL, value TEXT NOT NULL, note INTEGER NOT NULL, PRIMARY KEY (key, value, note)
) WITHOUT ROWID;
CREATE INDEX note_property_by_note ON note_property(note);

-- What went wrong with a file; a file that could not be read has a row here and none in note.
CREATE TABLE problem (path TEXT NOT NULL, reason TEXT NOT NULL, PRIMARY KEY (path, reason)) WITHOUT ROWID;

-- Files whose content is no note (binary, too big, fatal to a reader): not tried again until they change.
CREATE TABLE unread_file (
    path TEXT PRIMARY KEY, stamp TEXT NOT NULL
) WITHOUT ROWID;

-- Files that are private, as digests alone: an index tells neither name nor text of a note that it withholds. The
-- state is that of the file and of the rules that were asked, so that neither is looked at again while both stay.
CREATE TABLE withheld_file (path BLOB PRIMARY KEY, state BLOB NOT NULL, rule TEXT NOT NULL) WITHOUT ROWID;

-- The note's text in pieces. `vector` is NULL until the passage has been embedded.
CREATE TABLE passage (
    id INTEGER PRIMARY KEY,    -- note_id << {PASSAGE_BITS} | ordinal
    hash BLOB NOT NULL,        -- of the text that is embedded
    line INTEGER,              -- NULL in a format that has places instead
    heading TEXT NOT NULL,
    text TEXT NOT NULL,
    vector INTEGER,            -- vector.id
    place TEXT                 -- "page 3"; NULL in a format that has lines
);
CREATE INDEX passage_without_vector ON passage(id) WHERE vector IS NULL;
CREATE INDEX passage_with_vector ON passage(id, vector) WHERE vector IS NOT NULL;
CREATE INDEX passage_by_hash ON passage(hash);

-- `target` is as written; `note` is the note or attachment it resolves to, else NULL; `ambiguous` when others would do.
CREATE TABLE link (
    source INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    kind TEXT NOT NULL,
    target TEXT NOT NULL,
    fragment TEXT NOT NULL,
    label TEXT NOT NULL,
    line INTEGER NOT NULL,
    note INTEGER,
    ambiguous INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (source, ordinal)
) WITHOUT ROWID;
CREATE INDEX link_by_note ON link(note, source);

-- Vectors belong to a text and a model, not to a note: a moved or copied note needs no new ones.
CREATE TABLE vector (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    hash BLOB NOT NULL,
    model TEXT NOT NULL,
    value BLOB NOT NULL,       -- float32, little-endian, unit length
    UNIQUE (hash, model)
);

-- Folded text only; contentless, since the original stands in passage.
CREATE VIRTUAL TABLE note_words USING fts5(
    title, names, body, content='', contentless_delete=1, tokenize='{_TOKENIZE}');
CREATE VIRTUAL TABLE passage_words USING fts5(
    body, content='', contentless_delete=1, tokenize='{_TOKENIZE}');
CREATE VIRTUAL TABLE attachment_words USING fts5(
    names, content='', contentless_delete=1, tokenize='{_TOKENIZE}');
CREATE VIRTUAL TABLE vocabulary USING fts5vocab(note_words, 'row');
CREATE VIRTUAL TABLE attachment_vocabulary USING fts5vocab(attachment_words, 'row');
"""


def passage_id(note_id: int, ordinal: int) -> int:
    """Return the rowid of a note's passage."""
    return note_id << PASSAGE_BITS | ordinal


def note_of(passage: int) -> int:
    """Return the id of the note that a passage belongs to."""
    return passage >> PASSAGE_BITS
