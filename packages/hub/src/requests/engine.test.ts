import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import type { RequestAnswer } from "./answer.ts";
import { aaepEvent, BENCH_START_MS, confirmationRequested, type EngineBench, openBench } from "./testing/engine-bench.ts";

const YES: RequestAnswer = { word: "accept" };
const NO: RequestAnswer = { word: "reject" };
const code = (expected: string) => expect.objectContaining({ problem: expect.objectContaining({ code: expected }) });

async function theRequest(bench: EngineBench) {
  const [request] = await bench.engine.list({ limit: 1, before: Number.MAX_SAFE_INTEGER });
  if (request === undefined) throw new Error("There is no request.");
  return request;
}

describe("a confirmation", () => {
  it("of a verified source waits for a person, whose name is that of the credential, and is told when it is on disk", async () => {
    await using bench = await openBench();
    await bench.say([confirmationRequested()]);
    const { id, digest, card } = await theRequest(bench);
    expect(card).toMatchObject({
      asked: { kind: "confirmation", risk: "high", irreversible: true, said: [{ name: "action" }, { name: "consequence" }] },
    });
    const heard = bench.engine.poll(id, "producer", 20_000);
    const view = await bench.engine.answer(id, { by: "Ana's phone", answer: YES, digest, reason: "I have a copy." });
    expect(view).toMatchObject({
      state: "answered-by-person",
      waits: false,
      decision: { by: "Ana's phone", answer: YES, reason: "I have a copy.", unanswered: false },
    });
    expect(bench.engine.askerView(await heard)).toEqual({
      waits: false,
      request: id,
      state: "answered-by-person",
      answer: YES,
      unanswered: false,
      reason: "I have a copy.",
    });
    const [entry] = (await bench.ledger.read({ after: view.decision?.position ?? 0, limit: 1 })).entries;
    expect(entry).toBeUndefined();
    const [decision] = (await bench.ledger.read({ after: (view.decision?.position ?? 0) - 1, limit: 1 })).entries;
    expect(decision).toMatchObject({ kind: "decision", agent: "Ana's phone" });
    expect((await theRequest(bench)).takenAt).not.toBeNull();
    expect(bench.failures).toEqual([]);
  });

  it("of nobody asks nothing, and neither does one that is imported or long over", async () => {
    await using bench = await openBench();
    await bench.say([confirmationRequested()], "local");
    await bench.say([confirmationRequested({ timestamp: "2026-06-01T00:00:00.000Z" })]);
    expect(await bench.engine.list({ limit: 10 })).toEqual([]);
    expect(bench.engine.openCount).toBe(0);
  });

  it.each([
    ["says no by itself", { default_decision: "reject" }, 300_000, "reject"],
    ["says yes, which it may", { default_decision: "accept", irreversible: false, risk_level: "low" }, 300_000, "accept"],
    [
      "says yes to a high risk, and hears no before",
      { default_decision: "accept", irreversible: false, risk_level: "high" },
      295_000,
      "reject",
    ],
    [
      "says yes to what cannot be undone, and hears no before",
      { default_decision: "accept", irreversible: true, risk_level: "low" },
      295_000,
      "reject",
    ],
    [
      "says yes soon to a high risk, and hears no before",
      { default_decision: "accept", irreversible: false, risk_level: "high", timeout_seconds: 5 },
      4000,
      "reject",
    ],
  ] as const)("whose silence %s", async (_name, more, dueMs, word) => {
    await using bench = await openBench();
    await bench.say([confirmationRequested(more)]);
    const { id } = await theRequest(bench);
    await bench.pass(dueMs - 1);
    expect((await theRequest(bench)).state).toBe("open");
    await bench.pass(1);
    expect(await theRequest(bench)).toMatchObject({
      state: "defaulted",
      decision: { answer: { word }, unanswered: true, by: "asker", reason: "No answer." },
    });
    expect(bench.engine.askerView(await bench.engine.poll(id, "producer", 0))).toMatchObject({
      state: "defaulted",
      unanswered: true,
      answer: { word },
    });
  });

  it("ends with its session, or when its agent goes on by itself", async () => {
    await using bench = await openBench();
    await bench.say([confirmationRequested()]);
    await bench.say([aaepEvent("session.cancelled", { cancelled_by: "user", summary_normal: "Never mind." })]);
    expect(await theRequest(bench)).toMatchObject({ state: "withdrawn", decision: { by: "hub", reason: "The session ended." } });
    await bench.say([confirmationRequested({ session_id: "sess_2" })]);
    await bench.say([aaepEvent("state.changed", { session_id: "sess_2", from_state: "awaiting_input", to_state: "thinking" })]);
    expect(await theRequest(bench)).toMatchObject({ state: "withdrawn" });
    // A source's event says nothing about another source's request.
    await bench.say([confirmationRequested({ session_id: "sess_3" })]);
    await bench.say(
      [aaepEvent("session.cancelled", { session_id: "sess_3", cancelled_by: "user", summary_normal: "Never mind." })],
      "local",
    );
    expect(await theRequest(bench)).toMatchObject({ state: "open" });
  });

  it("said twice is one request", async () => {
    await using bench = await openBench();
    const event = confirmationRequested();
    await bench.say([event, event]);
    await bench.say([event]);
    expect(await bench.engine.list({ limit: 10 })).toHaveLength(1);
    expect(bench.engine.openCount).toBe(1);
    expect(bench.failures).toEqual([]);
  });

  it("10,000 times from one session: 50 wait, the others are kept and refused with a reason", async () => {
    await using bench = await openBench();
    const events = Array.from({ length: 10_000 }, () => confirmationRequested());
    for (let from = 0; from < events.length; from += 500) await bench.say(events.slice(from, from + 500));
    expect(bench.engine.openCount).toBe(50);
    expect(await bench.ledger.requests({ state: "open", limit: 100 })).toHaveLength(50);
    expect(await bench.ledger.head()).toBe(10_000);
    expect(await bench.ledger.counts()).toContainEqual(expect.objectContaining({ what: "questions refused", howMany: 9950 }));
    expect(bench.engine.news.after(0).news.at(-1)).toMatchObject({ what: "refused" });
    const { id, digest } = await theRequest(bench);
    await bench.engine.answer(id, { by: "ann", answer: NO, digest });
    await bench.say([confirmationRequested()]);
    expect(bench.engine.openCount).toBe(50);
  });

  it("is told under which name its answer will be found, also when it is said again; or why nobody will be asked", async () => {
    await using bench = await openBench();
    const [first, ...rest] = Array.from({ length: 51 }, () => confirmationRequested());
    if (first === undefined) throw new Error("There is none.");
    const [opened] = await bench.say([first]);
    const { id } = await theRequest(bench);
    expect(opened).toMatchObject({ ok: true, duplicate: false, request: id });
    expect(await bench.say([first, first])).toMatchObject([
      { duplicate: true, request: id },
      { duplicate: true, request: id },
    ]);
    const verdicts = await bench.say(rest);
    expect(verdicts.at(-2)).toMatchObject({ ok: true, request: expect.any(String) });
    expect(verdicts.at(-1)).toMatchObject({ ok: true, position: 51, notAsked: { code: "TOO_MANY_OPEN", message: expect.any(String) } });
    expect(verdicts.at(-1)).not.toHaveProperty("request");
    // Repeated, it asks nothing, as before.
    const [again] = await bench.say(rest.slice(-1));
    expect(again).toEqual({ ok: true, position: 51, duplicate: true, flags: [], redactions: 0 });
    await bench.engine.answer(id, { by: "ann", answer: NO, digest: (await bench.engine.watch(id, 0)).digest });
    await bench.restart(1000);
    expect(await bench.say([first])).toMatchObject([{ duplicate: true, request: id }]);
    expect(await bench.say([confirmationRequested()], "local")).toEqual([expect.not.objectContaining({ request: expect.anything() })]);
  });
});

