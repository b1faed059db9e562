import { readdirSync, readFileSync } from "node:fs";
import type { JsonValue } from "../src/json.ts";
import type { ProtocolName, Severity } from "../src/rule.ts";

/** A case of the documents in conformance/, whose README describes the members. */
export interface ConformanceCase {
  readonly name: string;
  readonly description: string;
  readonly rules: readonly string[];
  readonly valid: boolean;
  readonly findings: readonly { readonly rule: string; readonly severity: Severity }[];
  readonly recording: readonly JsonValue[];
}

/** A case with everything a test needs to run it. */
export interface PlayableCase extends ConformanceCase {
  /** `aaep/valid/whole-session` */
  readonly id: string;
  readonly protocol: ProtocolName;
  /** The recording as JSONL lines. */
  readonly lines: readonly string[];
}

const FOLDER = new URL("../../../conformance/", import.meta.url);

/** Every case of every document. */
export const CONFORMANCE_CASES: readonly PlayableCase[] = readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".json"))
  .sort()
  .flatMap((file) => {
    const { protocol, cases } = JSON.parse(readFileSync(new URL(file, FOLDER), "utf8")) as {
      readonly protocol: ProtocolName;
      readonly cases: readonly ConformanceCase[];
    };
    return cases.map((one) => ({
      ...one,
      id: `${protocol}/${one.name}`,
      protocol,
      lines: one.recording.map((entry) => (typeof entry === "string" ? entry : JSON.stringify(entry))),
    }));
  });

/** The recording of one case as the text of a JSONL file. */
export function conformanceRecording(id: string): string {
  const found = CONFORMANCE_CASES.find((one) => one.id === id);
  if (found === undefined) throw new Error(`There is no conformance case ${id}.`);
  return found.lines.map((line) => `${line}\n`).join("");
}
