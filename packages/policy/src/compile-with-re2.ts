import { RE2JS } from "re2js";
import { type CompiledPolicy, type CompileOptions, compileWith } from "./compile-policy.ts";
import type { PatternEngine } from "./match/text-pattern.ts";
import type { Policy } from "./policy.ts";

/** Linear in the text: what an agent says cannot stall it, and no pattern can. */
export const re2: PatternEngine = (source) => {
  const pattern = RE2JS.compile(source);
  return { whole: (text) => pattern.testExact(text), anywhere: (text) => pattern.test(text) };
};

/** Makes a policy ready to decide with, patterns and all. */
export function compilePolicy(policy: Policy, options: Omit<CompileOptions, "patterns">): CompiledPolicy {
  return compileWith(policy, { ...options, patterns: re2 });
}
