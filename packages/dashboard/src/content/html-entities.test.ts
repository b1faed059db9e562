import { expect, test } from "vitest";
import { decodeHTMLStrict } from "./html-entities.ts";

test("names that people write are read, and all others stay as they were written", () => {
  expect(["&amp;", "&lt;", "&hellip;", "&nosuch;", "&constructor;", "amp", "&amp"].map(decodeHTMLStrict)).toEqual([
    "&",
    "<",
    "…",
    "&nosuch;",
    "&constructor;",
    "amp",
    "&amp",
  ]);
});
