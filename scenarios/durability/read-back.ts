import { DatabaseSync } from "node:sqlite";
import type { Speaker } from "./speaker.ts";
import { utterance, utteredBy } from "./utterance.ts";

export interface Findings {
  /** Acknowledged in all. */
  readonly acknowledged: number;
  /** Acknowledged and not in the ledger, byte for byte. */
  readonly lost: number;
  /** Acknowledged and in the ledger, but not at the position that was promised. */
  readonly misplaced: number;
  /** In the ledger more than once. */
  readonly duplicated: number;
  /** In the ledger, although nobody said it. */
  readonly unknown: number;
  /** In the ledger and not acknowledged: these may be there or not. */
  readonly unacknowledged: number;
  /** The first few of whatever is wrong, in words. */
  readonly examples: readonly string[];
}

const EXAMPLES = 5;

/** Compares what was promised with what is in the file, row by row. The file is opened for reading only. */
export function readBack(ledger: string, speakers: readonly Speaker[]): Findings {
  const seen = speakers.map(() => new Map<number, number>());
  const examples: string[] = [];
  let duplicated = 0;
  let unknown = 0;
  const tell = (text: string) => {
    if (examples.length < EXAMPLES) examples.push(text);
  };
  {
    using db = new DatabaseSync(ledger, { readOnly: true, timeout: 5000 });
    const rows = db.prepare("SELECT position, text FROM entry ORDER BY position").iterate();
    for (const row of rows as Iterable<unknown> as Iterable<{ readonly position: number; readonly text: string }>) {
      const said = utteredBy(row.text);
      const places = said === undefined ? undefined : seen[said.speaker];
      if (said === undefined || places === undefined || utterance(said.speaker, said.number) !== row.text) {
        unknown++;
        tell(`Position ${row.position} holds what nobody said: ${row.text.slice(0, 120)}`);
      } else if (places.has(said.number)) {
        duplicated++;
        tell(`${said.speaker}.${said.number} stands at ${places.get(said.number)} and again at ${row.position}.`);
      } else places.set(said.number, row.position);
    }
  }
  let acknowledged = 0;
  let lost = 0;
  let misplaced = 0;
  let unacknowledged = 0;
  for (const [index, speaker] of speakers.entries()) {
    const places = seen[index] ?? new Map<number, number>();
    let found = 0;
    speaker.positions.forEach((position, number) => {
      acknowledged++;
      const actual = places.get(number);
      if (actual !== undefined) found++;
      if (actual === position) return;
      if (actual === undefined) lost++;
      else misplaced++;
      tell(`${speaker.name}.${number} was acknowledged at ${position} and is ${actual === undefined ? "gone" : `at ${actual}`}.`);
    });
    unacknowledged += places.size - found;
  }
  return { acknowledged, lost, misplaced, duplicated, unknown, unacknowledged, examples };
}