describe("an asker that is told rather than polls", () => {
  it("is told once it is on disk, and takes no answer while it is known to be gone", async () => {
    await using bench = await openBench();
    const told: string[] = [];
    const stop = bench.engine.onEnded((held) => told.push(`${held.id} ${bench.engine.release(held)?.answer.word}`));
    await bench.say([confirmationRequested()]);
    const { id, digest } = await theRequest(bench);
    await bench.engine.lost(id);
    expect(await theRequest(bench)).toMatchObject({ state: "open", waits: false });
    await expect(bench.engine.answer(id, { by: "ann", answer: YES, digest })).rejects.toEqual(code("NOBODY_WAITS"));
    await bench.engine.poll(id, "producer", 0);
    await bench.engine.answer(id, { by: "ann", answer: YES, digest });
    expect(told).toEqual([`${id} accept`]);
    stop();
  });
});

describe("a question, and a handoff", () => {
  it("is answered by what it takes, and by nothing else", async () => {
    await using bench = await openBench();
    const choices = [
      { value: "eu", label: "Europe" },
      { value: "us", label: "America" },
    ];
    const asks = {
      question: "Which region?",
      reply_token: "rpl_q",
      timeout_seconds: 60,
      accepted_response_kinds: ["multiple_choice", "numeric"],
      choices,
    };
    await bench.say([aaepEvent("awaiting.clarification", { ...asks, urgency: "critical" })]);
    const { id, digest } = await theRequest(bench);
    const answer = (given: RequestAnswer) => bench.engine.answer(id, { by: "ann", answer: given, digest });
    for (const wrong of [{ word: "accept" }, { word: "respond", response: "Europe" }, { word: "respond", response: true }] as const) {
      await expect(answer(wrong)).rejects.toEqual(code("ANSWER_INVALID"));
    }
    expect(await answer({ word: "respond", response: "eu" })).toMatchObject({ state: "answered-by-person" });
  });

  it("waits without a deadline for somebody who takes over", async () => {
    await using bench = await openBench();
    await bench.say([
      aaepEvent("handoff.requested", {
        urgency: "critical",
        reason: "I cannot log in.",
        target_kind: "human",
        target_uri: "queue://support",
        packaged_context: { tries: 3 },
      }),
    ]);
    const { id, digest, deadlineAt, card } = await theRequest(bench);
    expect({ deadlineAt, facts: card.asked.facts }).toMatchObject({
      deadlineAt: null,
      facts: { target_uri: "queue://support", packaged_context: { tries: 3 } },
    });
    await bench.pass(86_400_000);
    expect(await bench.engine.answer(id, { by: "ann", answer: { word: "take-over" }, digest })).toMatchObject({
      state: "answered-by-person",
    });
  });
});

