import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { JsonObject } from "@earshot/protocol";
import { describe, expect, it } from "vitest";
import type { HookAnswer } from "../requests/api.ts";
import { type EngineBench, hookAsk, hookEventOf, openBench, rulesFor } from "../requests/testing/engine-bench.ts";

const REWRITTEN = "echo ghp_0123456789abcdefghijABCDEFGHIJ456789";
const RULES = rulesFor({
  "npm test": { behaviour: "allow" },
  "rm -rf": { behaviour: "deny", message: "Not here.", judged: { risk: "high", reversible: false } },
  "git push": { behaviour: "ask", judged: { risk: "medium" } },
  deploy: { behaviour: "ask", hold: "always", holdForMs: 120_000, unanswered: "deny", judged: { risk: "high" } },
  lint: { behaviour: "ask", hold: "never", unanswered: "allow" },
  wipe: { behaviour: "ask", hold: "never", unanswered: "allow", judged: { reversible: false } },
  later: { behaviour: "defer" },
  rewrite: { behaviour: "allow", updatedInput: { command: REWRITTEN } },
});
const command = (text: string, more: object = {}): JsonObject => {
  const event = hookEventOf(more);
  return { ...event, action: { ...(event["action"] as JsonObject), input: { command: text } } };
};
const ask = (bench: EngineBench, event: JsonObject, more: object = {}) => bench.hooks.ask(hookAsk(event, bench.clock.now, more), 0);
const code = (expected: string) => expect.objectContaining({ problem: expect.objectContaining({ code: expected }) });

function responseOf(answer: HookAnswer): Readonly<Record<string, Record<string, unknown>>> {
  if (answer.waits) throw new Error("It waits.");
  return answer.response as Readonly<Record<string, Record<string, unknown>>>;
}

async function theRequest(bench: EngineBench) {
  const [request] = await bench.engine.list({ limit: 1, before: Number.MAX_SAFE_INTEGER });
  if (request === undefined) throw new Error("There is no request.");
  return request;
}

describe("policy first", () => {
  it("answers what a rule speaks about, on disk before anybody hears it, and abstains from everything else", async () => {
    await using bench = await openBench(RULES);
    const allowed = command("npm test");
    const answer = await ask(bench, allowed);
    expect(responseOf(answer)).toMatchObject({
      request_event_id: allowed["id"],
      action_id: (allowed["action"] as JsonObject)["id"],
      control: { behavior: "allow" },
      decision: { outcome: "approved", by: "auto-policy" },
    });
    expect(await theRequest(bench)).toMatchObject({ state: "answered-by-policy", decision: { by: "policy: npm test" } });
    expect(responseOf(await ask(bench, command("rm -rf /")))).toMatchObject({
      control: { behavior: "deny", message: "Not here." },
      decision: { outcome: "denied" },
    });
    await bench.settled();
    const head = await bench.ledger.head();
    const left = await ask(bench, command("ls"));
    expect(left).toMatchObject({
      waits: false,
      request: null,
      response: { control: { behavior: "abstain" }, decision: { outcome: "info" } },
    });
    expect(await bench.ledger.head()).toBe(head + 1);
    expect(await bench.engine.list({ limit: 10 })).toHaveLength(2);
  });

  it("leaves request, response and outcome as one row, which fits together", async () => {
    await using bench = await openBench(RULES);
    const event = command("npm test");
    await ask(bench, event);
    await ask(bench, event);
    await bench.say([
      { ...event, id: "evt_done", type: "action.completed", action: { ...(event["action"] as JsonObject), status: "success" } },
    ]);
    const refused = command("rm -rf /");
    await ask(bench, refused);
    await bench.say([
      { ...refused, id: "evt_ran", type: "action.completed", action: { ...(refused["action"] as JsonObject), status: "success" } },
    ]);
    const { entries } = await bench.ledger.read({ after: 0, limit: 100 });
    expect(entries.map(({ kind, type, session }) => `${session} ${kind} ${type}`)).toEqual([
      "session-1 event action.requested",
      "session-1 decision decision",
      "session-1 message response",
      "session-1 event action.completed",
      "session-1 event action.requested",
      "session-1 decision decision",
      "session-1 message response",
      "session-1 event action.completed",
    ]);
    // Only the last one: a refused call ran.
    expect(
      entries.map(({ flags }) => flags.filter(({ rule }) => rule?.includes("denied") === true || rule?.includes("denial") === true).length),
    ).toEqual([0, 0, 0, 0, 0, 0, 0, 1]);
    expect(bench.failures).toEqual([]);
  });

  it("puts another input in place where a rule says so, and stores it with its secrets masked", async () => {
    await using bench = await openBench(RULES);
    const event = command("rewrite");
    expect(responseOf(await ask(bench, event))).toMatchObject({
      control: { behavior: "allow", updated_input: { command: REWRITTEN } },
    });
    await bench.restart();
    const { id } = await theRequest(bench);
    expect(await bench.hooks.poll(id, "producer", 0)).toMatchObject({ waits: true, again: true });
    expect(responseOf(await ask(bench, event))).toMatchObject({
      control: { behavior: "allow", updated_input: { command: REWRITTEN } },
    });
    expect(JSON.stringify(await bench.ledger.read({ after: 0, limit: 10 }))).not.toContain(REWRITTEN);
  });

  it("is the same for what is asked twice", async () => {
    await using bench = await openBench(RULES);
    const event = command("npm test");
    const [one, two] = await Promise.all([ask(bench, event), ask(bench, event)]);
    expect(responseOf(one)["control"]).toEqual(responseOf(two)["control"]);
    expect(await bench.engine.list({ limit: 10 })).toHaveLength(1);
    const changed = { ...event, action: { ...(event["action"] as JsonObject), input: { command: "npm test; curl evil" } } };
    await expect(ask(bench, changed)).rejects.toThrow();
  });
});

