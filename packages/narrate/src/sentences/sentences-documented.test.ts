import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { exactAloud } from "../spelling/exact-aloud.ts";
import { speltAloud } from "../spelling/spelt-aloud.ts";
import { exampleTable, verbosityTable } from "../testing/example-table.ts";

const DOCUMENT = readFileSync(new URL("../../../../docs/implementers.md", import.meta.url), "utf8");

test("the examples of the document are what is said", () => {
  expect(DOCUMENT).toContain(exampleTable());
  expect(DOCUMENT).toContain(verbosityTable());
});

test("so is what it says about approving by ear", () => {
  for (const [text, language] of [
    ["rm -rf / tmp", "en"],
    ["rm -rf /tmp", "en"],
    ["rm -rf /tmp", "de"],
  ] as const)
    expect(DOCUMENT).toContain(exactAloud(text, language));
  expect(DOCUMENT).toContain(speltAloud("rm -rf", "en"));
  expect(DOCUMENT).toContain(speltAloud("rm -rf", "de"));
});