describe("a session that has ended", () => {
  const handOver = (fields = {}) =>
    aaepEvent("handoff.requested", { urgency: "critical", reason: "I cannot log in.", target_kind: "human", ...fields });
  const end = () => aaepEvent("session.completed", { summary_normal: "A person goes on." });

  it.each([
    ["in one batch with its handoff", (bench: EngineBench) => bench.say([handOver(), end()])],
    [
      "after its handoff",
      (bench: EngineBench) =>
        bench
          .say([handOver()])
          .then(() => bench.settled())
          .then(() => bench.say([end()])),
    ],
    ["before its handoff", (bench: EngineBench) => bench.say([end()]).then(() => bench.say([handOver()]))],
  ])("waits for nobody: it ends %s", async (_, say) => {
    await using bench = await openBench();
    await bench.say([aaepEvent("session.started", { summary_normal: "Logging in." })]);
    await say(bench);
    await bench.settled();
    await expect.poll(() => bench.engine.list({ state: "open", limit: 9 })).toEqual([]);
    expect((await bench.engine.list({ limit: 9 })).map(({ card }) => card.asked.kind)).toEqual(["handoff"]);
  });
});

describe("answers that do not count", () => {
  it("change nothing, and are recorded wherever they name a request", async () => {
    await using bench = await openBench();
    await bench.say([confirmationRequested(), confirmationRequested({ session_id: "sess_2", action: "Something else." })]);
    const [first, second] = await bench.engine.list({ limit: 2 });
    if (first === undefined || second === undefined) throw new Error("Two were asked.");
    const { engine } = bench;
    const of = (digest: string, answer: RequestAnswer = YES) => ({ by: "mallory", answer, digest });
    await expect(engine.answer("req_unknown", of(first.digest))).rejects.toEqual(code("NOT_FOUND"));
    await expect(engine.answer(first.id, of("forged"))).rejects.toEqual(code("DIGEST_DIFFERS"));
    await expect(engine.answer(first.id, of(second.digest))).rejects.toEqual(code("DIGEST_DIFFERS"));
    await expect(engine.answer(first.id, of(first.digest, { word: "allow" }))).rejects.toEqual(code("ANSWER_INVALID"));
    expect((await engine.list({ state: "open", limit: 9 })).map(({ waits }) => waits)).toEqual([true, true]);
    await engine.answer(first.id, { by: "ann", answer: NO, digest: first.digest });
    await expect(engine.answer(first.id, of(first.digest))).rejects.toEqual(code("DECIDED_ALREADY"));
    await expect(engine.answer(first.id, { by: "ann", answer: NO, digest: first.digest })).rejects.toEqual(code("DECIDED_ALREADY"));
    await expect(engine.withdraw(first.id, { by: "ann", digest: first.digest })).rejects.toEqual(code("DECIDED_ALREADY"));
    const { entries } = await bench.ledger.read({ after: 0, limit: 100 });
    expect(entries.filter(({ kind }) => kind !== "event").map(({ type, agent }) => [type, agent])).toEqual([
      ["decision.mismatched", "mallory"],
      ["decision.mismatched", "mallory"],
      ["decision", "ann"],
      ["decision.late", "mallory"],
      ["decision.late", "ann"],
    ]);
    expect((await engine.watch(first.id, 0)).decision).toMatchObject({ by: "ann", answer: NO });
  });

  it("are not learnt by those who did not ask", async () => {
    await using bench = await openBench();
    await bench.say([confirmationRequested()], "one");
    const { id } = await theRequest(bench);
    await expect(bench.engine.poll(id, "another", 0)).rejects.toEqual(code("NOT_FOUND"));
    expect(bench.engine.askerView(await bench.engine.poll(id, "one", 0))).toMatchObject({ waits: true, leftMs: 300_000 });
  });

  it("mask what has the shape of a secret before it is stored", async () => {
    await using bench = await openBench();
    await bench.say([confirmationRequested()]);
    const { id, digest } = await theRequest(bench);
    const secret = "ghp_0123456789abcdefghijABCDEFGHIJ456789";
    await bench.engine.answer(id, { by: "ann", answer: { word: "reject", message: `Not with ${secret}.` }, digest, reason: secret });
    expect(JSON.stringify(await bench.ledger.read({ after: 0, limit: 10 }))).not.toContain(secret);
  });
});