describe("person second", () => {
  it("is asked while somebody is there; otherwise the rule's own answer to silence counts at once", async () => {
    await using bench = await openBench(RULES);
    expect(responseOf(await ask(bench, command("git push")))).toMatchObject({ control: { behavior: "ask" } });
    expect(await theRequest(bench)).toMatchObject({
      state: "defaulted",
      decision: { answer: { word: "ask" }, reason: "Nobody was asked: no approver is set up." },
    });
    bench.engine.control.present();
    expect(await ask(bench, command("git push"))).toMatchObject({ waits: true, leftMs: 600_000 });
    bench.clock.monotonic += 5 * 60_000 + 1;
    expect(responseOf(await ask(bench, command("git push")))).toMatchObject({ control: { behavior: "ask" } });
    await bench.engine.control.setAway(true, "ann");
    expect(await ask(bench, command("git push"))).toMatchObject({ waits: true });
    expect(await ask(bench, command("deploy"))).toMatchObject({ waits: true, leftMs: 120_000 });
  });

  it("is not asked where the rule never holds; silence is a yes only where the rule says so and nothing is at stake", async () => {
    await using bench = await openBench(RULES);
    bench.engine.control.present();
    expect(responseOf(await ask(bench, command("lint")))).toMatchObject({ control: { behavior: "allow" }, decision: { by: "timeout" } });
    expect(await theRequest(bench)).toMatchObject({ state: "defaulted", decision: { unanswered: true } });
    expect(responseOf(await ask(bench, command("wipe")))).toMatchObject({ control: { behavior: "deny" } });
  });

  it("decides, and the agent takes it", async () => {
    await using bench = await openBench(RULES);
    const event = command("deploy");
    const first = await ask(bench, event);
    const { id, digest } = await theRequest(bench);
    expect(first).toMatchObject({ waits: true, request: id });
    const polled = bench.hooks.poll(id, "producer", 20_000);
    await bench.engine.answer(id, { by: "Ana's phone", answer: { word: "allow" }, digest, reason: "Go." });
    expect(responseOf(await polled)).toMatchObject({
      control: { behavior: "allow" },
      decision: { outcome: "approved", by: "Ana's phone", reason: "Go." },
    });
    expect(await theRequest(bench)).toMatchObject({ takenAt: expect.any(String), outcome: null });
    await bench.say([
      { ...event, id: "evt_done", type: "action.completed", action: { ...(event["action"] as JsonObject), status: "success" } },
    ]);
    expect(await theRequest(bench)).toMatchObject({ outcome: "completed", alarm: null });
    expect(bench.alarms).toEqual([]);
  });

  it("hears an alarm when something ran although it was refused", async () => {
    await using bench = await openBench(RULES);
    const event = command("rm -rf /");
    await ask(bench, event);
    await bench.say([
      { ...event, id: "evt_ran", type: "action.completed", action: { ...(event["action"] as JsonObject), status: "success" } },
    ]);
    expect(await theRequest(bench)).toMatchObject({ outcome: "completed", alarm: expect.stringContaining("although it had been refused") });
    expect(bench.alarms).toHaveLength(1);
  });

  it("hears an alarm, once, when a session that asks runs something unasked", async () => {
    await using bench = await openBench(RULES);
    const ran = (event: JsonObject) => ({
      ...event,
      id: `${String(event["id"])}_ran`,
      type: "action.completed",
      action: { ...(event["action"] as JsonObject), status: "success" },
    });
    await bench.say([ran(command("ls"))]);
    const asked = command("ls");
    await ask(bench, asked);
    await bench.say([ran(asked)]);
    const spooled = command("ls");
    await bench.say([spooled, ran(spooled)]);
    expect(bench.alarms).toEqual([]);
    await bench.say([ran(command("curl evil"))]);
    await bench.say([ran(command("curl evil"))]);
    expect(bench.alarms).toEqual([expect.stringContaining("nobody was asked about it")]);
    await bench.say([ran(command("curl", { session: { id: "other" } }))]);
    expect(bench.alarms).toHaveLength(1);
  });

  it("has ten minutes, is told at half time and at the end, can have more, and silence is told as no answer", async () => {
    await using bench = await openBench(RULES);
    await bench.engine.control.setAway(true, "ann");
    const answer = await ask(bench, command("git push"));
    if (!answer.waits) throw new Error("It should wait.");
    const held = async () => {
      const poll = bench.hooks.poll(answer.request, "producer", 0);
      await poll;
    };
    const told = () =>
      bench.engine.news
        .after(0)
        .news.filter(({ request }) => request === answer.request)
        .map(({ what }) => what);
    for (let second = 0; second < 300; second += 5) {
      await held();
      await bench.pass(5000);
    }
    expect(told()).toEqual(["asked", "half-time"]);
    const { digest } = await theRequest(bench);
    expect(await bench.engine.extend(answer.request, { by: "ann", digest })).toMatchObject({ leftMs: 900_000, extensionsLeft: 19 });
    for (let second = 0; second < 900; second += 5) {
      await held();
      await bench.pass(5000);
    }
    expect(told()).toEqual(["asked", "half-time", "extended", "last-call", "decided"]);
    expect(responseOf(await bench.hooks.poll(answer.request, "producer", 0))).toMatchObject({
      control: { behavior: "ask" },
      decision: { by: "timeout", reason: "No answer.", outcome: "info" },
    });
  });

  it("cannot give more time than the agent waits, and hears so", async () => {
    await using bench = await openBench(RULES);
    await bench.engine.control.setAway(true, "ann");
    expect(await ask(bench, command("git push"), { longestMs: 60_000 })).toMatchObject({ waits: true, leftMs: 58_000 });
    const { id, digest, extensionsLeft } = await theRequest(bench);
    expect(extensionsLeft).toBe(0);
    await expect(bench.engine.extend(id, { by: "ann", digest })).rejects.toEqual(code("NOT_EXTENDABLE"));
  });
});

