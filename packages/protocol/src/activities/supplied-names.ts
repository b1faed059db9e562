import type { TokenAmounts } from "./activity.ts";

/** A number that a session or an event has once. */
export type NumberSlot = Exclude<keyof TokenAmounts, "counts" | "presumed"> | "cost" | "contextTokens" | "contextLimit" | "contextPercent";
export type TextSlot = "model" | "provider" | "workspace" | "parent";

export type SuppliedName =
  | {
      readonly number: NumberSlot;
      /** The counting basis given by the name itself. */
      readonly says: "total" | "delta" | "neither";
      /** An amount of money without a currency in its name: US dollars, unless a sibling `currency` says otherwise. */
      readonly bare?: true;
    }
  | { readonly text: TextSlot }
  /** An object with numbers inside, read with its own table. */
  | { readonly inside: NameTable };

export type NameTable = ReadonlyMap<string, SuppliedName>;

type Entry = readonly [name: string, SuppliedName];
const numbers = (number: NumberSlot, ...names: readonly string[]): Entry[] => names.map((name) => [name, { number, says: "neither" }]);
const totals = (number: NumberSlot, ...names: readonly string[]): Entry[] => names.map((name) => [name, { number, says: "total" }]);
const deltas = (number: NumberSlot, ...names: readonly string[]): Entry[] => names.map((name) => [name, { number, says: "delta" }]);
const texts = (text: TextSlot, ...names: readonly string[]): Entry[] => names.map((name) => [name, { text }]);
const inside = (table: NameTable, ...names: readonly string[]): Entry[] => names.map((name) => [name, { inside: table }]);
const bare = (says: "total" | "neither", ...names: readonly string[]): Entry[] =>
  names.map((name) => [name, { number: "cost", says, bare: true }]);

/**
 * Names that protocols, vendors and users give to token usage, cost, model and location. They are looked up only in the agent's own
 * additions (metadata, metrics, extensions), never in tool inputs or outputs. The tables nest exactly three levels deep, whatever the
 * event contains.
 */
const AMOUNTS: readonly Entry[] = [
  ...numbers("cost", "cost_usd", "costUsd", "costUSD", "price_usd", "usd", "gen_ai.usage.cost"),
  ...totals("cost", "total_cost_usd", "totalCostUsd", "totalCostUSD", "session_cost_usd", "cumulative_cost_usd"),
  ...deltas("cost", "cost_usd_delta", "cost_delta_usd", "cost_delta"),
  ...bare("neither", "cost", "response_cost"),
  ...bare("total", "total_cost", "totalCost", "cumulative_cost"),

  ...numbers("total", "total_tokens", "totalTokens", "tokens_used", "token_count", "totalTokenCount", "gen_ai.usage.total_tokens"),
  ...totals("total", "token_spend", "tokens_total", "session_tokens", "cumulative_tokens"),
  ...deltas("total", "token_spend_delta", "tokens_delta", "token_delta"),
  ...numbers("input", "input_tokens", "inputTokens", "prompt_tokens", "promptTokens", "promptTokenCount", "tokens_in", "tokensIn"),
  ...numbers("input", "gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens"),
  ...totals("input", "total_input_tokens", "totalInputTokens"),
  ...numbers("output", "output_tokens", "outputTokens", "completion_tokens", "completionTokens", "candidatesTokenCount"),
  ...numbers("output", "tokens_out", "tokensOut", "gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens"),
  ...totals("output", "total_output_tokens", "totalOutputTokens"),
  ...numbers("cacheRead", "cache_read_tokens", "cacheReadTokens", "cache_read_input_tokens", "cacheReadInputTokens"),
  ...numbers("cacheRead", "cached_tokens", "cached_input_tokens", "cachedInputTokens", "cachedContentTokenCount"),
  ...numbers("cacheWrite", "cache_write_tokens", "cacheWriteTokens", "cache_creation_input_tokens", "cacheCreationInputTokens"),
  ...numbers("reasoning", "reasoning_tokens", "reasoningTokens", "thinking_tokens", "thoughtsTokenCount"),

  ...numbers("contextTokens", "context_tokens", "contextTokens"),
  ...numbers("contextLimit", "context_limit", "context_window_size", "context_window"),
  ...numbers("contextPercent", "context_usage_percent"),
];

const MODEL: readonly Entry[] = [
  ...texts("model", "model", "model_name", "modelName", "model_id", "modelId", "modelID", "llm", "llm_model"),
  ...texts("model", "gen_ai.request.model", "gen_ai.response.model"),
  ...texts("provider", "model_provider", "llm_provider", "providerID", "gen_ai.system", "gen_ai.provider.name"),
];

/** Details of a part: `prompt_tokens_details`, `cache`. */
const PARTS: NameTable = new Map([
  ...AMOUNTS,
  ...numbers("cacheRead", "read", "cache_read", "cached"),
  ...numbers("cacheWrite", "write", "cache_creation", "cache_write"),
  ...numbers("reasoning", "reasoning"),
]);

/** Inside `usage` and `tokens`, short names suffice. */
const USAGE: NameTable = new Map([
  ...AMOUNTS,
  ...MODEL,
  ...numbers("input", "input", "prompt"),
  ...numbers("output", "output", "completion"),
  ...numbers("total", "total"),
  ...numbers("reasoning", "reasoning"),
  ...inside(PARTS, "cache", "prompt_tokens_details", "input_tokens_details", "input_token_details"),
  ...inside(PARTS, "completion_tokens_details", "output_tokens_details", "output_token_details"),
]);

/** Inside `cost`, `total` is an amount of money. */
const COST: NameTable = new Map([
  ...AMOUNTS.filter(([, name]) => "number" in name && name.number === "cost"),
  ...numbers("cost", "total_usd", "amount_usd"),
  ...bare("neither", "total", "amount", "value"),
]);

/** A member that may be a number or an object has both readings. */
export const SUPPLIED_NAMES: NameTable = new Map([
  ...AMOUNTS,
  ...MODEL,
  ...texts("workspace", "cwd", "working_directory", "workingDirectory", "workspace", "workspace_path", "project_path", "project_dir"),
  ...texts("parent", "parent_session_id"),
  ...numbers("total", "tokens"),
]);
export const NESTED_NAMES: ReadonlyMap<string, NameTable> = new Map([
  ...["usage", "token_usage", "tokenUsage", "usage_metadata", "usageMetadata", "tokens"].map((name) => [name, USAGE] as const),
  ["cost", COST],
]);