describe("several processes on one ledger", () => {
  it("have one winner, and everybody hears the same", async () => {
    await using bench = await openBench();
    await bench.say(
      Array.from({ length: 20 }, (_, index) => confirmationRequested({ session_id: `sess_${index}`, default_decision: "reject" })),
    );
    const engines = [bench.engine, await bench.another(), await bench.another(), await bench.another()];
    const requests = await bench.engine.list({ limit: 50 });
    expect(requests).toHaveLength(20);
    const attempts = requests.flatMap(({ id, digest }) =>
      engines.map((engine, index) =>
        engine.answer(id, { by: `ann ${index}`, answer: index % 2 === 0 ? YES : NO, digest }).then(
          () => true,
          () => false,
        ),
      ),
    );
    const won = await Promise.all(attempts);
    expect(won.filter(Boolean)).toHaveLength(20);
    await bench.settled();
    for (const { id } of requests) {
      const heard = await Promise.all(engines.map(async (engine) => engine.askerView(await engine.poll(id, "producer", 0))));
      expect(new Set(heard.map((one) => JSON.stringify(one))).size).toBe(1);
      expect(heard[0]).toMatchObject({ waits: false, state: "answered-by-person" });
    }
    expect(bench.failures).toEqual([]);
  });

  it("wake who waits with one of them when another has decided", async () => {
    await using bench = await openBench();
    await bench.say([confirmationRequested()]);
    const other = await bench.another();
    const { id, digest } = await theRequest(bench);
    const heard = other.poll(id, "producer", 20_000);
    await bench.engine.answer(id, { by: "ann", answer: YES, digest });
    expect(other.askerView(await heard)).toMatchObject({ waits: false, answer: YES });
  });

  it("default once", async () => {
    await using bench = await openBench();
    await bench.say([confirmationRequested()]);
    await bench.another();
    await bench.another();
    await bench.pass(300_000);
    expect(await theRequest(bench)).toMatchObject({ state: "defaulted" });
    const { entries } = await bench.ledger.read({ after: 0, limit: 100, filter: { type: ["decision*"] } });
    expect(entries.filter(({ type }) => type === "decision")).toHaveLength(1);
  });
});

