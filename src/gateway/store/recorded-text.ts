// Which words stand in which part of which recording: SQLite's full text index, without the text itself. It holds nothing that the
// recordings do not, so a lost or older file is made anew.
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import SQLite from 'better-sqlite3';
import { makeFolder } from './folder.ts';

/** Goes up when the tables or what words are change: an older file is thrown away. */
const VERSION = 2;
/** Waiting for the other thread's lock, ms. */
const BUSY_MS = 10_000;
const CACHE_KIB = 16 * 1024;
/** Words gathered in memory before they are written: what is written in small pieces is merged, again and again, bytes. */
const GATHERED_BYTES = 16 * 1024 * 1024;
/** Most parts one search answers. */
const FOUND_MOST = 20_000;

/** Where a part of a recording begins: bytes into the file, and how many chunks of the pack that begins there come before it. */
export interface TextPlace {
  readonly position: number;
  readonly skip: number;
}
export interface TextFound {
  readonly sid: string;
  /** When the session began, ms since 1970. */
  readonly started: number;
  readonly places: readonly TextPlace[];
}
export interface TextQuery {
  /** All must stand in one part; the last may be the beginning of a longer one. */
  readonly words: readonly string[];
  /** Sessions that began then, ms since 1970. */
  readonly from: number;
  readonly to: number;
  /** Only what comes behind this recording, newest first. */
  readonly after: Pick<TextFound, 'sid' | 'started'> | null;
}

/** Throws what SQLite throws. One thread writes, others may read meanwhile. */
export function openRecordedText(file: string) {
  // Somebody may look for a text before the first recording, or after the folder was taken away.
  makeFolder(dirname(file), 0o700);
  const database = openFile(file);
  const addRecording = database.prepare('INSERT INTO recordings (sid, started) VALUES (?, ?)');
  const addBlock = database.prepare('INSERT INTO blocks (recording, position, skip) VALUES (?, ?, ?)');
  const addWords = database.prepare('INSERT INTO words (rowid, text) VALUES (?, ?)');
  const removeWords = database.prepare(
    'DELETE FROM words WHERE rowid IN (SELECT b.id FROM blocks b JOIN recordings r ON r.id = b.recording WHERE r.sid = ?)',
  );
  const removeBlocks = database.prepare(
    'DELETE FROM blocks WHERE recording = (SELECT id FROM recordings WHERE sid = ?)',
  );
  const removeRecording = database.prepare('DELETE FROM recordings WHERE sid = ?');
  const find = database.prepare<unknown[], { sid: string; started: number; position: number; skip: number }>(
    `SELECT r.sid, r.started, b.position, b.skip FROM words JOIN blocks b ON b.id = words.rowid JOIN recordings r ON r.id = b.recording
     WHERE words MATCH ? AND r.started BETWEEN ? AND ? AND (r.started, r.sid) < (?, ?)
     ORDER BY r.started DESC, r.sid DESC, b.id LIMIT ${FOUND_MOST}`,
  );
  const remove = (sid: string): void => {
    removeWords.run(sid);
    removeBlocks.run(sid);
    removeRecording.run(sid);
  };
  return {
    /** Puts a recording's parts in place of those it had: all of them or, when taking them throws, none. */
    async put(
      sid: string,
      started: number,
      parts: AsyncIterable<TextPlace & { readonly words: string }>,
    ): Promise<void> {
      database.exec('BEGIN IMMEDIATE');
      try {
        remove(sid);
        const { lastInsertRowid: recording } = addRecording.run(sid, started);
        for await (const { position, skip, words } of parts) {
          const { lastInsertRowid } = addBlock.run(recording, position, skip);
          addWords.run(lastInsertRowid, words);
        }
        database.exec('COMMIT');
      } catch (error) {
        database.exec('ROLLBACK');
        throw error;
      }
    },
    remove: database.transaction(remove),
    sids: (): string[] => database.prepare<[], string>('SELECT sid FROM recordings').pluck().all(),
    /** Newest first. No word finds nothing. */
    find({ words, from, to, after }: TextQuery): TextFound[] {
      const found: { sid: string; started: number; places: TextPlace[] }[] = [];
      const terms = words.map((word, at) => `"${word.replaceAll('"', '')}"${at === words.length - 1 ? '*' : ''}`);
      if (terms.length === 0) return found;
      const rows = find.iterate(terms.join(' '), from, to, after?.started ?? Number.MAX_SAFE_INTEGER, after?.sid ?? '');
      for (const { sid, started, position, skip } of rows) {
        if (found.at(-1)?.sid !== sid) found.push({ sid, started, places: [] });
        found.at(-1)?.places.push({ position, skip });
      }
      return found;
    },
    close: () => void database.close(),
  };
}

function openFile(file: string): SQLite.Database {
  for (let tries = 0; ; tries += 1) {
    const database = new SQLite(file, { timeout: BUSY_MS });
    try {
      database.pragma('journal_mode = WAL');
      // What a power cut takes is indexed anew at the next start.
      database.pragma('synchronous = NORMAL');
      database.pragma(`cache_size = -${CACHE_KIB}`);
      database.pragma('journal_size_limit = 0');
      const version = database.pragma('user_version', { simple: true });
      if (version === VERSION) return database;
      if (version !== 0) throw new Error('another version');
      database.exec(`BEGIN IMMEDIATE;
        CREATE TABLE IF NOT EXISTS recordings (id INTEGER PRIMARY KEY, sid TEXT NOT NULL UNIQUE, started INTEGER NOT NULL);
        CREATE TABLE IF NOT EXISTS blocks (id INTEGER PRIMARY KEY, recording INTEGER NOT NULL, position INTEGER NOT NULL, skip INTEGER NOT NULL);
        CREATE INDEX IF NOT EXISTS blocks_of ON blocks (recording);
        CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5(text, content='', contentless_delete=1, detail=none, tokenize='unicode61 remove_diacritics 0');
        INSERT INTO words (words, rank) VALUES ('hashsize', ${GATHERED_BYTES});
        PRAGMA user_version = ${VERSION}; COMMIT;`);
      return database;
    } catch (error) {
      database.close();
      if (tries > 0) throw error;
      for (const tail of ['', '-wal', '-shm']) rmSync(file + tail, { force: true });
    }
  }
}