describe("somebody who has stopped waiting", () => {
  it("leaves a card without buttons after two missed polls, and finds it again when it comes back", async () => {
    await using bench = await openBench(RULES);
    await ask(bench, command("deploy"));
    const { id, digest } = await theRequest(bench);
    await bench.pass(9999);
    expect(await theRequest(bench)).toMatchObject({ waits: true });
    await bench.pass(1);
    expect(await theRequest(bench)).toMatchObject({
      state: "open",
      waits: false,
      closedBecause: "The agent no longer waits for an answer.",
    });
    await expect(bench.engine.answer(id, { by: "ann", answer: { word: "allow" }, digest })).rejects.toEqual(code("NOBODY_WAITS"));
    await bench.hooks.poll(id, "producer", 0);
    expect(await theRequest(bench)).toMatchObject({ waits: true });
    await bench.pass(10_000);
    await bench.pass(120_000);
    expect(await theRequest(bench)).toMatchObject({ state: "orphaned", decision: { unanswered: true } });
  });

  it("asks again after a restart, because the input is not on disk, and is the same request", async () => {
    await using bench = await openBench(RULES);
    const event = command("deploy");
    await ask(bench, event);
    const { id, digest } = await theRequest(bench);
    await bench.restart(1000);
    expect(await theRequest(bench)).toMatchObject({ id, waits: false });
    expect(await bench.hooks.poll(id, "producer", 0)).toMatchObject({ waits: true, again: true });
    expect(await ask(bench, event)).toMatchObject({ waits: true, again: false, request: id, leftMs: 119_000 });
    await bench.engine.answer(id, { by: "ann", answer: { word: "allow" }, digest });
    expect(responseOf(await bench.hooks.poll(id, "producer", 0))).toMatchObject({ control: { behavior: "allow" } });
    await bench.restart();
    // An allow is only given to an asker that shows the action again.
    expect(await bench.hooks.poll(id, "producer", 0)).toMatchObject({ waits: true, again: true });
    expect(responseOf(await ask(bench, event))).toMatchObject({ control: { behavior: "allow" } });
  });
});