describe("a decision that somebody wrote into the ledger's file", () => {
  /** Forges a decision including the chain: only the hub's memory reveals it. */
  async function forge(bench: EngineBench, id: string, digest: string): Promise<void> {
    using db = new DatabaseSync(bench.path);
    const position = (await bench.ledger.head()) + 1;
    const said = { state: "answered-by-person", request: id, digest, by: "ann", answer: JSON.stringify(YES) };
    const text = JSON.stringify(said);
    db.exec("BEGIN IMMEDIATE");
    db.prepare(
      "INSERT INTO entry SELECT ?, session, received_at, 2, 1, 'decision', '', NULL, NULL, NULL, NULL, ?, hash, 0, NULL FROM entry WHERE position = ?",
    ).run(position, text, position - 1);
    db.prepare("UPDATE request SET state = 'answered-by-person', settled_by = ? WHERE id = ?").run(position, id);
    db.exec("COMMIT");
  }

  it.each([
    [
      "heard from the file",
      async (bench: EngineBench) => void (await bench.say([confirmationRequested({ session_id: "other" })]).catch(() => [])),
    ],
    ["met by an answer", async () => {}],
  ])("is told, and does not count, when it is %s", async (_name, meet) => {
    await using bench = await openBench(undefined, { isAlone: true });
    await bench.say([confirmationRequested()]);
    const { id, digest } = await theRequest(bench);
    await forge(bench, id, digest);
    await meet(bench); // the first fails: its place is taken
    await meet(bench);
    expect(bench.engine.askerView(await bench.engine.poll(id, "producer", 0))).toMatchObject({ waits: true });
    await bench.engine.answer(id, { by: "ann", answer: NO, digest }).catch(() => {});
    await bench.engine.answer(id, { by: "ann", answer: NO, digest }).catch(() => {});
    await bench.settled();
    expect(bench.engine.askerView(await bench.engine.poll(id, "producer", 0))).toMatchObject({
      waits: false,
      state: "orphaned",
      answer: { word: "reject" },
    });
    expect(bench.alarms).toEqual([expect.stringContaining("did not make")]);
  });

  it("is not suspected where the hub made it without a confirmation", async () => {
    await using bench = await openBench(undefined, { isAlone: true });
    await bench.say([confirmationRequested()]);
    const { id, digest } = await theRequest(bench);
    const { settle } = bench.ledger;
    bench.ledger.settle = async (decision) => {
      bench.ledger.settle = settle;
      await settle.call(bench.ledger, decision);
      throw new Error("The writing thread ended.");
    };
    await expect(bench.engine.answer(id, { by: "ann", answer: YES, digest })).rejects.toThrow("The writing thread ended.");
    await bench.engine.answer(id, { by: "ann", answer: YES, digest }).catch(() => {});
    await bench.settled();
    expect(bench.engine.askerView(await bench.engine.poll(id, "producer", 0))).toMatchObject({ waits: false, answer: YES });
    expect(bench.alarms).toEqual([]);
  });

  it("is believed by a hub that finds it when it starts: then there is nothing but the file", async () => {
    await using bench = await openBench(undefined, { isAlone: true });
    await bench.say([confirmationRequested()]);
    const { id, digest } = await theRequest(bench);
    await forge(bench, id, digest);
    await bench.restart();
    expect(bench.engine.askerView(await bench.engine.poll(id, "producer", 0))).toMatchObject({ waits: false, answer: YES });
  });
});

