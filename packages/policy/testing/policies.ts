import type { Places, PolicyInput } from "../src/asked.ts";
import type { CompiledPolicy } from "../src/compile-policy.ts";
import { compilePolicy } from "../src/compile-with-re2.ts";
import type { Policy } from "../src/policy.ts";
import { readPolicy } from "../src/read/read-policy.ts";

export const HOME = "/home/ann";
export const WORKSPACE = "/home/ann/app";
export const PLACES: Places = { home: HOME };

/** The policy in a text; throws its errors. */
export function policyOf(text: string, kind: "user" | "repository" = "user"): Policy {
  const reading = readPolicy({ text, file: "policy.yaml", kind });
  if (reading.ok) return reading.policy;
  throw new Error(reading.troubles.map(({ line, message }) => `${line}: ${message}`).join("\n"));
}

export function compiled(text: string, repository?: string): CompiledPolicy {
  const own = policyOf(text);
  return compilePolicy(own, { places: PLACES, ...(repository === undefined ? {} : { repository: policyOf(repository, "repository") }) });
}

/** A request of a shell tool in the workspace. */
export function bash(command: string, more: Partial<PolicyInput> = {}): PolicyInput {
  return { moment: "action", agent: "claude", tool: "Bash", toolType: "native", command, cwd: WORKSPACE, roots: [WORKSPACE], ...more };
}

/** A request of a file tool in the workspace. */
export function file(tool: string, path: string, access: "read" | "write" | "delete", more: Partial<PolicyInput> = {}): PolicyInput {
  return {
    moment: "action",
    agent: "claude",
    tool,
    toolType: "native",
    paths: [{ path, access }],
    cwd: WORKSPACE,
    roots: [WORKSPACE],
    ...more,
  };
}
