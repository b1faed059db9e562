/**
 * The words are in an index that holds no text; the text is beside it, once. See docs/adr/0016.
 * Merging is done by us, in small steps, instead of by the index when it likes.
 */
export const SEARCH_TABLES = `
-- texts: as they were said, one after the other, with U+001F between them. fields: a digit for each of them.
CREATE TABLE search_entry (
  position INTEGER PRIMARY KEY,
  session INTEGER NOT NULL,
  received_at INTEGER NOT NULL,
  agent TEXT NOT NULL,
  type TEXT NOT NULL,
  fields TEXT NOT NULL,
  texts TEXT NOT NULL
) STRICT;

CREATE VIRTUAL TABLE search_words USING fts5(
  words, content = '', columnsize = 0, tokenize = 'unicode61 remove_diacritics 2'
);
INSERT INTO search_words (search_words, rank) VALUES ('automerge', 0), ('crisismerge', 256);
CREATE VIRTUAL TABLE search_vocabulary USING fts5vocab(search_words, instance);

-- Between which positions an entry stands that was received in this hour since 1970. The clock may have been set back.
CREATE TABLE search_hour (
  hour INTEGER PRIMARY KEY,
  low INTEGER NOT NULL,
  high INTEGER NOT NULL
) STRICT;
`;