describe("a restart", () => {
  it("carries 1,000 open requests, with the time that is left, and each ends once", async () => {
    await using bench = await openBench();
    await bench.say(
      Array.from({ length: 1000 }, (_, index) =>
        confirmationRequested({ session_id: `sess_${index}`, timeout_seconds: index < 500 ? 60 : 600 }),
      ),
    );
    await bench.pass(10_000);
    await bench.restart(20_000);
    expect(bench.engine.openCount).toBe(1000);
    expect(await theRequest(bench)).toMatchObject({ state: "open", waits: true, leftMs: 570_000 });
    await bench.pass(30_000);
    for (let turn = 0; turn < 20; turn++) await bench.settled();
    expect(bench.engine.openCount).toBe(500);
    expect(await bench.ledger.requests({ state: "defaulted", limit: 2000 })).toHaveLength(500);
    const open = await bench.engine.list({ state: "open", limit: 200 });
    await Promise.all(open.map(({ id, digest }) => bench.engine.answer(id, { by: "ann", answer: NO, digest })));
    await bench.restart();
    expect(bench.engine.openCount).toBe(300);
    expect(await bench.ledger.requests({ state: "answered-by-person", limit: 2000 })).toHaveLength(200);
  });

  it("gives no more time than there was, when the clock was set back meanwhile; and none when it was over", async () => {
    await using bench = await openBench();
    await bench.say([confirmationRequested({ timeout_seconds: 60 })]);
    await bench.restart(-3_600_000);
    expect(await theRequest(bench)).toMatchObject({ leftMs: 60_000 });
    await bench.restart(7_200_000);
    await bench.pass(0);
    expect(await theRequest(bench)).toMatchObject({ state: "defaulted" });
  });

  it("does not matter to the wall clock being set while it runs", async () => {
    await using bench = await openBench();
    await bench.say([confirmationRequested({ timeout_seconds: 60 })]);
    bench.clock.now += 3_600_000;
    bench.engine.tick();
    await bench.settled();
    expect(await theRequest(bench)).toMatchObject({ state: "open", leftMs: 60_000 });
    bench.clock.now -= 7_200_000;
    await bench.pass(60_000);
    expect(await theRequest(bench)).toMatchObject({ state: "defaulted" });
  });

  it("keeps what people have set", async () => {
    await using bench = await openBench();
    const target = { protocol: "aaep", source: "producer", session: "sess_1" };
    await bench.engine.control.pause(60_000, "ann", "A release.");
    await bench.engine.control.setAway(true, "ann");
    await bench.engine.stop(target, "ann", "It runs wild.");
    await bench.restart(10_000);
    expect(bench.engine.control.view()).toMatchObject({
      pause: { by: "ann", reason: "A release.", until: new Date(BENCH_START_MS + 60_000).toISOString() },
      away: { by: "ann" },
      stopped: [{ ...target, by: "ann", reason: "It runs wild." }],
    });
    await bench.pass(50_000);
    expect(bench.engine.control.isPaused).toBe(false);
    await bench.engine.control.lift(target, "ann");
    await bench.restart(30 * 86_400_000);
    expect(bench.engine.control.view()).toMatchObject({ pause: null, away: { by: "ann" }, stopped: [] });
    const { entries } = await bench.ledger.read({ after: 0, limit: 100, filter: { type: ["control.*"] } });
    expect(entries.map(({ type }) => type)).toEqual([
      "control.paused",
      "control.away",
      "control.stopped",
      "control.lifted",
      "control.kept",
    ]);
    expect(entries.every(({ source, agent }) => source === "Earshot" && ["ann", "hub"].includes(agent))).toBe(true);
  });
});

