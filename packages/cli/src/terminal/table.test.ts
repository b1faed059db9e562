import { expect, it } from "vitest";
import { shortIds, table } from "./table.ts";

const ROWS = [
  ["Claude Code", "Tidy up the shop and everything in it", "sess-one"],
  ["Codex", "Carry", "sess-two"],
];

it("aligns columns, and cuts one of them where the terminal is too narrow", () => {
  expect(table(["Agent", "Goal", "Session"], ROWS, { width: 0, cut: 1 })).toEqual([
    "Agent        Goal                                   Session",
    "Claude Code  Tidy up the shop and everything in it  sess-one",
    "Codex        Carry                                  sess-two",
  ]);
  expect(table(["Agent", "Goal", "Session"], ROWS, { width: 40, cut: 1 })).toEqual([
    "Agent        Goal               Session",
    "Claude Code  Tidy up the shop…  sess-one",
    "Codex        Carry              sess-two",
  ]);
});

it("shortens ids as far as each stays the only one that begins so", () => {
  expect(shortIds(["sess_7c1e55aa", "sess_7c1e55bb", "short", "0123456789abcdef"])).toEqual([
    "sess_7c1e55a",
    "sess_7c1e55b",
    "short",
    "01234567",
  ]);
});
