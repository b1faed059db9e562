import { readFileSync, statSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { dirname } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { isProof, proveAnswerLines, proveHub } from "../hooks/hook-protocol.ts";
import { openTestHub } from "./testing/test-hub.ts";

const own = await openTestHub(({ policy }) =>
  writeFileSync(policy, "rules:\n  - { name: no, match: { command: 'wipe *' }, answer: deny }\n"),
);
const { home, hub } = own;
afterAll(own.close);
const PAYLOAD = JSON.stringify({
  session_id: "s1",
  hook_event_name: "PreToolUse",
  cwd: "/w",
  tool_name: "Bash",
  tool_input: { command: "wipe it" },
  tool_use_id: "t1",
});
const json = { "content-type": "application/json" };

function overSocket(
  path: string,
  body: string | undefined,
  headers: Record<string, string> = {},
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? "GET" : "POST";
    const sending = request(
      { socketPath: home.socket, path, method, headers: { host: "localhost", ...(body === undefined ? {} : json), ...headers } },
      (response) => {
        let text = "";
        response.on("data", (chunk: Buffer) => {
          text += chunk.toString();
        });
        response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
      },
    );
    sending.on("error", reject);
    sending.end(body);
  });
}

describe("the hub's socket", () => {
  it("lies where nobody else can knock, beside nothing else", () => {
    expect(statSync(dirname(home.socket)).mode & 0o777).toBe(0o700);
    expect(statSync(home.socket).mode & 0o777).toBe(0o600);
  });

  it("stands for a producer's credential, and for no other", async () => {
    expect(await overSocket("/hooks/claude?as=lines", PAYLOAD)).toMatchObject({ status: 200, text: expect.stringContaining('"deny"') });
    for (const path of ["/api/status", "/api/requests", "/api/sessions"])
      expect([path, (await overSocket(path, undefined)).status]).toEqual([path, 403]);
    expect((await overSocket("/api/pause", '{"forMs":1000}')).status).toBe(403);
    // A shown credential counts, even an invalid one.
    expect((await overSocket("/hooks/claude", PAYLOAD, { authorization: "Bearer nonsense" })).status).toBe(401);
    expect((await overSocket("/hooks/claude", PAYLOAD, { host: "evil.example" })).status).toBe(403);
    expect((await overSocket("/hooks/claude", PAYLOAD, { origin: "https://evil.example" })).status).toBe(403);
  });
});

describe("POST /hooks/AGENT over TCP", () => {
  it("asks for a producer, and answers as the agent reads it", async () => {
    expect((await fetch(`${hub.url}/hooks/claude`, { method: "POST", body: PAYLOAD, headers: json })).status).toBe(401);
    const answered = await fetch(`${hub.url}/hooks/claude?hook=PreToolUse`, {
      method: "POST",
      body: PAYLOAD,
      headers: { ...json, ...own.producer },
    });
    expect([answered.status, answered.headers.get("x-earshot-exit"), await answered.json()]).toEqual([
      200,
      "0",
      { hookSpecificOutput: expect.objectContaining({ permissionDecision: "deny" }) },
    ]);
    const unknown = await fetch(`${hub.url}/hooks/nobody`, { method: "POST", body: PAYLOAD, headers: { ...json, ...own.producer } });
    expect(unknown.status).toBe(404);
  });

  it("proves whose hub it is, and that it is its answer", async () => {
    const key = readFileSync(home.hookKey, "utf8").trim();
    const { proof } = (await (await fetch(`${hub.url}/hooks/proof?nonce=n1`)).json()) as { readonly proof: string };
    expect(isProof(proveHub(key, "n1", Number(new URL(hub.url).port)), proof)).toBe(true);
    const headers = { ...json, ...own.producer, "x-earshot-nonce": "n2" };
    const answered = await fetch(`${hub.url}/hooks/claude?as=lines`, { method: "POST", body: PAYLOAD, headers });
    const answer = await answered.text();
    const request = answered.headers.get("x-earshot-request") ?? "";
    expect(request).not.toBe("");
    expect(
      isProof(proveAnswerLines(key, { nonce: "n2", request, asked: PAYLOAD, answer }), answered.headers.get("x-earshot-proof") ?? ""),
    ).toBe(true);
  });
});
