import { describe, expect, it } from "vitest";
import type { LedgerEntry } from "../ledger/ledger.ts";
import type { StoredRequest } from "../request.ts";
import { AskJoin } from "./past-asks.ts";

let position = 0;

function entry(type: string, value: object, more: Partial<LedgerEntry> = {}): LedgerEntry {
  position++;
  return {
    position,
    receivedAt: position,
    protocol: "aep",
    source: "producer",
    verified: true,
    session: "s",
    sessionKey: 1,
    kind: "event",
    agent: "claude",
    type,
    sequence: null,
    text: JSON.stringify(value),
    flags: [],
    redactions: [],
    ...more,
  };
}

const action = (id: string) => ({
  agent: { slug: "claude" },
  tool: { name: "Bash", type: "native" },
  action: { id, type: "tool_call", input: { command: "ls" } },
});

function request(id: string, moment: string): StoredRequest {
  const card = JSON.stringify({ asked: { facts: { moment } } });
  return {
    id,
    kind: "permission",
    position,
    protocol: "aep",
    source: "producer",
    session: "s",
    sessionKey: 1,
    openedAt: 0,
    deadlineAt: null,
    state: "open",
    card,
    digest: "d",
    settledBy: null,
  };
}

const decision = (id: string, state: string, word: string, by = "Ana's phone") =>
  entry("decision", { request: id, state, by, answer: JSON.stringify({ word }) }, { kind: "decision" });

describe("joining what was asked with what became of it", () => {
  it("takes request, decision and outcome for one thing", () => {
    const join = new AskJoin();
    expect(join.apply(entry("action.requested", action("a")), request("r", "action"))).toBeUndefined();
    expect(join.apply(decision("r", "answered-by-person", "allow"), undefined)).toBeUndefined();
    expect(join.apply(entry("action.completed", action("a")), undefined)).toMatchObject({
      asked: [{ moment: "action", tool: "Bash", command: "ls" }],
      past: { how: "person", word: "allow", by: "Ana's phone", outcome: "completed" },
    });
    expect([...join.rest()]).toEqual([]);
  });

  it.each([
    ["answered-by-policy", "policy: tests", "rule", "tests"],
    ["defaulted", "hub", "silence", "hub"],
    ["orphaned", "hub", "silence", "hub"],
    ["withdrawn", "hub", "elsewhere", "hub"],
  ])("tells %s for what it is", (state, by, how, name) => {
    const join = new AskJoin();
    join.apply(entry("action.requested", action("a")), request("r", "action"));
    join.apply(decision("r", state, "deny", by), undefined);
    expect([...join.rest()]).toMatchObject([{ past: { how, by: name } }]);
  });

  it("knows an action again that is shown first and asked about by the agent later", () => {
    const join = new AskJoin();
    join.apply(entry("action.requested", action("a")), undefined);
    join.apply(entry("action.requested", action("a")), request("r", "permission"));
    expect([...join.rest()]).toMatchObject([{ asked: [{ moment: "action" }, { moment: "permission" }], past: { how: "elsewhere" } }]);
  });

  it("keeps sessions apart that use the same ids, and passes over what belongs to nothing it knows", () => {
    const join = new AskJoin();
    join.apply(entry("action.requested", action("a")), undefined);
    expect(join.apply(entry("action.completed", action("a"), { sessionKey: 2 }), undefined)).toBeUndefined();
    expect(join.apply(decision("unknown", "answered-by-person", "allow"), undefined)).toBeUndefined();
    expect(join.apply(entry("action.requested", {}, { text: "" }), undefined)).toBeUndefined();
    expect([...join.rest()]).toMatchObject([{ past: { how: "agent" } }]);
  });
});
