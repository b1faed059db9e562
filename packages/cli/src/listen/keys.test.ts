import { expect, it } from "vitest";
import { ENGLISH_LISTEN } from "./english-listen.ts";
import { GERMAN_LISTEN } from "./german-listen.ts";
import { KEYS, readKey, readLine } from "./keys.ts";

it("a digit is a number, a letter a command, and anything else nothing", () => {
  expect(readKey("3")).toEqual({ kind: "number", number: 3 });
  expect(readKey(" ")).toEqual({ kind: "command", command: "stop" });
  for (const key of ["0", "x", "\u001b", "constructor", ""]) expect(readKey(key)).toBeUndefined();
});

it("a line is a key, or the name of what it asks for", () => {
  expect(readLine(" w\r")).toEqual({ kind: "command", command: "waiting" });
  expect(readLine("Overview")).toEqual({ kind: "command", command: "overview" });
  expect(readLine("2")).toEqual({ kind: "number", number: 2 });
  expect(readLine("nonsense")).toBeUndefined();
});

it.each([ENGLISH_LISTEN, GERMAN_LISTEN])("the help names every key: $language", ({ help }) => {
  const named = new Set(help.match(/(?<![\p{L}])[a-zA-Z?+-](?![\p{L}])/gu));
  const silent = new Set([" ", "=", "?", "h", "\u0003", "\u0004"]);
  for (const key of Object.keys(KEYS)) if (!silent.has(key)) expect(named, `the key ${key}`).toContain(key);
});
