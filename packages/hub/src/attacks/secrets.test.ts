import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { redactText } from "../intake/redact-text.ts";
import { SECRETS } from "./testing/secrets.ts";

/** Whether six consecutive characters of the secret remain, apart from a common prefix. */
function leaks(text: string, secret: string): boolean {
  const body = secret.length > 24 ? secret.slice(12) : secret;
  for (let index = 0; index + 6 <= body.length; index++) if (text.includes(body.slice(index, index + 6))) return true;
  return false;
}

function readOutput(text: string): string {
  try {
    return (JSON.parse(text) as { readonly output: string }).output;
  } catch {
    return text; // what was masked had the closing quote in it
  }
}

const root = join(import.meta.dirname, "../../../..");
const SOURCE = /\.(?:ts|tsx|js|cjs|mjs|md|json|css|html)$/;
const MAX_FILE_BYTES = 100_000;

function filesIn(folders: readonly string[], isSkipped: (path: string) => boolean): readonly string[] {
  return folders
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((path) => join(folder, path)))
    .filter((path) => SOURCE.test(path) && !isSkipped(path) && statSync(join(root, path)).isFile());
}

/** The files in which something is masked. */
function maskedFiles(paths: readonly string[]): readonly string[] {
  return paths.flatMap((path) => {
    const lines = readFileSync(join(root, path), "utf8").split("\n");
    const hit = lines.find((line) => redactText(line).shapes.length > 0);
    return hit === undefined ? [] : [`${path}: ${redactText(hit).shapes.join()}: ${hit.trim().slice(0, 160)}`];
  });
}

describe("held: a secret is in what is posted", () => {
  it("of a known vendor, under a name that says so, in a command, an address, a header or base64: 95 of 100 are masked at least", () => {
    expect(SECRETS.length).toBeGreaterThan(500);
    const missed = SECRETS.flatMap(([kind, secret, write]) => {
      const text = write(secret);
      const kept = [
        redactText(text).text,
        readOutput(redactText(JSON.stringify({ output: text })).text),
        redactText(`$ ${text}\nok\n`).text,
      ];
      return kept.some((one) => leaks(one, secret)) ? [`${kind}: ${kept[0]}`] : [];
    });
    expect(missed.length / SECRETS.length, missed.join("\n")).toBeLessThanOrEqual(0.05);
  });

  test("of this repository's own files, at most 1 in 100 has a line that is masked", () => {
    // Tests contain planted secrets, and these files the shapes themselves.
    const isSkipped = (path: string) => /node_modules|\bdist\b|\.(?:test|scenario|deep|browser)\.|testing|secret|redact/.test(path);
    const files = filesIn(["packages", "docs", "examples", "tools", "bench"], isSkipped);
    const hits = maskedFiles(files);
    expect(files.length).toBeGreaterThan(1000);
    expect(hits.length / files.length, hits.join("\n")).toBeLessThanOrEqual(0.01);
  });

  test("of the files of the packages that it depends on, at most 1 in 100 too", () => {
    const isSkipped = (path: string) => path.includes("@earshot/") || /\btests?\b|fixtures|benchmarks/.test(path);
    const files = filesIn(["node_modules"], isSkipped).filter((path) => statSync(join(root, path)).size < MAX_FILE_BYTES);
    const hits = maskedFiles(files.filter((_, index) => index % 3 === 0));
    expect(files.length).toBeGreaterThan(3000);
    expect(hits.length / (files.length / 3), hits.join("\n")).toBeLessThanOrEqual(0.01);
  });
});

describe("not held: a secret is in what is posted", () => {
  it("that nothing names before it: a password in a table or by itself, hexadecimal digits alone, a list of bytes, a name that follows", () => {
    const texts = [
      "Falcon!4821xy",
      "| ana | Falcon!4821xy |",
      "4f1d9c0be27a5d3386aa90412b7c5e16",
      "[12, 250, 7, 91, 33]",
      "Use Winter2025! as the password.",
    ];
    expect(texts.map((text) => redactText(text).text)).toEqual(texts);
  });
});
