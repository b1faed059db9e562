import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openTestHub, type TestHub } from "../http/testing/test-hub.ts";
import { bashPayload } from "./testing/gate.ts";

let place: TestHub;

beforeAll(async () => {
  place = await openTestHub();
});
afterAll(() => place.close());

/** A hook of a launcher that was written when rules restricted actions. */
async function answerTo(command: string): Promise<string> {
  const url = `${place.hub.url}/hooks/claude?hook=PreToolUse&unreadable=ask`;
  const headers = { "content-type": "application/json", ...place.producer };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(bashPayload(command)) });
  return response.text();
}

it("a hub without rules leaves no action to an agent whose launcher knows rules", async () => {
  expect(await answerTo("ls")).toContain('"permissionDecision":"ask"');
});

it("rules that `earshot init` writes while the hub runs count for the next action", async () => {
  writeFileSync(place.home.policy, 'rules:\n  - { name: never, match: { command: "rm *" }, answer: deny, message: DENIED-BY-RULE }\n');
  expect(await answerTo("rm -rf src")).toContain("DENIED-BY-RULE");
  expect(await answerTo("ls")).not.toContain("permissionDecision");
});
