import { type CompiledPolicy, type CompileOptions, compileWith } from "./compile-policy.ts";
import { re2 } from "./match/re2.ts";
import type { Policy } from "./policy.ts";

/** Makes a policy ready to decide with, patterns and all. */
export function compilePolicy(policy: Policy, options: Omit<CompileOptions, "patterns">): CompiledPolicy {
  return compileWith(policy, { ...options, patterns: re2 });
}
