import { describe, expect, test } from "vitest";
import type { JsonObject } from "../json.ts";
import { EVENT_BASIS, readSupplied, SESSION_BASIS, UNKNOWN_BASIS } from "./supplied.ts";

describe("names in use", () => {
  test.each<[who: string, place: JsonObject, tokens: object | undefined, costUsd: number | undefined]>([
    ["the documents of AOP, a call", { token_spend_delta: 7 }, { total: 7 }, undefined],
    [
      "Anthropic",
      { usage: { input_tokens: 1, output_tokens: 2, cache_read_input_tokens: 3, cache_creation_input_tokens: 4 } },
      { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 },
      undefined,
    ],
    [
      "OpenAI",
      {
        usage: {
          prompt_tokens: 1,
          completion_tokens: 2,
          total_tokens: 3,
          prompt_tokens_details: { cached_tokens: 1 },
          completion_tokens_details: { reasoning_tokens: 1 },
        },
      },
      { input: 1, output: 2, total: 3, cacheRead: 1, reasoning: 1 },
      undefined,
    ],
    [
      "Gemini",
      { usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 2, totalTokenCount: 3 } },
      { input: 1, output: 2, total: 3 },
      undefined,
    ],
    [
      "OpenCode",
      { cost: 0.5, tokens: { input: 1, output: 2, reasoning: 3, cache: { read: 4, write: 5 } } },
      { input: 1, output: 2, reasoning: 3, cacheRead: 4, cacheWrite: 5 },
      0.5,
    ],
    [
      "LangChain",
      { usage_metadata: { input_tokens: 1, output_tokens: 2, input_token_details: { cache_read: 3 } } },
      { input: 1, output: 2, cacheRead: 3 },
      undefined,
    ],
    ["OpenTelemetry", { "gen_ai.usage.input_tokens": 1, "gen_ai.usage.output_tokens": 2 }, { input: 1, output: 2 }, undefined],
    ["camel case", { inputTokens: 1, outputTokens: 2, cachedInputTokens: 3, costUsd: 0.1 }, { input: 1, output: 2, cacheRead: 3 }, 0.1],
    ["a cost in parts", { cost: { input: 0.1, output: 0.2, total: 0.3, currency: "USD" } }, undefined, 0.3],
    ["a plain number of tokens", { tokens: 12 }, { total: 12 }, undefined],
  ])("%s", (_who, place, tokens, costUsd) => {
    const supplied = readSupplied([place], EVENT_BASIS);
    expect(supplied.tokens).toEqual(tokens === undefined ? undefined : { ...tokens, counts: "delta" });
    expect(supplied.costUsd).toEqual(costUsd === undefined ? undefined : { value: costUsd, counts: "delta" });
  });
});

test("of a total and a delta the one that fits the place is told", () => {
  const both = { cost_usd: 0.1, total_cost_usd: 3, token_spend: 900, token_spend_delta: 20 };
  expect(readSupplied([both], EVENT_BASIS)).toMatchObject({
    costUsd: { value: 0.1, counts: "delta" },
    tokens: { total: 20, counts: "delta" },
  });
  expect(readSupplied([both], SESSION_BASIS)).toMatchObject({
    costUsd: { value: 3, counts: "total" },
    tokens: { total: 900, counts: "total" },
  });
});

test("what a name says holds in any place", () => {
  expect(readSupplied([{ total_cost_usd: 3, token_spend: 900 }], EVENT_BASIS)).toMatchObject({
    costUsd: { value: 3, counts: "total" },
    tokens: { total: 900, counts: "total" },
  });
  expect(readSupplied([{ token_spend_delta: 9, cost_delta: 1 }], SESSION_BASIS)).toMatchObject({
    costUsd: { value: 1, counts: "delta" },
    tokens: { total: 9, counts: "delta" },
  });
});

test("what nobody said is marked as presumed", () => {
  expect(readSupplied([{ cost_usd: 1, input_tokens: 2 }], UNKNOWN_BASIS)).toMatchObject({
    costUsd: { value: 1, counts: "delta", presumed: true },
    tokens: { input: 2, counts: "delta", presumed: true },
  });
  expect(readSupplied([{ token_spend_delta: 1, input_tokens: 2 }], UNKNOWN_BASIS).tokens).toEqual({ total: 1, input: 2, counts: "delta" });
});

test("the first place counts, and what is of a wrong kind is passed over", () => {
  expect(readSupplied([{ cost_usd: "1" }, undefined, { cost_usd: 2 }, { cost_usd: 3 }], EVENT_BASIS).costUsd?.value).toBe(2);
  const wrong = { cost_usd: -1, total_cost_usd: Number.NaN, input_tokens: Number.POSITIVE_INFINITY, usage: [1], tokens: "many", model: 4 };
  expect(readSupplied([wrong], EVENT_BASIS)).toEqual({});
});

test("money of another currency is not told as dollars", () => {
  expect(readSupplied([{ cost: 5, currency: "EUR" }], EVENT_BASIS).costUsd).toBeUndefined();
  expect(readSupplied([{ cost: { amount: 5, currency: "eur" } }], EVENT_BASIS).costUsd).toBeUndefined();
  expect(readSupplied([{ cost: 5, currency: "usd" }], EVENT_BASIS).costUsd?.value).toBe(5);
  expect(readSupplied([{ cost_usd: 5, currency: "EUR" }], EVENT_BASIS).costUsd?.value).toBe(5);
});

test("model, provider and folder are read too", () => {
  expect(readSupplied([{ llm: "gpt-9", model_provider: "openai", cwd: "/w" }], EVENT_BASIS)).toMatchObject({
    model: "gpt-9",
    provider: "openai",
    workspace: "/w",
  });
});
