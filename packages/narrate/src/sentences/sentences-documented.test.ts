import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { spellExactly } from "../spelling/spell-exactly.ts";
import { spellLetters } from "../spelling/spell-letters.ts";
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
    expect(DOCUMENT).toContain(spellExactly(text, language));
  expect(DOCUMENT).toContain(spellLetters("rm -rf", "en"));
  expect(DOCUMENT).toContain(spellLetters("rm -rf", "de"));
});
