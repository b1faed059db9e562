import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { listLines, shortIds, tableLines } from "./table.ts";

const ROWS = [
  ["Claude Code", "Tidy up the shop and everything in it", "sess-one"],
  ["Codex", "Carry", "sess-two"],
];

it("aligns columns, and cuts one of them where the terminal is too narrow", () => {
  expect(tableLines(["Agent", "Goal", "Session"], ROWS, { width: 0, cut: 1 })).toEqual([
    "Agent        Goal                                   Session",
    "Claude Code  Tidy up the shop and everything in it  sess-one",
    "Codex        Carry                                  sess-two",
  ]);
  expect(tableLines(["Agent", "Goal", "Session"], ROWS, { width: 40, cut: 1 })).toEqual([
    "Agent        Goal               Session",
    "Claude Code  Tidy up the shop…  sess-one",
    "Codex        Carry              sess-two",
  ]);
});

it("shortens ids as far as each stays the only one that begins so", () => {
  const ids = ["sess_7c1e55aa7c1e55aa", "sess_7c1e55ab00000000", "short", "0123456789abcdef", "4f1c2a3b-58d0-4c8e-9f00-aabbccddeeff"];
  expect(shortIds(ids)).toEqual(["sess_7c1e55aa", "sess_7c1e55ab", "short", "01234567", "4f1c2a3b"]);
  expect(shortIds(["run-2026-11-15-fix-login", "sess_7c1e55ab1"])).toEqual(["run-2026-11-15-fix-login", "sess_7c1e55ab1"]);
});

it("lists in columns on a terminal, and in sentences with --plain and in a pipe", async () => {
  const io = (out: boolean) => ({
    stdin: Readable.from([]),
    out: () => {},
    err: () => {},
    terminal: { out, err: out, colour: false, width: 80 },
  });
  const listing = {
    items: ["Claude Code", "Codex"],
    columns: ["Agent", "Place"],
    cut: 0,
    rowOf: (name: string, index: number) => [name, String(index + 1)],
    sentencesOf: (name: string) => [`${name} is here.`],
  };
  expect(await listLines(io(true), false, listing)).toEqual(["Agent        Place", "Claude Code  1", "Codex        2"]);
  const sentences = ["Claude Code is here.", "Codex is here."];
  expect([await listLines(io(true), true, listing), await listLines(io(false), false, listing)]).toEqual([sentences, sentences]);
});
