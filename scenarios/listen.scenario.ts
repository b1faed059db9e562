import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type OwnHub, ownHub, PIN } from "../packages/cli/src/inbox/testing/own-hub.ts";
import { earshotInTerminal, HAS_PTY, type Pty } from "../packages/cli/src/inbox/testing/pty.ts";
import { LISTEN_ARMING_MS } from "../packages/cli/src/listen/answer-state.ts";
import { durationMs, readWav } from "../packages/cli/src/listen/voice/wav.ts";
import { confirmationNow } from "../packages/hub/src/requests/testing/asked-now.ts";
import { espeakIsMissing } from "../tools/espeak.ts";
import { startHub } from "./hub/hub-process.ts";
import { talk } from "./listen/talk.ts";

/** The maximum. */
const RATE = "900";

let folder: string;
let own: OwnHub;
beforeEach(async () => {
  own = await ownHub();
});
afterEach(() => own[Symbol.asyncDispose]());
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "earshot-listen-"));
  const wrapper = join(folder, "espeak-ng");
  writeFileSync(wrapper, `#!/bin/sh\nprintf '%s\\n' "$*" >> '${join(folder, "calls")}'\nPATH="\${PATH#*:}" exec espeak-ng "$@"\n`);
  chmodSync(wrapper, 0o755);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** `earshot listen` in a terminal, with texts shown for as long as they would be spoken. */
function listen(rate = RATE): Pty {
  return earshotInTerminal(["listen", "--lines", "--lang", "en", "--rate", rate], { home: own.home });
}

async function unlock(pty: Pty): Promise<void> {
  await pty.waitFor("in a browser): ");
  pty.type(`${PIN}\r`);
}

/** Presses keys until they take effect, since an unfinished announcement is repeated. */
async function pressUntil(pty: Pty, keys: string, taken: RegExp): Promise<string> {
  for (let tries = 0; tries < 100; tries++) {
    pty.type(keys);
    const shown = await pty.waitFor(new RegExp(`Not accepted|Nicht angenommen|${taken.source}`));
    if (taken.test(shown)) return shown;
    await pause(500);
  }
  throw new Error(`${keys} was never taken. There was: ${pty.shown()}`);
}

function linesAfter(pty: Pty, text: string): readonly string[] {
  const [, after = ""] = pty.shown().split(text);
  return after.split("\n").filter((line) => line !== "");
}

const hasVoice = HAS_PTY && !espeakIsMissing("what is heard with earshot listen");