describe("what the agent itself asks", () => {
  it("becomes a request without any rule: beside its dialog always, before it only while somebody listens", async () => {
    await using bench = await openBench();
    expect(await ask(bench, command("ls"), { asksItself: true, besideDialog: true })).toMatchObject({ waits: true });
    expect(responseOf(await ask(bench, command("ls"), { asksItself: true }))).toMatchObject({ control: { behavior: "abstain" } });
    bench.engine.control.present();
    expect(await ask(bench, command("ls"), { asksItself: true })).toMatchObject({ waits: true });
  });

  it("is closed as such when somebody answered at the terminal", async () => {
    await using bench = await openBench();
    const event = command("ls");
    await ask(bench, event, { asksItself: true, besideDialog: true });
    await bench.say([
      { ...event, id: "evt_ran", type: "action.completed", action: { ...(event["action"] as JsonObject), status: "success" } },
    ]);
    expect(await theRequest(bench)).toMatchObject({ state: "withdrawn", outcome: "completed", alarm: null });
    const other = command("ls");
    await ask(bench, other, { asksItself: true, besideDialog: true });
    const denied = { ...other, id: "evt_denied", type: "action.denied", decision: { outcome: "denied", by: "user" } };
    await bench.say([denied]);
    expect(await theRequest(bench)).toMatchObject({ state: "withdrawn", decision: { reason: "It was denied at the agent's own dialog." } });
  });
});

describe("an input with a secret in it", () => {
  const secret = "ghp_0123456789abcdefghijABCDEFGHIJ456789";
  const event = () => {
    const said = hookEventOf();
    return { ...said, action: { ...(said["action"] as JsonObject), input: { command: `deploy --token ${secret}`, note: "now" } } };
  };

  it("is shown masked, is nowhere on disk, and reaches the agent whole when a part of it is edited", async () => {
    await using bench = await openBench(RULES);
    const answer = await ask(bench, event());
    const { id, digest, card } = await theRequest(bench);
    expect(JSON.stringify(card)).not.toContain(secret);
    expect(card.asked.masked).toEqual([{ pointer: "/command" }]);
    const edit = (pointer: string, value: string) => ({
      by: "ann",
      digest,
      answer: { word: "allow" as const, edit: [{ pointer, value }] },
    });
    await expect(bench.engine.answer(id, edit("/command", "ls"))).rejects.toEqual(code("ANSWER_INVALID"));
    await expect(bench.engine.answer(id, edit("", "ls"))).rejects.toEqual(code("ANSWER_INVALID"));
    await expect(bench.engine.answer(id, edit("/none", "ls"))).rejects.toEqual(code("ANSWER_INVALID"));
    await expect(bench.engine.answer(id, edit("/note", secret))).rejects.toEqual(code("ANSWER_INVALID"));
    await bench.engine.answer(id, edit("/note", "tomorrow"));
    const released = responseOf(await bench.hooks.poll(answer.waits ? answer.request : "", "producer", 0));
    expect(released).toMatchObject({
      control: { behavior: "allow", updated_input: { command: `deploy --token ${secret}`, note: "tomorrow" } },
    });
    await bench.ledger.close();
    const folder = dirname(bench.path);
    for (const name of readdirSync(folder)) expect(readFileSync(join(folder, name)).includes(secret), name).toBe(false);
  });

  it("has another digest when only the secret is another", async () => {
    await using bench = await openBench(RULES);
    await ask(bench, event());
    const first = await theRequest(bench);
    const other = event();
    await ask(bench, {
      ...other,
      action: { ...other.action, input: { ...other.action.input, command: `deploy --token ${secret.replace("0123", "3210")}` } },
    });
    const second = await theRequest(bench);
    expect(second.card.asked.input).toEqual(first.card.asked.input);
    expect(second.digest).not.toBe(first.digest);
  });
});

