import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { bash, policyOf } from "../testing/policies.ts";
import { compileWith, decideByPolicy, usesPatterns } from "./hook.ts";

/** Every module that a file loads; modules of other packages by name. */
function loadedWith(path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  const text = readFileSync(path, "utf8");
  for (const [, types, from = ""] of text.matchAll(/^(?:import|export) (type )?[^;]*?from "([^"]+)";/gms)) {
    if (types !== undefined) continue;
    if (from.startsWith(".")) loadedWith(join(dirname(path), from), seen);
    else seen.add(from);
  }
  return seen;
}

const HERE = "packages/policy/src";

describe("what a hook loads", () => {
  it("is neither a YAML reader, nor an engine for patterns, nor anything of Node's", () => {
    expect([...loadedWith(`${HERE}/hook.ts`)].filter((name) => !name.startsWith(HERE)).sort()).toEqual([
      "@earshot/protocol/coding-agents",
      "@earshot/protocol/json",
      "unbash",
    ]);
  });

  it("is pure as a whole", () => {
    const others = [...loadedWith(`${HERE}/index.ts`)].filter((name) => !name.startsWith(HERE));
    expect(others.sort()).toEqual([
      "@earshot/protocol/coding-agents",
      "@earshot/protocol/json",
      "@earshot/protocol/nearest",
      "re2js",
      "unbash",
      "yaml",
    ]);
  });

  it("decides with a policy that was read elsewhere and written as JSON", () => {
    const policy = JSON.parse(JSON.stringify(policyOf("extends: guard"))) as ReturnType<typeof policyOf>;
    expect(usesPatterns(policy)).toBe(false);
    const compiled = compileWith(policy, { places: { home: "/home/ann" } });
    expect(decideByPolicy(compiled, bash("git push -f")).rule?.name).toBe("guard/destructive");
  });

  it("says when it needs an engine, and restricts without one", () => {
    const policy = policyOf("rules: [{ name: no, match: { tool: { regex: x } }, answer: deny }]");
    expect(usesPatterns(policy)).toBe(true);
    expect(decideByPolicy(compileWith(policy, { places: {} }), bash("ls")).behaviour).toBe("deny");
    const loose = policyOf("rules: [{ name: yes, match: { tool: { regex: Bash } }, answer: allow }]");
    expect(decideByPolicy(compileWith(loose, { places: {} }), bash("ls")).behaviour).toBe("abstain");
  });
});