describe.skipIf(!HAS_PTY)("listening in a terminal", () => {
  it("what may do harm takes the same number twice, and any other key leaves it", async () => {
    await using pty = listen();
    await unlock(pty);
    const id = await own.ask({ command: "rm -rf /" });
    await pty.waitFor("1 allow");
    await pressUntil(pty, "1", /Press 1 again for allow/);
    pty.type("d");
    await pty.waitFor("In the folder /home/ana/shop.");
    await pressUntil(pty, "1", /Press 1 again for allow/);
    expect(await own.read(`/api/requests/${id}`)).toMatchObject({ state: "open" });
    await pause(LISTEN_ARMING_MS);
    await pressUntil(pty, "2", /Answered: deny\./);
    expect(await own.heard(id)).toMatchObject({ control: { behavior: "deny" } });
    pty.type("\u0003");
    expect(await pty.ended).toBe(0);
  });

  it("the exact text differs where one space does", async () => {
    await using pty = listen();
    await unlock(pty);
    const spoken: string[] = [];
    for (const command of ["rm -rf / tmp", "rm -rf /tmp"]) {
      const id = await own.ask({ command });
      await pty.waitFor("1 allow");
      pty.type("e");
      spoken.push(/rm.*tmp/.exec(await pty.waitFor(/rm, .*tmp\n/))?.[0] ?? "");
      pty.type("p");
      spoken.push(await pty.waitFor(/Romeo, Mike, .*Papa/));
      await pressUntil(pty, "2", /Answered: deny\./);
      await own.heard(id);
    }
    expect(new Set(spoken).size).toBe(4);
    expect(spoken[0]).toContain("slash, space, tmp");
    expect(spoken[2]).toContain("slash tmp");
    pty.type("\u0003");
    await pty.ended;
  });

  it("what agents ask in their own words is answered by number, one after the other", async () => {
    await using pty = listen();
    await unlock(pty);
    await pty.waitFor("No agent is running.");
    const asks = { urgency: "critical", timeout_seconds: 3000 };
    const first = confirmationNow("sess_one", { producer: { agent_id: "query-doctor", agent_name: "Query doctor" } });
    const { action: _action, consequence: _consequence, default_decision: _default, ...rest } = confirmationNow("sess_two", asks);
    const choices = [
      { value: "north", label: "Northmill" },
      { value: "kraft", label: "Kraft and Sons" },
    ];
    const second = {
      ...rest,
      type: "aaep:agent.awaiting.clarification",
      question: "Which supplier?",
      accepted_response_kinds: ["multiple_choice"],
      choices,
    };
    await own.say(first);
    await pty.waitFor(/Query doctor asks: Drop the table .* 1 accept, 2 reject/);
    await own.say(second);
    await pty.waitFor(/Which supplier\?.* 1, Northmill; 2, Kraft and Sons/);
    await pause(LISTEN_ARMING_MS);
    pty.type("2");
    await pty.waitFor("Answered: Kraft and Sons.");
    pty.type("w");
    await pty.waitFor(/One waits\. Query doctor.*Drop the table/);
    await pause(LISTEN_ARMING_MS);
    pty.type("2");
    await pty.waitFor("Answered: reject.");
    pty.type("w");
    await pty.waitFor("No pending requests.");
    pty.type("\u0003");
    await pty.ended;
    const { requests } = (await own.read("/api/requests?limit=10")) as { requests: readonly { decision: { answer: object } }[] };
    expect(requests.map(({ decision }) => decision.answer)).toEqual([{ word: "reject" }, { word: "respond", response: "kraft" }]);
  });

  it.skipIf(!hasVoice)("a voice speaks German with --lang de, and a yes is accepted after the request was read to its end", async () => {
    const wav = join(folder, "german.wav");
    const env = { PATH: `${folder}:${process.env["PATH"]}` };
    const words = ["listen", "--voice", `file:${wav}`, "--rate", "600", "--lang", "de"];
    await using pty = earshotInTerminal(words, { home: own.home, env });
    await unlock(pty);
    await pty.waitFor("Fragezeichen nennt die Tasten.");
    const id = await own.ask({ command: "npm test" });
    await pty.waitFor(/Claude Code in shop will .* 1 erlauben, 2 ablehnen/);
    await pause(LISTEN_ARMING_MS);
    pty.type("1");
    await pty.waitFor("Nicht angenommen");
    // Counts as heard once something follows.
    await own.say(...someWork("side", 3));
    await pty.waitFor("Scout");
    await pressUntil(pty, "1", /Geantwortet: /);
    expect(await own.heard(id)).toMatchObject({ control: { behavior: "allow" } });
    pty.type("+");
    await pty.waitFor("620 Wörter pro Minute.");
    pty.type("\u0003");
    expect(await pty.ended).toBe(0);
    const calls = readFileSync(join(folder, "calls"), "utf8").split("\n");
    expect(calls).toContain("-s 600 -v de --stdin --stdout");
    expect(calls).toContain("-s 620 -v de --stdin --stdout");
    expect(calls.filter((call) => call.includes("-v en"))).toEqual([]);
    const sound = readWav(readFileSync(wav));
    expect(sound && durationMs(sound)).toBeGreaterThan(3000);
  });

  it("of 500 events at once what is critical is said first and all of it, and the rest is summed up", async () => {
    await using pty = listen("300"); // much slower than the events come in
    await unlock(pty);
    await pty.waitFor(/No agent is running\.|is running/);
    const id = await own.ask({ command: "git push --force" });
    const burst = [...someWork("burst", 480), ...[1, 2, 3].flatMap((one) => failure(`failing-${one}`, `Broken ${one}`))];
    const body = burst.map((event) => JSON.stringify(event)).join("\n");
    await fetch(`${own.hub.url}/v1/events`, {
      method: "POST",
      headers: { "content-type": "application/x-ndjson", ...own.producer },
      body,
    });
    await pty.waitFor("Sends commits");
    await pressUntil(pty, "2", /Answered: deny\./);
    expect(await own.heard(id)).toMatchObject({ control: { behavior: "deny" } });
    for (const one of [1, 2, 3]) if (!pty.shown().includes(`Broken ${one}`)) await pty.waitFor(`Broken ${one}`);
    pty.type("m");
    await pause(LISTEN_ARMING_MS);
    pty.type("\u0003");
    await pty.ended;
    const lines = linesAfter(pty, "the keys.");
    const lastCritical = lines.findLastIndex((line) => line.includes("Broken"));
    expect(lines.slice(0, lastCritical).filter((line) => /looks? up|search/i.test(line)).length).toBeLessThan(8);
    expect(lines.length).toBeLessThan(40);
  });
});

