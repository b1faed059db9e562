import { describe, expect, test } from "vitest";
import { hearAop, severeRules } from "../../testing/aop.ts";
import type { JsonObject } from "../json.ts";
import { AOP_EXAMPLES } from "./examples.ts";
import { AOP_RULES, type AopRuleId } from "./rules.ts";

const ids = Object.keys(AOP_RULES) as AopRuleId[];

test("every rule has examples and every example has a rule", () => {
  expect(Object.keys(AOP_EXAMPLES).sort()).toEqual([...ids].sort());
});

describe.each(ids)("%s", (id) => {
  const { passes, fails } = AOP_EXAMPLES[id];
  const rule = AOP_RULES[id];

  test("has words for a person and a place in the document", () => {
    expect(rule.title).toMatch(/\.$/);
    expect(rule.hint.length).toBeGreaterThan(10);
    expect(rule.section).toMatch(/^(Event Types|Transport)/);
    expect(rule.exercisedBy.length > 0).toBe(rule.decided !== "live");
  });

  if ("told" in passes || "told" in fails) {
    test("is told in words, because only a live drive decides it", () => {
      expect(rule.decided).toBe("live");
      expect("told" in passes && "told" in fails).toBe(true);
    });
    return;
  }

  test("its passing example raises no error and no warning", () => {
    expect(hearAop(passes as readonly JsonObject[]).filter(({ severity }) => severity !== "info")).toEqual([]);
  });

  test("its passing example does not tell it", () => {
    expect(hearAop(passes as readonly JsonObject[]).map((told) => told.rule)).not.toContain(id);
  });

  test("its failing example tells it, and no other error", () => {
    const told = hearAop(fails as readonly JsonObject[]);
    expect(told.map((each) => each.rule)).toContain(id);
    expect(severeRules(told, "error").filter((each) => each !== id)).toEqual([]);
  });
});
