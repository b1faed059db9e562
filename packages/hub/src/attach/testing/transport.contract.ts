import { expect, it } from "vitest";
import { confirmationEvent, testEvent } from "../../../../aaep/src/subscriber/testing/events.ts";
import { type LiveProducer, openLiveProducer } from "../../../../aaep/src/subscriber/testing/live-producer.ts";
import { until } from "../../../../aaep/src/subscriber/testing/until.ts";
import type { AttachedSource, AttachingHub } from "./attaching-hub.ts";

export const isoNow = () => new Date().toISOString();
export const toolEvent = (index: number) =>
  testEvent("tool.invoked", { tool: `step_${index}`, summary_normal: `Step ${index}.`, timestamp: isoNow() });
export const questionEvent = (token: string, more = {}) => confirmationEvent(token, { timestamp: isoNow(), ...more });

/** Polls, because the hub signals no completion that a test could wait for. */
export async function pollUntil<Value>(read: () => Promise<Value>, holds: (value: Value) => unknown): Promise<Value> {
  const end = performance.now() + 30_000;
  for (;;) {
    const value = await read();
    if (holds(value)) return value;
    if (performance.now() > end) throw new Error(`In vain: ${JSON.stringify(value).slice(0, 500)}`);
    await new Promise((done) => setTimeout(done, 20));
  }
}

export async function toolEntriesOf(attached: AttachedSource): Promise<readonly unknown[]> {
  const entries = await attached.entries();
  return entries.flatMap(({ text }) => {
    const { tool } = JSON.parse(text) as { tool?: string };
    return tool === undefined ? [] : [tool];
  });
}

const names = (count: number) => Array.from({ length: count }, (_one, index) => `step_${index}`);

/** The behavior of a hub toward a producer, for every transport. */
export function describeAttachingOver(urlOf: (live: LiveProducer) => string, hub: () => AttachingHub): void {
  it("is taken in as a source of its own, verified and as it was said", async () => {
    await using live = await openLiveProducer();
    await using attached = await hub().attach({ url: urlOf(live) });
    const { view } = attached;
    expect(view).toMatchObject({ state: "open", source: urlOf(live), agent: "Deploy bot", by: "the PIN", trouble: null });
    const said = testEvent("session.started", { summary_normal: "At work.", timestamp: isoNow() });
    live.say(said);
    const [entry] = await pollUntil(
      () => attached.entries(),
      (all) => all.length === 1,
    );
    expect(entry).toMatchObject({ source: urlOf(live), verified: true, session: "sess_1", agent: "deploy-bot" });
    expect(JSON.parse(entry?.text ?? "")).toEqual(said);
    expect(await attached.now()).toMatchObject({ id: view.id, events: 1 });
  });

  it("asks nobody where it says that it takes no answers: it is recorded, and that is all", async () => {
    await using live = await openLiveProducer({ offer: { takesConfirmations: false, takesClarifications: false } });
    await using attached = await hub().attach({ url: urlOf(live) });
    live.say(questionEvent("rpl_replayed"));
    live.say(toolEvent(0));
    await pollUntil(
      () => attached.entries(),
      (all) => all.length === 2,
    );
    expect(await attached.requests("open")).toEqual([]);
  });

  it("is missed nothing of and heard once, through cuts and restarts of either", async () => {
    await using live = await openLiveProducer();
    await using attached = await hub().attach({ url: urlOf(live) });
    for (let index = 0; index < 60; index++) {
      live.say(toolEvent(index));
      if (index % 10 === 3)
        await pollUntil(
          () => toolEntriesOf(attached),
          (all) => all.length > index - 3,
        );
      if (index === 15) live.cut();
      if (index === 25) await hub().restart();
      if (index === 35) await live.restart();
    }
    await pollUntil(
      () => toolEntriesOf(attached),
      (all) => all.length >= 60,
    );
    expect(await toolEntriesOf(attached)).toEqual(names(60));
  });

  it("asks, and hears what a person answers here", async () => {
    await using live = await openLiveProducer();
    await using attached = await hub().attach({ url: urlOf(live) });
    live.say(questionEvent("rpl_own1", { extra_context: { tool: "drop_table" } }));
    const [request] = await pollUntil(
      () => attached.requests("open"),
      (all) => all.length === 1,
    );
    expect(request).toMatchObject({ kind: "confirmation", source: urlOf(live) });
    expect(live.replies).toEqual([]);
    await attached.answer({ answer: "accept", reason: "It is the right one." });
    await until(() => live.replies.length === 1, "the reply");
    expect(live.replies[0]).toMatchObject({
      type: "confirmation.reply",
      reply_token: "rpl_own1",
      decision: "accept",
      decided_by: "user:the PIN",
      decision_rationale: "It is the right one.",
    });
  });

  it("asks something, and hears the words", async () => {
    await using live = await openLiveProducer();
    await using attached = await hub().attach({ url: urlOf(live) });
    live.say(
      testEvent("awaiting.clarification", {
        urgency: "critical",
        question: "Which region?",
        reply_token: "rpl_q",
        timeout_seconds: 300,
        timestamp: isoNow(),
        accepted_response_kinds: ["multiple_choice", "yes_no"],
        choices: [
          { value: "eu", label: "Europe" },
          { value: "us", label: "America" },
        ],
      }),
    );
    await pollUntil(
      () => attached.requests("open"),
      (all) => all.length === 1,
    );
    await attached.answer({ answer: "respond", response: "eu" });
    await until(() => live.replies.length === 1, "the reply");
    expect(live.replies[0]).toMatchObject({ type: "clarification.reply", reply_token: "rpl_q", response: "eu" });
  });

  it("hears an answer that was given while the connection was cut, or the hub away", async () => {
    await using live = await openLiveProducer();
    await using attached = await hub().attach({ url: urlOf(live) });
    live.say(questionEvent("rpl_cut"));
    await pollUntil(
      () => attached.requests("open"),
      (all) => all.length === 1,
    );
    await hub().restart();
    expect(await attached.requests("open")).toHaveLength(1);
    await pollUntil(
      () => attached.now(),
      (one) => one?.state === "open",
    );
    live.shut(true);
    live.cut();
    await pollUntil(
      () => attached.now(),
      (one) => one?.state === "cut" || one?.state === "connecting",
    );
    await attached.answer({ answer: "reject" });
    live.shut(false);
    await until(() => live.replies.length > 0, "the reply");
    expect(live.replies[0]).toMatchObject({ reply_token: "rpl_cut", decision: "reject" });
  });

  it("is told to stop, and its questions are refused", async () => {
    await using live = await openLiveProducer();
    await using attached = await hub().attach({ url: urlOf(live) });
    live.say(testEvent("session.started", { summary_normal: "At work.", timestamp: isoNow() }), questionEvent("rpl_s"));
    await pollUntil(
      () => attached.requests("open"),
      (all) => all.length === 1,
    );
    await hub().decide(`/api/sessions/sess_1/stop?source=${encodeURIComponent(attached.view.source)}`, { reason: "gone wild" });
    await until(() => live.others.length === 1, "the stop");
    expect(live.others[0]).toEqual({ type: "earshot:session.stop", session_id: "sess_1", reason: "gone wild" });
    await until(() => live.replies.length === 1, "the refusal");
    expect(live.replies[0]).toMatchObject({ reply_token: "rpl_s", decision: "reject" });
  });
}
