// biome-ignore-all lint/performance/noBarrelFile: the entry for hooks: loads neither the YAML reader nor the pattern engine
export type { Places, PolicyInput } from "./asked.ts";
export { type CompiledPolicy, type CompileOptions, compileWith, usesPatterns } from "./compile-policy.ts";
export { decideByPolicy } from "./decide.ts";
export type { PatternEngine } from "./match/text-pattern.ts";
export { EMPTY_POLICY, type Policy, type PolicyRule } from "./policy.ts";
export type { PolicyDecision } from "./ruling.ts";
export { readToolInput, type ToolInput } from "./tool-input.ts";