describe("listening without a terminal", () => {
  it("prints plain lines that begin with agent, project and verb; keys are lines; nothing is answered", async () => {
    const id = await own.ask({ command: "npm test" });
    await using lines = talk(["listen", "--lang", "en"], own.home);
    await lines.waitFor("1 allow");
    lines.type("1\n");
    await lines.waitFor(/Not accepted|needs a terminal/);
    await pause(LISTEN_ARMING_MS);
    lines.type("1\n");
    await lines.waitFor("needs a terminal");
    lines.type("w\n");
    await lines.waitFor("One waits.");
    expect(await lines.end()).toBe(0);
    const [first, second, third = ""] = lines.shown().split("\n");
    expect(first).toBe("Earshot listens, as lines: the output is no terminal.");
    expect(second).toMatch(/^Claude Code in shop waits for you/);
    expect(third.slice(0, 40)).toMatch(/^Claude Code in shop wants to /);
    expect(lines.shown()).not.toContain("\u001b");
    expect(await own.read(`/api/requests/${id}`)).toMatchObject({ state: "open" });
  });

  it("says that the hub is away and back, and goes on where it was", async () => {
    await using first = await startHub();
    const { home } = first;
    const port = Number(new URL(first.url).port);
    const say = async (text: string, sequence: number) => {
      const event = aop("away", sequence, "session.ended", { outcome: "failed", error_message: text });
      await fetch(`${first.url}/v1/events`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          authorization: `Bearer ${readFileSync(join(home, "producer.token"), "utf8").trim()}`,
        },
        body: JSON.stringify({ ...event, session_id: `away-${sequence}` }),
      });
    };
    await using lines = talk(["listen", "--lines", "--lang", "en", "--rate", "900"], home);
    await lines.waitFor("No agent is running.");
    await say("The first failure", 1);
    await lines.waitFor("The first failure");
    await first.kill("SIGKILL");
    await lines.waitFor("The hub is not connected.");
    await using _second = await startHub({ home, port });
    await say("The second failure", 2);
    await lines.waitFor("The hub is back.");
    await lines.waitFor("The second failure");
    expect(lines.shown().match(/The first failure/g)).toHaveLength(1);
    expect(await lines.end()).toBe(0);
  });

  it("replaces a voice that fails with lines, and says so once", async () => {
    await using lines = talk(["listen", "--voice", `${process.execPath} -e process.exit(3)`, "--lang", "en"], own.home);
    await lines.waitFor("No agent is running.");
    expect(await lines.end()).toBe(0);
    expect(lines.shown().match(/failed: it ended with exit code 3\. From now on, only lines are printed\./g)).toHaveLength(1);
  });
});

function someWork(session: string, events: number): readonly object[] {
  return Array.from({ length: events }, (_, index) => {
    const call = { tool_name: "web_search", tool_call_id: `c${index - (index % 2)}` };
    if (index === 0) return aop(session, 1, "session.started", { goal: "Look up prices" });
    return index % 2 === 0
      ? aop(session, index + 1, "operation.tool_start", { ...call, input: { query: `paper ${index}` } })
      : aop(session, index + 1, "operation.tool_end", { ...call, success: true, duration_ms: 10 });
  });
}

function failure(session: string, error: string): readonly object[] {
  return [
    aop(session, 1, "session.started", { goal: "Look up prices" }),
    aop(session, 2, "session.ended", { outcome: "failed", error_message: error }),
  ];
}

function aop(session: string, sequence: number, type: string, payload: object): object {
  return { spec: "aop/1.0", session_id: session, agent_id: "scout", sequence, timestamp: new Date().toISOString(), type, payload };
}
