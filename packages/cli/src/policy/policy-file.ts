import { readFileSync, statSync } from "node:fs";
import { basename } from "node:path";
import { hubHomeOf } from "@earshot/hub/home";
import { EMPTY_POLICY, type Policy, type PolicyReading, readPolicy } from "@earshot/policy";
import { EarshotError } from "@earshot/protocol/problem";

/** Rules in a file. */
export interface PolicyFile {
  readonly path: string;
  /** Null if there is no file and hence no rules. */
  readonly text: string | null;
  readonly reading: PolicyReading;
}

const LONGEST_BYTES = 1024 * 1024;

/** The named file, or this user's. Only the latter may be missing. */
export function readPolicyFile(given: string | undefined, kind: "user" | "repository" = "user"): PolicyFile {
  const path = given ?? hubHomeOf(process.env).policy;
  const text = readText(path, given === undefined);
  const reading: PolicyReading =
    text === null ? { ok: true, policy: EMPTY_POLICY, troubles: [] } : readPolicy({ text, file: basename(path), kind });
  return { path, text, reading };
}

/** The file's rules; throws if it has errors, and says how to list them. */
export function policyOf({ path, reading }: PolicyFile) {
  if (reading.ok) return reading.policy;
  const [first] = reading.troubles.filter(({ severity }) => severity === "error");
  throw new EarshotError({
    code: "WRONG_USAGE",
    message: `${path} has errors: line ${first?.line ?? 1}, ${first?.message ?? "it cannot be read"}`,
    hint: `earshot policy check ${path}`,
  });
}

function readText(path: string, mayBeMissing: boolean): string | null {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined && mayBeMissing) return null;
    if (stat?.isFile() !== true || stat.size > LONGEST_BYTES) throw new Error("It is no file of at most a megabyte.");
    return readFileSync(path, "utf8");
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : "unknown";
    throw new EarshotError({ code: "FILE_UNREADABLE", message: `${path} cannot be read: ${why}` }, { cause });
  }
}

/** The rules at a path; undefined if there are no readable ones. */
export function readPolicyAt(path: string): Policy | undefined {
  try {
    const text = readText(path, true);
    const reading = text === null ? undefined : readPolicy({ text, file: basename(path), kind: "user" });
    return reading?.ok === true ? reading.policy : undefined;
  } catch {
    return undefined; // reported by the caller
  }
}
