import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AccessGate } from "./gate.ts";
import { createAttackingAgent, SELF_APPROVAL_ATTEMPTS } from "./testing/agent-attempts.ts";
import type { Victim } from "./testing/victim.ts";
import { openVictimHere } from "./testing/victim-here.ts";

/** Negative control: a gate that lets every reader of the user's files decide. The product has no such switch. */
const { check } = AccessGate.prototype;
const spoiltCheck: typeof check = function (this: AccessGate, request, needs) {
  const decides = needs.access === "approver" || needs.access === "admin";
  const caller = check.call(this, request, decides ? { ...needs, access: "viewer" } : needs);
  return decides ? { ...caller, role: "admin" } : caller;
};

describe("with a gate that lets everybody decide who reads the user's files", () => {
  const TOLD_BY = [
    ["answers its own request with everything that could be a credential", "decisions"],
    ["makes itself a token", "approvers"],
    ["accepts its own rules over HTTP", "rules"],
    ["pauses, is away, is there, stops and lifts", "control"],
  ] as const;
  let victim: Victim;
  beforeAll(async () => {
    AccessGate.prototype.check = spoiltCheck;
    victim = await openVictimHere();
  });
  afterAll(async () => {
    await victim[Symbol.asyncDispose]();
    AccessGate.prototype.check = check;
  });

  it.each(TOLD_BY)("it would be noticed that an agent %s, by its %s", async (name, what) => {
    const before = await victim.snapshot();
    await SELF_APPROVAL_ATTEMPTS[name]?.(createAttackingAgent(victim), await victim.ask(), victim);
    const after = await victim.snapshot();
    expect(after[what]).not.toEqual(before[what]);
    // The answer to the same question also reveals a change.
    if (what === "rules") expect(after.answers).not.toEqual(before.answers);
  });
});
