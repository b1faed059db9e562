import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { RecordingWriter } from "./recorder.ts";

const folder = mkdtempSync(join(tmpdir(), "earshot-recorder-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const noPrint = () => {};

it("writes one line per event into a new file that only its owner can read", () => {
  const path = join(folder, "1.jsonl");
  {
    using recorder = new RecordingWriter(path, noPrint);
    recorder.append('{"a":"é"}');
    recorder.flush();
    expect(readFileSync(path, "utf8")).toBe('{"a":"é"}\n');
    recorder.append("x".repeat(300_000));
    expect(recorder.isFull).toBe(true);
  }
  expect(statSync(path).size).toBe(11 + 300_001);
  if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(() => new RecordingWriter(path, noPrint)).toThrow("exists already");
  expect(() => new RecordingWriter(join(folder, "nowhere", "x.jsonl"), noPrint)).toThrow("cannot be written");
});