describe("deferred, paused, stopped", () => {
  it("a deferred action stays listed, and what is decided later answers the same question when it comes again", async () => {
    await using bench = await openBench(RULES);
    await ask(bench, command("deploy"));
    const { id, digest } = await theRequest(bench);
    await bench.engine.answer(id, { by: "ann", answer: { word: "defer" }, digest });
    expect(bench.engine.control.view().deferred).toEqual([id]);
    await bench.engine.answer(id, { by: "ann", answer: { word: "allow" }, digest, keep: true });
    expect(bench.engine.control.view()).toMatchObject({ deferred: [], kept: [{ request: id }] });
    expect(responseOf(await ask(bench, command("deploy")))).toMatchObject({ control: { behavior: "allow" }, decision: { by: "ann" } });
    expect(await ask(bench, command("deploy"))).toMatchObject({ waits: true });
  });

  it("while it is paused everything abstains, also what a rule would refuse", async () => {
    await using bench = await openBench(RULES);
    await bench.engine.control.pause(60_000, "ann", "Enough.");
    expect(responseOf(await ask(bench, command("rm -rf /")))).toMatchObject({
      control: { behavior: "abstain" },
      decision: { reason: "Earshot is paused." },
    });
    await bench.pass(60_000);
    expect(responseOf(await ask(bench, command("rm -rf /")))).toMatchObject({ control: { behavior: "deny" } });
  });

  it("every hook of a stopped session is answered stop, whatever the rules say and also while paused", async () => {
    await using bench = await openBench(RULES);
    const target = { protocol: "aep", source: "producer", session: "session-1" };
    await ask(bench, command("deploy"));
    await bench.engine.stop(target, "ann");
    expect(await theRequest(bench)).toMatchObject({ state: "answered-by-person", decision: { answer: { word: "stop" } } });
    await bench.engine.control.pause(60_000, "ann", "Enough.");
    expect(responseOf(await ask(bench, command("npm test")))).toMatchObject({
      control: { behavior: "stop", message: "This session was stopped by ann." },
    });
    expect(responseOf(await ask(bench, command("npm test", { session: { id: "session-2" } })))).toMatchObject({
      control: { behavior: "abstain" },
    });
    await bench.engine.control.lift(target, "ann");
    await bench.engine.control.pause(0, "ann", "");
    expect(responseOf(await ask(bench, command("npm test")))).toMatchObject({ control: { behavior: "allow" } });
  });

  it("the fifty-first question of a session is refused with a reason", async () => {
    await using bench = await openBench(RULES);
    for (let index = 0; index < 50; index++) await ask(bench, command("deploy"));
    await expect(ask(bench, command("deploy"))).rejects.toEqual(code("TOO_MANY_OPEN"));
    await expect(ask(bench, command("npm test"))).rejects.toEqual(code("TOO_MANY_OPEN"));
    expect(responseOf(await ask(bench, command("rm -rf /")))).toMatchObject({ control: { behavior: "deny" } });
  });
});
