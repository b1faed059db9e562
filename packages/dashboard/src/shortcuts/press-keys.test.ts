import { expect, it } from "vitest";
import { pressKeys, SEQUENCE_MS } from "./press-keys.ts";

const ALL = [{ keys: "?" }, { keys: "r" }, { keys: "g i" }, { keys: "g n" }];

it("a key means its shortcut, and any other nothing", () => {
  expect(pressKeys(ALL, undefined, { keys: "r", at: 0 })).toEqual({ found: { keys: "r" } });
  expect(pressKeys(ALL, undefined, { keys: "z", at: 0 })).toEqual({});
});

it("keys of a sequence follow each other, and not for ever", () => {
  const begun = { keys: "g", at: 10 };
  expect(pressKeys(ALL, undefined, { keys: "g", at: 10 })).toEqual({ next: begun });
  expect(pressKeys(ALL, begun, { keys: "i", at: 10 + SEQUENCE_MS })).toEqual({ found: { keys: "g i" } });
  expect(pressKeys(ALL, begun, { keys: "i", at: 11 + SEQUENCE_MS })).toEqual({});
});

it("a key that does not go on with a sequence means itself", () => {
  expect(pressKeys(ALL, { keys: "g", at: 0 }, { keys: "r", at: 5 })).toEqual({ found: { keys: "r" } });
});

it("of two with the same keys the newer one counts", () => {
  const newer = { keys: "r", does: "raw" };
  expect(pressKeys([...ALL, newer], undefined, { keys: "r", at: 0 }).found).toBe(newer);
});
