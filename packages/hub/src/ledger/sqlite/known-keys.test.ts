import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KnownKeys, type ReadKeys } from "./known-keys.ts";

/** A table's keys, in order, read page by page. */
class Table {
  readonly keys: string[] = [];
  pages = 0;

  readonly read: ReadKeys = () => {
    let after = "";
    return (limit) => {
      this.pages++;
      const page = this.keys.filter((key) => key > after).slice(0, limit);
      after = page.at(-1) ?? after;
      return page;
    };
  };

  add(key: string): void {
    this.keys.push(key);
    this.keys.sort();
  }
}

function keyOf(number: number): string {
  return `1 event-${number.toString(36)}`;
}

describe("known keys", () => {
  it("never deny a key that is in the table, whenever it came there", () => {
    const steps = fc.array(fc.record({ add: fc.boolean(), key: fc.nat(400) }), { minLength: 300, maxLength: 900 });
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(400), { maxLength: 400 }), steps, (before, after) => {
        const table = new Table();
        for (const key of before) table.add(keyOf(key));
        const known = new KnownKeys(table.read);
        for (const { add, key } of after) {
          if (add && !table.keys.includes(keyOf(key))) {
            table.add(keyOf(key));
            known.add(keyOf(key));
          }
          if (table.keys.includes(keyOf(key))) expect(known.mayHave(keyOf(key))).toBe(true);
        }
      }),
      { numRuns: 30, endOnFailure: true },
    );
  });

  it("leave the table alone while little is asked, then read it once, and know what is new", () => {
    const table = new Table();
    for (let number = 0; number < 1000; number++) table.add(keyOf(number));
    const known = new KnownKeys(table.read);
    for (let number = 0; number < 100; number++) expect(known.mayHave(`new ${number}`)).toBe(true);
    expect(table.pages).toBe(0);
    for (let number = 0; number < 200; number++) known.mayHave(`new ${number}`);
    const { pages } = table;
    const denied = Array.from({ length: 1000 }, (_, number) => known.mayHave(`new ${number}`)).filter((may) => !may);
    expect(denied.length).toBeGreaterThan(950);
    expect(table.pages).toBe(pages);
  });

  it("grow with the table, and still know all of it", () => {
    const keys: string[] = [];
    const known = new KnownKeys(() => {
      let next = 0;
      return (limit) => {
        next += limit;
        return keys.slice(next - limit, next);
      };
    });
    for (let number = 0; number < 300; number++) known.mayHave(`new ${number}`);
    const count = 120_000; // more than fit into the first room
    for (let number = 0; number < count; number++) {
      keys.push(keyOf(number));
      known.add(keyOf(number));
    }
    for (let number = 0; number < 2000; number++) known.mayHave(`new ${number}`);
    for (let number = 0; number < count; number += 7) expect(known.mayHave(keyOf(number))).toBe(true);
    const denied = Array.from({ length: 1000 }, (_, number) => known.mayHave(`newer ${number}`)).filter((may) => !may);
    expect(denied.length).toBeGreaterThan(950);
  });
});
