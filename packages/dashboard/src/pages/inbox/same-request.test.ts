import { describe, expect, it } from "vitest";
import { type SampleParts, sampleRequest } from "../../words/testing/sample-request.ts";
import { kindOfRequest } from "./same-request.ts";

describe("requests that may be decided together", () => {
  const kind = (parts: SampleParts) => kindOfRequest(sampleRequest(parts));
  it("are the same for every asker and session", () => {
    expect(kind({})).toBeDefined();
    expect(kind({ asked: { session: "session-2" }, view: { id: "req_2", digest: "digest-2" } })).toBe(kind({}));
    expect(kind({ asked: { input: { command: "npm test -- cart" } } })).not.toBe(kind({}));
    expect(kind({ asked: { facts: { moment: "permission", workspace: { cwd: "/home/ana/other" } } } })).not.toBe(kind({}));
    expect(kind({ asked: { risk: "medium" } })).toBeDefined();
  });

  it.each<[string, SampleParts]>([
    ["of high risk", { asked: { risk: "high" } }],
    ["known to do harm", { asked: { input: { command: "git push --force" } } }],
    ["not to be undone", { asked: { irreversible: true } }],
    ["not to be inspected", { asked: { input: { command: 'eval "$(x)"' } } }],
    ["of something that nothing is known about", { asked: { title: "launch", input: { where: "here" } } }],
    ["with something masked", { asked: { masked: [{ pointer: "/command" }] } }],
    ["for words", { asked: { kind: "clarification" } }],
    ["that nobody waits for", { view: { waits: false } }],
  ])("are never those %s", (_what, parts) => {
    expect(kind(parts)).toBeUndefined();
  });
});
