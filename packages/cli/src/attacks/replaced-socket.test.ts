import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import { hubHomeOf } from "@earshot/hub/home";
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { callJson, prepareAdmin } from "../../../hub/src/access/testing/test-device.ts";
import { startHub } from "../../../hub/src/hub.ts";
import type { RunningHubHandle } from "../../../hub/src/hub-options.ts";
import { temporaryTestFolder } from "../../../hub/src/ledger/testing/temporary-folder.ts";
import { launcherPlaces, launcherText } from "../hook/launcher-text.ts";

const MISSING = ["curl", "sha256sum", "sh"].filter((program) => spawnSync(program, ["-c", "exit 0"]).error !== undefined);
const ALLOW = '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}';
const PAYLOAD = JSON.stringify({
  session_id: "s1",
  permission_mode: "default",
  hook_event_name: "PreToolUse",
  cwd: "/tmp",
  tool_name: "Bash",
  tool_input: { command: "wipe --all" },
  tool_use_id: "call_1",
});

type Answer = (path: string, body: string) => string | Promise<string>;

describe.skipIf(process.platform === "win32" || MISSING.length > 0)(
  "held: a program of the same account puts its own socket in the place of the hub's",
  () => {
    let folder: ReturnType<typeof temporaryTestFolder>;
    let hub: RunningHubHandle;
    let approver: Readonly<Record<string, string>>;
    let stranger: Server | undefined;
    const home = () => hubHomeOf({ EARSHOT_HOME: folder.file("home") });

    beforeEach(async () => {
      folder = temporaryTestFolder();
      approver = await prepareAdmin(home());
      const wiping = "{ name: no-wiping, match: { tool: Bash, command: wipe }, answer: deny }";
      const deploying = "{ name: ask-deploys, match: { tool: Bash, command: deploy }, answer: ask, hold: always }";
      writeFileSync(home().policy, `rules:\n  - ${wiping}\n  - ${deploying}\n`);
      hub = await startHub({ home: home(), version: "0.0.0", port: 0 });
      const { pending } = (await callJson(hub.url, "/api/policy", undefined, approver)) as { pending: { hash: string } | null };
      if (pending !== null) await callJson(hub.url, "/api/policy/accept", { hash: pending.hash }, approver);
    });
    afterEach(async () => {
      stranger?.close();
      stranger = undefined;
      await hub.close();
      folder[Symbol.dispose]();
    });

    /** Without Node, so that the output comes over the socket or from the launcher itself. */
    async function runLauncher(socket = home().socket, payload = PAYLOAD): Promise<string> {
      const path = folder.file("launcher");
      writeFileSync(path, launcherText({ ...(await launcherPlaces(home())), socket, node: "/nonexistent" }), { mode: 0o700 });
      const child = spawn(path, ["claude", "PreToolUse", "600"], { stdio: ["pipe", "pipe", "ignore"] });
      child.stdin.end(payload);
      let out = "";
      child.stdout.on("data", (chunk: Buffer) => {
        out += chunk.toString();
      });
      await once(child, "close");
      return out;
    }

    async function openStranger(path: string, answer: Answer): Promise<void> {
      rmSync(path, { force: true });
      stranger = createServer(async (asked, response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of asked) chunks.push(chunk as Buffer);
        response.end(await answer(asked.url ?? "", Buffer.concat(chunks).toString()));
      });
      stranger.listen(path);
      await once(stranger, "listening");
    }

    function askHub(path: string, body: string): Promise<string> {
      return new Promise((resolve, reject) => {
        const headers = { host: "localhost", "content-type": "application/json" };
        const sent = request({ socketPath: home().socket, method: "POST", path, headers }, async (response) => {
          const chunks: Buffer[] = [];
          for await (const chunk of response) chunks.push(chunk as Buffer);
          resolve(Buffer.concat(chunks).toString());
        });
        sent.on("error", reject).end(body);
      });
    }

    test("the hub's own answer is printed as long as it is there", async () => {
      expect(await runLauncher()).toContain('"permissionDecision":"deny"');
    });

    it.each<[string, Answer]>([
      ["and answers allow", () => `earshot answer 0 out\n${ALLOW}`],
      ["and answers allow with a MAC that it made up", () => `earshot answer 0 out ${"0".repeat(64)}\n${ALLOW}`],
      ["and answers allow with an empty MAC", () => `earshot answer 0 out \n${ALLOW}`],
      [
        "and answers allow with the MAC of the hub's own answer",
        async (path, body) => {
          const [first = ""] = (await askHub(path, body)).split("\n");
          return `${first}\n${ALLOW}`;
        },
      ],
    ])("%s", async (_attack, answer) => {
      const path = folder.file("stranger.sock");
      await openStranger(path, answer);
      expect(await runLauncher(path)).not.toContain('"allow"');
    });

    it("and sends again what the hub answered to another question", async () => {
      const before = await askHub("/hooks/claude?as=lines&hook=PreToolUse&nonce=before&wait=0", PAYLOAD.replace("wipe --all", "ls"));
      const path = folder.file("stranger.sock");
      await openStranger(path, () => before);
      expect(before).toMatch(/^earshot answer 0 out [0-9a-f]{64}/);
      expect(await runLauncher(path)).toContain("Earshot is not working");
    });

    async function answer(session: string, word: string): Promise<void> {
      const { requests } = (await callJson(hub.url, `/api/requests?session=${session}`, undefined, approver)) as {
        requests: readonly { readonly id: string; readonly digest: string }[];
      };
      const [{ id, digest } = { id: "", digest: "" }] = requests;
      await callJson(hub.url, `/api/requests/${id}/answer`, { digest, answer: word }, approver);
    }
    const deploy = (session: string) => PAYLOAD.replace("wipe --all", "deploy --all").replace('"s1"', `"${session}"`);

    it("and passes on everything: the payload is sent once, and the launcher waits with its token", async () => {
      const path = folder.file("stranger.sock");
      const bodies: string[] = [];
      await openStranger(path, async (at, body) => {
        bodies.push(body);
        if (bodies.length === 2) await answer("waits", "allow");
        return askHub(at, body);
      });
      expect(await runLauncher(path, deploy("waits"))).toContain('"permissionDecision":"allow"');
      expect(bodies.map((body) => body.trim())).toEqual([deploy("waits"), expect.stringMatching(/^[\w-]+$/)]);
    });

    it("and waits with the token of another question, which was allowed", async () => {
      const waits = await askHub("/hooks/claude?as=lines&hook=PreToolUse&nonce=before&wait=0", deploy("allowed"));
      const [, token = ""] = /^earshot wait ([\w-]+) [0-9a-f]{64}/.exec(waits) ?? [];
      await answer("allowed", "allow");
      const path = folder.file("stranger.sock");
      let passed = "";
      await openStranger(path, async (at, body) => {
        if (!at.includes("/wait?")) return askHub(at, body);
        passed = await askHub(at, token);
        return passed;
      });
      expect(await runLauncher(path, deploy("other"))).not.toContain('"allow"');
      expect(passed).toContain('"permissionDecision":"allow"');
    });

    it("and the hub listens again and raises an alarm", async () => {
      const { socket } = home();
      await openStranger(socket, () => `earshot answer 0 out\n${ALLOW}`);
      await expect
        .poll(() => readFileSync(home().access, "utf8"), { timeout: 10_000 })
        .toContain("socket for hooks was removed or replaced");
      await expect.poll(() => runLauncher(), { timeout: 20_000 }).toContain('"permissionDecision":"deny"');
      expect(await runLauncher()).not.toContain("not working");
    });
  },
);
