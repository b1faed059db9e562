import { RE2JS } from "re2js";
import { type CompiledPolicy, type CompileOptions, compileWith } from "./compile-policy.ts";
import type { PatternEngine } from "./match/text-pattern.ts";
import type { Policy } from "./policy.ts";

/** RE2 matches in time linear in the text, so neither an agent's text nor a pattern can stall it. */
export const compileRe2: PatternEngine = (source) => {
  const pattern = RE2JS.compile(source);
  return { whole: (text) => pattern.testExact(text), anywhere: (text) => pattern.test(text) };
};

/** Compiles a policy, including its patterns. */
export function compilePolicy(policy: Policy, options: Omit<CompileOptions, "patterns">): CompiledPolicy {
  return compileWith(policy, { ...options, patterns: compileRe2 });
}
