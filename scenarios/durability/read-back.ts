import { DatabaseSync } from "node:sqlite";
import type { Speaker } from "./speaker.ts";
import { utterance, utteredBy } from "./utterance.ts";

export interface Findings {
  /** Total acknowledged. */
  readonly acknowledged: number;
  /** Acknowledged but missing in the ledger, compared by bytes. */
  readonly lost: number;
  /** Acknowledged, but stored at another position. */
  readonly misplaced: number;
  /** Stored more than once. */
  readonly duplicated: number;
  /** Stored although never sent. */
  readonly unknown: number;
  /** Stored without an acknowledgment, which is allowed. */
  readonly unacknowledged: number;
  /** The first few problems in words. */
  readonly examples: readonly string[];
}

const EXAMPLES = 5;

/** Compares the acknowledgments with the ledger file, row by row. Opens the file read-only. */
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
