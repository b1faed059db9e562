import { open, readFile } from "node:fs/promises";
import { EarshotError, isObject, JSON_LIMITS, type JsonValue, PROBLEMS, type Severity } from "@earshot/protocol";
import type { FileProblem } from "./report.ts";

/** Recordings with expected findings: the format of the documents in `conformance/`. */
export interface ConformanceDocument {
  readonly cases: readonly ConformanceCase[];
}

export interface ConformanceCase {
  readonly name: string;
  /** A checker must report no error. */
  readonly valid: boolean;
  /** The findings that a checker must report at least. If empty in an invalid case: at least one error. */
  readonly findings: readonly ExpectedFinding[];
  /** The lines of the recording. */
  readonly lines: readonly string[];
  /** The case's first line in the document; 0 if its name is not written like JSON.stringify writes it. */
  readonly line: number;
}

interface ExpectedFinding {
  /** Rule id, or problem code for a problem without a rule. */
  readonly rule: string;
  readonly severity: Severity;
}

/** `cases` follows a few short members. The limit avoids reading a whole recording into memory. */
const HEAD_BYTES = 4096;

/** The document in a file, or undefined if the file is a recording. */
export async function readConformanceDocument(path: string): Promise<ConformanceDocument | undefined> {
  if (!(await mayBeDocument(path))) return undefined;
  const text = (await readFile(path, "utf8")).replace(/^\ufeff/, "");
  const value = parse(text);
  const list = isObject(value) ? value["cases"] : undefined;
  if (!Array.isArray(list)) return undefined;
  let offset = 0;
  let line = 1;
  return {
    cases: list.map((item, index) => {
      const found = readCase(item, index);
      const at = text.indexOf(JSON.stringify(found.name), offset);
      if (at < 0) return { ...found, line: 0 };
      line += text.slice(offset, at).split("\n").length - 1;
      offset = at;
      return { ...found, line };
    }),
  };
}

async function mayBeDocument(path: string): Promise<boolean> {
  try {
    await using file = await open(path);
    const { size } = await file.stat();
    if (size > JSON_LIMITS.maxCharacters) return false;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return /^\s*\{[\s\S]*"cases"\s*:/.test(buffer.toString("utf8", 0, bytesRead));
  } catch {
    return false; // reading it as a recording reports why it cannot be read
  }
}

function parse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined; // a recording, or broken: then reading it as a recording reports the line
  }
}

function readCase(item: JsonValue, index: number): Omit<ConformanceCase, "line"> {
  const refuse = (needs: string) =>
    new EarshotError({
      code: "FILE_UNREADABLE",
      message: `Case ${index + 1} needs ${needs}.`,
      hint: "conformance/README.md describes the format.",
    });
  if (!isObject(item)) throw refuse("to be an object");
  const { name, valid, findings = [], recording } = item;
  if (typeof name !== "string" || name === "") throw refuse('a "name"');
  if (typeof valid !== "boolean") throw refuse('"valid": true or false');
  if (!Array.isArray(recording)) throw refuse('a "recording", which is an array of events and messages');
  if (!Array.isArray(findings) || !findings.every(isFinding)) throw refuse('"findings" with a "rule" and a "severity" each');
  return {
    name,
    valid,
    findings: findings as unknown as readonly ExpectedFinding[],
    lines: recording.map((entry) => (typeof entry === "string" ? entry : JSON.stringify(entry))),
  };
}

function isFinding(value: JsonValue): boolean {
  return isObject(value) && typeof value["rule"] === "string" && ["error", "warning", "info"].includes(String(value["severity"]));
}

/** The differences between the findings in a case's recording and the findings that the case expects. */
export function compareWithCase({ name, valid, findings, line }: ConformanceCase, found: readonly FileProblem[]): readonly FileProblem[] {
  const errors = found.filter(({ severity }) => severity === "error");
  const missing = findings.filter(
    (one) => !found.some(({ rule, code, severity }) => one.rule === (rule ?? code) && one.severity === severity),
  );
  const differs = (rule: string | undefined, message: string): FileProblem => ({
    severity: "error",
    code: "CASE_DIFFERS",
    ...(rule === undefined ? {} : { rule }),
    line,
    case: name,
    message: `Case ${name}: ${message}`,
    hint: PROBLEMS.CASE_DIFFERS.help,
  });
  return [
    ...(valid ? errors : []).map(({ rule, code, line: at, message }) =>
      differs(rule, `no error is expected, but line ${at} has ${rule ?? code}: ${message}`),
    ),
    ...(!valid && findings.length === 0 && errors.length === 0 ? [differs(undefined, "an error is expected, but none was found.")] : []),
    ...missing.map(({ rule, severity }) =>
      differs(rule in PROBLEMS ? undefined : rule, `${rule} is expected (${severity}), but was not found.`),
    ),
  ];
}
