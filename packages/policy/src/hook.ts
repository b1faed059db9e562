// biome-ignore-all lint/performance/noBarrelFile: the entry for hooks: loads neither the YAML reader nor the pattern engine
export type { Asked, Places } from "./asked.ts";
export { type CompiledPolicy, type CompileOptions, compileWith, usesPatterns } from "./compile-policy.ts";
export { decide } from "./decide.ts";
export type { PatternEngine } from "./match/text-pattern.ts";
export { NO_RULES, type Policy, type PolicyRule } from "./policy.ts";
export type { Ruling } from "./ruling.ts";
export { readToolInput, type ToolInput } from "./tool-input.ts";
