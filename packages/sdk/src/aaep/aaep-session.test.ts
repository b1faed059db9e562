import { EarshotError } from "@earshot/protocol";
import { describe, expect, it } from "vitest";
import { aaepFindingsIn, RecordedAaep } from "../testing/recorded-aaep.ts";
import { AaepSession } from "./aaep-session.ts";
import type { Permit } from "./permit.ts";
import { runAaepSession } from "./run-session.ts";

const DROP = { action: "Drop table orders_old.", consequence: "41,200 rows are lost." } as const;

describe("a session", () => {
  it("tells a request from its beginning to its end, as the protocol has it", async () => {
    const recorded = new RecordedAaep();
    const session = recorded.start({
      summary: { terse: "Balance.", normal: "Looking up the balance.", detailed: "Looking up what is left." },
      requestText: "How much is left?",
      tools: ["fetch_balance"],
    });
    session.thinking("Which account?");
    await session.tool("fetch_balance", { args: { account: "main", apiKey: "x" }, risk: "low" }, () => 42);
    const pieces: string[] = [];
    for await (const piece of session.output(stream("You have ", "42 euros left. Anything", " else?"))) pieces.push(piece);
    session.end({ summary: "Told the balance." });
    expect(pieces).toEqual(["You have ", "42 euros left. Anything", " else?"]);
    expect(recorded.types()).toEqual([
      "session.started",
      "idle→thinking",
      "thinking→calling_tool",
      "tool.invoked",
      "tool.completed",
      "calling_tool→thinking",
      "thinking→writing_output",
      "output.streaming",
      "output.streaming",
      "session.completed",
    ]);
    expect(recorded.events()[0]).toMatchObject({
      summary_terse: "Balance.",
      summary_normal: "Looking up the balance.",
      summary_detailed: "Looking up what is left.",
      request_text: "How much is left?",
      tools_available: ["fetch_balance"],
      localization_hints: { primary_language: "en" },
    });
    expect(recorded.ofType("tool.invoked")[0]).toMatchObject({
      tool: "fetch_balance",
      args_summary: "account: main",
      risk_level: "low",
      irreversible: false,
    });
    expect(recorded.ofType("output.streaming")).toMatchObject([
      { chunk: "You have 42 euros left. ", position: 0, complete: false, coalesce_hint: "sentence" },
      { chunk: "Anything else?", position: 24, complete: true, coalesce_hint: "completion" },
    ]);
    expect(recorded.ofType("session.completed")[0]).toMatchObject({ tool_invocations_count: 1, summary_normal: "Told the balance." });
    expect(aaepFindingsIn(recorded.lines)).toEqual([]);
  });

  it("runs an irreversible tool once, after a person has accepted it", async () => {
    const recorded = new RecordedAaep();
    const session = recorded.start();
    let dropped = 0;
    const asking = session.confirm({ ...DROP, irreversible: true, tool: "drop_table", args: { table: "orders_old" } });
    const { token } = await recorded.question();
    expect(recorded.ofType("awaiting.confirmation")[0]).toMatchObject({
      urgency: "critical",
      default_decision: "reject",
      risk_level: "high",
      irreversible: true,
      reversibility: "irreversible",
      timeout_seconds: 300,
      extra_context: { tool: "drop_table", tool_call_id: expect.stringMatching(/^call_/), args_summary: "table: orders_old" },
    });
    recorded.decide(token, "accept", { decided_by: "user:ana" });
    const answer = await asking;
    if (!answer.accepted) throw new Error("It was accepted.");
    expect(answer.by).toBe("user:ana");
    const drop = () =>
      session.tool("drop_table", { args: { table: "orders_old" }, irreversible: true, permit: answer.permit }, () => ++dropped);
    expect(await drop()).toBe(1);
    await expect(drop()).rejects.toMatchObject({ problem: { code: "CONFIRMATION_NEEDED" } });
    session.end();
    expect(dropped).toBe(1);
    expect(recorded.types()).toEqual([
      "session.started",
      "idle→awaiting_input",
      "awaiting.confirmation",
      "awaiting_input→calling_tool",
      "tool.invoked",
      "tool.completed",
      "calling_tool→thinking",
      "session.completed",
    ]);
    expect(recorded.ofType("state.changed")[1]).toMatchObject({
      summary_normal: "Allowed by user:ana.",
      extensions: { earshot: { resolved: token, outcome: "accepted" } },
    });
    expect(aaepFindingsIn(recorded.lines)).toEqual([]);
  });

  it("runs nothing that needs a permit without the one that was given for it", async () => {
    const recorded = new RecordedAaep();
    const session = recorded.start();
    const other = recorded.start();
    let ran = 0;
    const run = () => ++ran;
    const accept = async (one: AaepSession, options: object) => {
      const asking = one.confirm({ ...DROP, ...options });
      const { token } = await recorded.question();
      recorded.decide(token, "accept");
      const answer = await asking;
      return answer.accepted ? (answer.permit as Permit) : undefined;
    };
    const ordinary = await accept(session, {});
    const high = await accept(session, { risk: "high" });
    const foreign = await accept(other, { irreversible: true });
    const named = await accept(session, { irreversible: true, tool: "drop_table", args: { table: "a", force: true } });
    const forged = { covers: "irreversible", callId: "call_1" };
    const refused = [
      { irreversible: true },
      { risk: "high" },
      { irreversible: true, permit: null },
      { irreversible: true, permit: forged },
      { irreversible: true, permit: { ...named } },
      { irreversible: true, permit: ordinary },
      { irreversible: true, permit: high },
      { risk: "high", permit: ordinary },
      { irreversible: true, permit: foreign },
      { irreversible: true, permit: named, args: { table: "b", force: true } },
      { irreversible: true, permit: named },
    ];
    for (const options of refused) {
      const running = session.tool("drop_table", options as Parameters<AaepSession["tool"]>[1], run);
      await expect(running, JSON.stringify(options)).rejects.toSatisfy(
        (error) => EarshotError.is(error) && error.problem.code === "CONFIRMATION_NEEDED",
      );
    }
    const elsewhere = session.tool(
      "drop_database",
      { irreversible: true, permit: named as Permit<"irreversible">, args: { force: true, table: "a" } },
      run,
    );
    await expect(elsewhere).rejects.toThrow("The permit is for drop_table");
    expect(ran).toBe(0);
    expect(recorded.ofType("tool.invoked")).toEqual([]);
    await session.tool(
      "drop_table",
      { irreversible: true, permit: named as Permit<"irreversible">, args: { force: true, table: "a" } },
      run,
    );
    expect(ran).toBe(1);
  });

  it("demands the permit by its types", () => {
    const never = async (session: AaepSession, ordinary: Permit<"ordinary">, high: Permit<"high">, final: Permit<"irreversible">) => {
      const run = () => {};
      // @ts-expect-error: an irreversible tool needs a permit
      await session.tool("drop", { irreversible: true }, run);
      // @ts-expect-error: so does a high-risk tool
      await session.tool("drop", { risk: "high" }, run);
      // @ts-expect-error: the permit covers something harmless
      await session.tool("drop", { irreversible: true, permit: ordinary }, run);
      // @ts-expect-error: the permit covers something reversible
      await session.tool("drop", { irreversible: true, permit: high }, run);
      // @ts-expect-error: callers cannot construct a permit
      await session.tool("drop", { irreversible: true, permit: { covers: "irreversible", callId: "call_1" } }, run);
      // @ts-expect-error: silence must not start anything irreversible
      await session.confirm({ ...DROP, irreversible: true, defaultDecision: "accept" });
      // @ts-expect-error: silence must not start anything of high risk
      await session.confirm({ ...DROP, risk: "high", defaultDecision: "accept" });
      await session.tool("drop", { risk: "high", permit: final }, run);
      const answer = await session.confirm({ ...DROP, irreversible: true, risk: "low" });
      if (answer.accepted) await session.tool("drop", { irreversible: true, permit: answer.permit }, run);
      // @ts-expect-error: there is no permit before acceptance is known
      await session.tool("drop", { irreversible: true, permit: answer.permit }, run);
      const harmless = await session.confirm(DROP);
      // @ts-expect-error: the person was not told that it is irreversible
      if (harmless.accepted) await session.tool("drop", { irreversible: true, permit: harmless.permit }, run);
      const chosen = await session.clarify({ question: "Where?", choices: ["eu", "us"] });
      const region: "eu" | "us" | undefined = chosen.response;
      const either = await session.clarify({ question: "How many?", kinds: ["numeric", "yes_no"], defaultResponse: 3 });
      const count: number | boolean | undefined = either.response;
      const text = await session.clarify({ question: "Why?" });
      const words: string | undefined = text.response;
      // @ts-expect-error: this kind needs choices
      await session.clarify({ question: "Which?", kinds: ["multiple_choice"] });
      // @ts-expect-error: the default must be one of the choices
      await session.clarify({ question: "Where?", choices: ["eu", "us"], defaultResponse: "asia" });
      return [region, count, words];
    };
    expect(never).toBeTypeOf("function");
  });

  it("refuses a default that would start by silence what must not be", async () => {
    const session = new RecordedAaep().start();
    for (const options of [{ irreversible: true }, { irreversible: true, risk: "low" }, { risk: "high" }]) {
      const asking = session.confirm({ ...DROP, ...options, defaultDecision: "accept" } as Parameters<AaepSession["confirm"]>[0]);
      await expect(asking).rejects.toMatchObject({ problem: { code: "DEFAULT_UNSAFE" } });
    }
  });

  it("goes on without the action when it is refused, or when nobody answers", async () => {
    const recorded = new RecordedAaep();
    const session = recorded.start();
    const refused = session.confirm(DROP);
    recorded.decide((await recorded.question()).token, "reject", { decision_rationale: "Wrong database." });
    expect(await refused).toEqual({ accepted: false, why: "rejected", rationale: "Wrong database." });
    const silent = session.confirm({ ...DROP, timeoutSeconds: 100 });
    await recorded.question(1);
    await recorded.pass(100_000);
    expect(await silent).toEqual({ accepted: false, why: "time" });
    const harmless = session.confirm({ ...DROP, defaultDecision: "accept" });
    await recorded.question(2);
    await recorded.pass(60_000);
    const allowed = await harmless;
    if (allowed.accepted) await session.tool("tidy", { permit: allowed.permit }, () => {});
    session.end();
    expect(recorded.types()).toEqual([
      "session.started",
      "idle→awaiting_input",
      "awaiting.confirmation",
      "awaiting_input→thinking",
      "thinking→awaiting_input",
      "awaiting.confirmation",
      "progress.updated",
      "progress.updated",
      "awaiting_input→thinking",
      "thinking→awaiting_input",
      "awaiting.confirmation",
      "awaiting_input→calling_tool",
      "tool.invoked",
      "tool.completed",
      "calling_tool→thinking",
      "session.completed",
    ]);
    expect(recorded.ofType("progress.updated").map(({ summary_normal: words }) => words)).toEqual([
      "50 seconds are left to answer.",
      "10 seconds are left to answer.",
    ]);
    expect(recorded.ofType("state.changed").map(({ summary_normal: words }) => words)).toContain("No answer in time: allowed.");
    expect(aaepFindingsIn(recorded.lines)).toEqual([]);
  });

  it("asks for all four kinds of answers, and takes no other", async () => {
    const recorded = new RecordedAaep();
    const session = recorded.start();
    const asked = [
      [session.clarify({ question: "Why?" }), "because"],
      [session.clarify({ question: "Sure?", kinds: ["yes_no"] }), true],
      [session.clarify({ question: "How many?", kinds: ["numeric"] }), 4.5],
      [session.clarify({ question: "Where?", choices: [{ value: "eu", label: "Europe" }, { value: "us" }] }), "eu"],
    ] as const;
    for (const [index, [asking, response]] of asked.entries()) {
      const { token } = await recorded.question(index);
      recorded.decide(token, "accept");
      if (typeof response !== "string" || index === 3) recorded.respond(token, "Europe, perhaps");
      expect(recorded.ofType("awaiting.clarification")).toHaveLength(index + 1);
      recorded.respond(token, response);
      expect(await asking).toEqual({ answered: true, response });
    }
    expect(recorded.ofType("awaiting.clarification")[3]).toMatchObject({
      accepted_response_kinds: ["multiple_choice"],
      choices: [
        { value: "eu", label: "Europe" },
        { value: "us", label: "us" },
      ],
    });
    const silent = session.clarify({ question: "How many?", kinds: ["numeric"], defaultResponse: 3, timeoutSeconds: 5 });
    await recorded.question(4);
    await recorded.pass(5000);
    expect(await silent).toEqual({ answered: false, why: "time", response: 3 });
    expect(recorded.ofType("awaiting.clarification")[4]).toMatchObject({ default_response: "3" });
    session.end();
    expect(aaepFindingsIn(recorded.lines)).toEqual([]);
  });

  it("refuses to ask what nobody could answer", async () => {
    const session = new RecordedAaep().start();
    const wrong = [
      { choices: ["one"] },
      { choices: ["one", "one"] },
      { choices: ["one", "x".repeat(129)] },
      { kinds: ["multiple_choice"] },
      { kinds: ["numeric"], defaultResponse: "three" },
    ];
    for (const options of wrong) {
      const asking = session.clarify({ question: "Which?", ...options } as Parameters<AaepSession["clarify"]>[0]);
      await expect(asking).rejects.toMatchObject({ problem: { code: "QUESTION_INVALID" } });
    }
  });

  it("takes a changed action only where it said so", async () => {
    const recorded = new RecordedAaep();
    const session = recorded.start();
    const changed = { modified_action: { table: "orders_older" } };
    const strict = session.confirm(DROP);
    recorded.decide((await recorded.question(0)).token, "accept", changed);
    expect(await strict).toEqual({ accepted: false, why: "rejected" });
    const open = session.confirm({ ...DROP, takesChanges: true, args: { table: "orders_old" } });
    recorded.decide((await recorded.question(1)).token, "accept", changed);
    const answer = await open;
    expect(answer).toMatchObject({ accepted: true, changes: { table: "orders_older" } });
    if (answer.accepted) await session.tool("drop", { args: answer.changes, permit: answer.permit }, () => {});
    expect(recorded.ofType("tool.invoked")).toHaveLength(1);
  });

  it("decides by the default at once where nobody could answer", async () => {
    const recorded = new RecordedAaep({ isAttended: false });
    const session = recorded.start();
    expect(await session.confirm(DROP)).toEqual({ accepted: false, why: "nobody" });
    expect(await session.clarify({ question: "Why?" })).toEqual({ answered: false, why: "nobody" });
    session.end();
    expect(recorded.ofType("state.changed")[1]).toMatchObject({ summary_normal: "Nobody is there to answer: refused." });
    expect(aaepFindingsIn(recorded.lines)).toEqual([]);
  });

  it("asks one thing at a time, and starts what was allowed before it asks the next", async () => {
    const recorded = new RecordedAaep();
    const session = recorded.start();
    const act = async (name: string) => {
      const answer = await session.confirm({ action: `Run ${name}.`, consequence: "It runs." });
      if (answer.accepted) await session.tool(name, { permit: answer.permit }, () => {});
    };
    const both = Promise.all([act("first"), act("second"), session.tool("beside", {}, () => {})]);
    const { token } = await recorded.question(0);
    await recorded.settle();
    expect([recorded.asked.length, recorded.ofType("tool.invoked").map(({ tool }) => tool)]).toEqual([1, ["beside"]]);
    const held = session.tool("held", {}, () => {});
    await recorded.settle();
    expect(recorded.ofType("tool.invoked").map(({ tool }) => tool)).toEqual(["beside"]);
    recorded.decide(token, "accept");
    recorded.decide((await recorded.question(1)).token, "accept");
    await Promise.all([both, held]);
    session.end();
    const told = recorded.events().map(({ type, tool }) => (tool === undefined ? type : `${type} ${String(tool)}`));
    expect(told.indexOf("aaep:agent.tool.invoked first")).toBeLessThan(told.lastIndexOf("aaep:agent.awaiting.confirmation"));
    expect(aaepFindingsIn(recorded.lines)).toEqual([]);
  });

  it("closes what is open before it ends", async () => {
    const recorded = new RecordedAaep();
    const session = recorded.start();
    const words = session.output(stream("One sentence. And half"))[Symbol.asyncIterator]();
    await words.next();
    void session.tool("slow", {}, () => new Promise(() => {}));
    const asking = session.confirm(DROP);
    await recorded.question();
    session.end();
    expect(await asking).toEqual({ accepted: false, why: "withdrawn" });
    expect(recorded.types().slice(-4)).toEqual(["output.streaming", "tool.completed", "awaiting_input→thinking", "session.completed"]);
    expect(recorded.ofType("output.streaming").at(-1)).toMatchObject({ chunk: "And half", complete: true, position: 14 });
    expect(recorded.ofType("tool.completed")[0]).toMatchObject({
      status: "timeout",
      error_message: "Not finished when the session ended.",
    });
    expect(aaepFindingsIn(recorded.lines)).toEqual([]);
  });

  it("is called off by a person: the signal is aborted, and everything ends as cancelled by them", async () => {
    const recorded = new RecordedAaep();
    const session = recorded.start();
    const seen: AbortSignal[] = [];
    const tool = session.tool(
      "slow",
      {},
      ({ signal }) =>
        new Promise((_, reject) => {
          seen.push(signal);
          signal.addEventListener("abort", () => reject(signal.reason));
        }),
    );
    const asking = session.confirm(DROP);
    await recorded.question();
    session.cancel({ by: "user", reason: "user_pressed_stop", summary: "Enough." });
    await expect(asking).rejects.toMatchObject({ name: "AbortError", message: "Enough." });
    await expect(tool).rejects.toMatchObject({ name: "AbortError" });
    await expect(session.tool("next", {}, () => {})).rejects.toMatchObject({ name: "AbortError" });
    expect([session.signal.aborted, seen[0]?.aborted, session.hasEnded]).toEqual([true, true, true]);
    expect(recorded.events().at(-1)).toMatchObject({
      cancelled_by: "user",
      cancellation_reason: "user_pressed_stop",
      summary_normal: "Enough.",
    });
    expect(aaepFindingsIn(recorded.lines)).toEqual([]);
  });

  it("ends as its work ends", async () => {
    const recorded = new RecordedAaep();
    const last = () => recorded.events().at(-1);
    expect(await runAaepSession(recorded.start(), () => 7)).toBe(7);
    expect(last()).toMatchObject({ type: "aaep:agent.session.completed" });
    await expect(runAaepSession(recorded.start(), () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
    expect(last()).toMatchObject({
      type: "aaep:agent.session.errored",
      urgency: "critical",
      error_category: "unknown",
      summary_normal: "broken",
    });
    await expect(runAaepSession(recorded.start(), () => Promise.reject(new DOMException("late", "TimeoutError")))).rejects.toThrow("late");
    expect(last()).toMatchObject({ type: "aaep:agent.session.cancelled", cancelled_by: "timeout" });
    const controller = new AbortController();
    const session = recorded.start({ signal: controller.signal });
    controller.abort();
    expect([session.hasEnded, session.signal.aborted]).toEqual([true, true]);
    expect(last()).toMatchObject({ type: "aaep:agent.session.cancelled", cancelled_by: "producer" });
    const late = recorded.start({ signal: AbortSignal.abort(new DOMException("late", "TimeoutError")) });
    await recorded.settle();
    expect(late.hasEnded).toBe(true);
    {
      await using _left = recorded.start();
    }
    expect(last()).toMatchObject({ type: "aaep:agent.session.errored" });
    expect(aaepFindingsIn(recorded.lines)).toEqual([]);
  });

  it("does not call itself complete when what was allowed was not done", async () => {
    const recorded = new RecordedAaep();
    const session = recorded.start();
    const asking = session.confirm(DROP);
    recorded.decide((await recorded.question()).token, "accept");
    await asking;
    session.end();
    expect(recorded.events().at(-1)).toMatchObject({
      type: "aaep:agent.session.cancelled",
      cancelled_by: "producer",
      summary_normal: "Allowed, and not done: Drop table orders_old.",
    });
    expect(aaepFindingsIn(recorded.lines)).toEqual([]);
  });

  it("hands over, and ends as that is taken", async () => {
    for (const [said, outcome, type] of [
      ["taken", "taken", "session.completed"],
      ["declined", "declined", "session.cancelled"],
      [undefined, "unknown", "session.completed"],
    ] as const) {
      const recorded = new RecordedAaep();
      const session = recorded.start({}, { acknowledge: async () => said });
      const handing = session.handoff({
        reason: "A person has to sign.",
        target: "human",
        targetUri: "queue://signatures",
        context: { form: 7 },
        urgency: "high",
      });
      expect(await handing).toBe(outcome);
      session.fail(new Error("afterwards"));
      expect(recorded.types()).toEqual(["session.started", "idle→handing_off", "handoff.requested", type]);
      expect(recorded.ofType("handoff.requested")[0]).toMatchObject({
        urgency: "critical",
        target_uri: "queue://signatures",
        packaged_context: { form: 7 },
        urgency_for_handoff: "high",
      });
      expect(aaepFindingsIn(recorded.lines)).toEqual([]);
    }
  });

  it("says in which language it speaks, also where the words are not the agent's", async () => {
    const recorded = new RecordedAaep();
    const session = recorded.start({ summary: "Ich sehe nach.", language: "de-AT" });
    session.thinking();
    session.thinking("Wo steht das?");
    await session.say("Hier. ", { language: "nl" });
    expect(recorded.events().map(({ localization_hints: { primary_language: language } }) => language)).toEqual([
      "de-AT",
      "en",
      "de-AT",
      "en",
      "de-AT",
    ]);
    expect(recorded.ofType("output.streaming")[0]).toMatchObject({ language: "nl" });
  });

  it("tells progress sparingly", () => {
    const recorded = new RecordedAaep();
    const session = recorded.start();
    for (let percent = 0; percent <= 100; percent++) session.progress({ percent });
    session.progress({ percent: 100, step: 9, totalSteps: 4 });
    session.progress({ description: "Nearly." });
    session.progress({ description: "Nearly." });
    session.progress({});
    session.progress({ percent: 20 });
    session.progress({ percent: 18 });
    session.end();
    const told = recorded.ofType("progress.updated").map(({ progress }) => progress);
    expect(told).toHaveLength(24);
    expect(told.slice(-3)).toEqual([{ step: 4, total_steps: 4 }, { description: "Nearly." }, { percent: 20 }]);
    expect(aaepFindingsIn(recorded.lines)).toEqual([]);
  });

  it("is not brought down by what it is told, whatever that is", async () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const getter = {
      get summary(): never {
        throw new Error("no");
      },
      get normal(): never {
        throw new Error("no");
      },
    };
    const anything = [
      null,
      undefined,
      7,
      Symbol("x"),
      getter,
      proxy,
      [],
      new Error("e"),
      () => 1,
      "x".repeat(100_000),
      "\ud800",
    ] as never[];
    for (const value of anything) {
      const recorded = new RecordedAaep();
      const session = recorded.start({ summary: value, tools: [value], requestText: value, language: value, correlationId: value });
      session.state(value, value);
      session.thinking(value);
      session.progress(value);
      session.progress({ percent: value, step: value, description: value });
      await session.tool(value, value, () => {});
      await session.tool(value, { args: value, summary: value, description: value }, () => {});
      await session.say([value], value).catch(() => {}); // a stream that cannot be read is the caller's, as what a tool throws
      session.fail(value, value);
      const other = new AaepSession(recorded.ports, value);
      other.cancel(value);
      recorded.start({ requestedBy: value }).end(value);
      expect(aaepFindingsIn(recorded.lines)).toEqual([]);
    }
  });

  it("says nothing after its end, and runs nothing", async () => {
    const recorded = new RecordedAaep();
    const session = recorded.start();
    session.end();
    const { length } = recorded.lines;
    session.thinking();
    session.progress({ percent: 7 });
    session.end();
    session.fail(new Error("late"));
    await session.say("Late.");
    let ran = false;
    const running = session.tool("late", {}, () => {
      ran = true;
    });
    await expect(running).rejects.toMatchObject({ problem: { code: "SESSION_ENDED" } });
    expect(await session.confirm(DROP)).toEqual({ accepted: false, why: "withdrawn" });
    expect(await session.handoff({ reason: "Late.", target: "human" })).toBe("unknown");
    expect([recorded.lines.length, ran]).toEqual([length, false]);
    expect(recorded.ignored).toBeGreaterThan(3);
  });
});

async function* stream(...pieces: readonly string[]): AsyncGenerator<string> {
  for (const piece of pieces) yield piece;
}
