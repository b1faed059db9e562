import { afterAll, beforeAll, expect, it } from "vitest";
import { type OwnHub, ownHub } from "../inbox/testing/own-hub.ts";

let own: OwnHub;
beforeAll(async () => {
  own = await ownHub();
});
afterAll(() => own[Symbol.asyncDispose]());

it("two inputs under one call id are an alarm that `earshot status` shows", async () => {
  for (const command of ["ls", "pwd"]) {
    const payload = { session_id: "s1", hook_event_name: "PreToolUse", cwd: "/work", tool_name: "Bash", tool_use_id: "call_0" };
    const body = JSON.stringify({ ...payload, tool_input: { command } });
    const headers = { ...own.producer, "content-type": "application/json" };
    const response = await fetch(`${own.hub.url}/hooks/claude?hook=PreToolUse`, { method: "POST", headers, body });
    expect(response.status).toBe(200);
  }
  const { stdout } = await own.plain(["status"]);
  expect(stdout).toMatch(/ALARM, .*: One call id came with two inputs/);
  expect(JSON.parse((await own.plain(["status", "--json"])).stdout)).toMatchObject({
    alarms: [{ message: expect.stringContaining("may decide") }, { message: expect.stringContaining("One call id") }],
  });
});
