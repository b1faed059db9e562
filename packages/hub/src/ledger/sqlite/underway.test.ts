import fc from "fast-check";
import { expect, it } from "vitest";
import type { EntryRow } from "./rows.ts";
import { type Underway, UnderwayEntries } from "./underway.ts";

function entryAt(position: number, session: number, word: number): Underway {
  const row: EntryRow = {
    position,
    session,
    received_at: 0,
    kind: 0,
    verified: 0,
    type: "t",
    agent: "a",
    sequence: null,
    notes: null,
    text: "{}",
  };
  return { row, sourceKey: 1, identity: word % 2 === 0 ? null : `id ${word}`, said: null, name: word > 3 ? `name ${word}` : undefined };
}

it("finds whatever is on its way as if it looked through all of it, and takes it draft by draft", () => {
  const small = fc.nat({ max: 6 });
  const draft = fc.array(fc.tuple(small, small), { maxLength: 5 });
  fc.assert(
    fc.property(fc.array(fc.record({ draft, written: fc.nat({ max: 2 }) }), { maxLength: 8 }), (turns) => {
      const underway = new UnderwayEntries();
      let all: { readonly number: number; readonly entry: Underway }[] = [];
      let position = 0;
      let written = 0;
      turns.forEach(({ draft: entries, written: howMany }, number) => {
        for (const [session, word] of entries) {
          position += 1 + (word % 2); // decisions take positions between them
          const entry = entryAt(position, session, word);
          underway.add(number, entry);
          all.push({ number, entry });
        }
        const upTo = Math.min(number, written + howMany) - 1;
        written = Math.max(written, upTo + 1);
        expect(underway.take(upTo)).toEqual(all.filter((one) => one.number <= upTo).map(({ entry }) => entry));
        all = all.filter((one) => one.number > upTo);
        const left = all.map(({ entry }) => entry);
        for (let word = 0; word <= 6; word++) {
          expect(underway.ofSession(word)).toEqual(left.filter(({ row }) => row.session === word));
          expect(underway.byIdentity(`id ${word}`)).toBe(left.findLast(({ identity }) => identity === `id ${word}`));
          expect(underway.named(1, `name ${word}`)).toEqual(left.filter(({ name }) => name === `name ${word}`));
          expect(underway.named(2, `name ${word}`)).toEqual([]);
        }
        for (let one = 0; one <= position + 1; one++) expect(underway.at(one)).toBe(left.find(({ row }) => row.position === one));
      });
      underway.clear();
      expect(underway.take(1000)).toEqual([]);
    }),
  );
});
