import { describe, expect, it } from "vitest";
import { hearAll } from "../../testing/aep.ts";
import type { JsonObject } from "../json.ts";
import type { Example } from "../rule.ts";
import { AEP_EXAMPLES } from "./examples.ts";
import { AEP_RULES, type AepRuleId } from "./rules.ts";

const ids = Object.keys(AEP_RULES) as AepRuleId[];

function isRecording(example: Example): example is readonly JsonObject[] {
  return Array.isArray(example);
}

describe("the AEP catalogue", () => {
  it("has examples for every rule and no others", () => {
    expect(Object.keys(AEP_EXAMPLES).sort()).toEqual([...ids].sort());
  });

  it.each(ids)("%s is well described", (id) => {
    const rule = AEP_RULES[id];
    expect(id).toMatch(/^aep\/[a-z]+(-[a-z]+)*$/);
    expect(rule.title).toMatch(/\.$/);
    expect(rule.hint).toMatch(/\.$/);
    expect(rule.exercisedBy.length > 0).toBe(rule.decided !== "live");
    expect(isRecording(AEP_EXAMPLES[id].passes)).toBe(rule.decided !== "live");
  });

  it.each(ids.filter((id) => AEP_RULES[id].decided !== "live"))("%s passes and fails as its examples say", (id) => {
    const { passes, fails } = AEP_EXAMPLES[id];
    if (!isRecording(passes) || !isRecording(fails)) throw new Error("not a recording");
    const clean = hearAll(passes).filter(({ finding }) => severityOf(finding.rule) !== "info");
    expect(clean).toEqual([]);
    expect(hearAll(passes).map(({ finding }) => finding.rule)).not.toContain(id);
    const told = hearAll(fails).map(({ finding }) => finding.rule);
    expect(told).toContain(id);
    expect(told.filter((rule) => rule !== id && severityOf(rule) === "error")).toEqual([]);
  });
});

function severityOf(rule: string): string | undefined {
  return (AEP_RULES as Readonly<Record<string, { readonly severity: string }>>)[rule]?.severity;
}