describe("a ledger that cannot be written", () => {
  it("leaves the request open, says so to who answered, and is tried again when time is up", async () => {
    await using bench = await openBench();
    await bench.say([confirmationRequested({ timeout_seconds: 60 })]);
    const { id, digest } = await theRequest(bench);
    const { settle } = bench.ledger;
    let isFull = true;
    bench.ledger.settle = (decision) => (isFull ? Promise.reject(new Error("The disk is full.")) : settle.call(bench.ledger, decision));
    await expect(bench.engine.answer(id, { by: "ann", answer: YES, digest })).rejects.toThrow("The disk is full.");
    expect(await theRequest(bench)).toMatchObject({ state: "open", waits: true });
    await bench.pass(60_000);
    expect(await theRequest(bench)).toMatchObject({ state: "open" });
    isFull = false;
    await bench.pass(1000);
    expect(await theRequest(bench)).toMatchObject({ state: "defaulted" });
    expect(bench.failures.length).toBeGreaterThan(0);
  });
});

describe("a session that is stopped", () => {
  it("hears no to what it has asked, and to what it asks later, until it is lifted", async () => {
    await using bench = await openBench();
    await bench.say([confirmationRequested()]);
    const target = { protocol: "aaep", source: "producer", session: "sess_1" };
    await bench.engine.stop(target, "ann");
    expect(await theRequest(bench)).toMatchObject({ state: "answered-by-person", decision: { by: "ann", answer: { word: "reject" } } });
    await bench.say([confirmationRequested()]);
    expect(await theRequest(bench)).toMatchObject({ state: "answered-by-policy", decision: { answer: { word: "reject" } } });
    await bench.say([confirmationRequested({ session_id: "sess_2" })]);
    expect(await theRequest(bench)).toMatchObject({ state: "open" });
    await bench.engine.control.lift(target, "ann");
    await bench.say([confirmationRequested()]);
    expect(await theRequest(bench)).toMatchObject({ state: "open", session: "sess_1" });
  });
});

describe("a yes that comes too late", () => {
  it("is kept on request, for the same question of the same session, once, for half an hour", async () => {
    await using bench = await openBench();
    const ask = (more: object = {}) =>
      bench.say([confirmationRequested({ timeout_seconds: 60, timestamp: new Date(bench.clock.now).toISOString(), ...more })]);
    await ask();
    await bench.pass(60_000);
    const { id, digest, keepable } = await theRequest(bench);
    expect(keepable).toBe(true);
    await expect(bench.engine.answer(id, { by: "ann", answer: YES, digest })).rejects.toEqual(code("DECIDED_ALREADY"));
    await bench.engine.answer(id, { by: "ann", answer: YES, digest, keep: true });
    expect(bench.engine.control.view().kept).toMatchObject([{ request: id, by: "ann" }]);
    await ask({ session_id: "sess_2" });
    expect(await theRequest(bench)).toMatchObject({ state: "open" });
    await bench.restart(1000);
    await ask();
    expect(await theRequest(bench)).toMatchObject({
      state: "answered-by-person",
      decision: { by: "ann", answer: YES, reason: expect.stringContaining(id) },
    });
    await ask();
    expect(await theRequest(bench)).toMatchObject({ state: "open" });
    await bench.pass(60_000);
    const again = await theRequest(bench);
    await bench.engine.answer(again.id, { by: "ann", answer: YES, digest: again.digest, keep: true });
    await bench.pass(30 * 60_000);
    await ask();
    expect(await theRequest(bench)).toMatchObject({ state: "open" });
  });
});
