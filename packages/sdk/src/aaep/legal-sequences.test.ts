import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aaepFindingsIn, RecordedAaep, type RecordedEvent } from "../testing/recorded-aaep.ts";
import type { AaepSession } from "./aaep-session.ts";
import type { Confirmed } from "./session-options.ts";

/** Any text: long, with secrets, with split surrogate pairs. */
const text = fc.oneof(
  { weight: 6, arbitrary: fc.lorem({ maxCount: 12 }) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 30 }) },
  fc.constantFrom(
    "",
    " ",
    "\ud800",
    "e\u0301\u0301",
    "👩‍👩‍👧",
    "password=hunter2hunter2",
    `sk-${"aB3".repeat(12)}`,
    "x".repeat(40_000),
    "€".repeat(30_000),
  ),
);
const risk = fc.constantFrom(undefined, "low", "medium", "high");
const gate = fc.nat(3);

const step = fc.oneof(
  fc.record({ do: fc.constant("say nothing" as const) }),
  fc.record({ do: fc.constant("state" as const), name: fc.constantFrom("thinking", "deciding", "reading", "calling_tool", "idle"), text }),
  fc.record({
    do: fc.constant("progress" as const),
    percent: fc.option(fc.oneof(fc.nat(100), fc.constant(Number.NaN)), { nil: undefined }),
    step: fc.option(fc.nat(9), { nil: undefined }),
    total: fc.option(fc.nat(9), { nil: undefined }),
    description: fc.option(text, { nil: undefined }),
  }),
  fc.record({
    do: fc.constant("tool" as const),
    gate,
    name: text,
    risk,
    irreversible: fc.boolean(),
    throws: fc.boolean(),
    args: fc.anything(),
    asks: fc.boolean(),
  }),
  fc.record({
    do: fc.constant("output" as const),
    gate,
    pieces: fc.array(text, { maxLength: 5 }),
    fails: fc.boolean(),
    boundary: fc.constantFrom("word", "sentence", "paragraph", "completion", "other"),
    leaves: fc.nat(6),
  }),
  fc.record({
    do: fc.constant("confirm" as const),
    action: text,
    risk,
    irreversible: fc.boolean(),
    accepts: fc.boolean(),
    seconds: fc.constantFrom(1, 30, 61, 200, undefined),
    uses: fc.constantFrom("once", "twice", "never"),
    named: fc.boolean(),
    soon: fc.constantFrom("accept" as const, "accept" as const, "reject" as const, "nobody" as const),
  }),
  fc.record({
    do: fc.constant("clarify" as const),
    question: text,
    kind: fc.constantFrom("freetext", "yes_no", "numeric", "multiple_choice"),
    seconds: fc.constantFrom(1, 61, undefined),
  }),
  { weight: 4, arbitrary: fc.record({ do: fc.constant("answer" as const), which: fc.nat(2), yes: fc.boolean(), wrongly: fc.nat(5) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("open" as const), gate }) },
  fc.record({ do: fc.constant("wait" as const), ms: fc.constantFrom(1, 1000, 31_000, 200_000) }),
  fc.record({ do: fc.constant("attend" as const), isAttended: fc.boolean() }),
);
const ending = fc.constantFrom("end", "fail", "cancel", "stop", "dispose", "handoff", "timeout", "nothing");

type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** Runs a program against a session with many concurrent calls; exceptions do not end it. */
class Program {
  readonly recorded: RecordedAaep;
  readonly session: AaepSession;
  readonly #mayChangeAttendance: boolean;
  readonly #gates = Array.from({ length: 4 }, () => Promise.withResolvers<void>());

  constructor(isAttended: boolean, mayChangeAttendance: boolean) {
    this.recorded = new RecordedAaep({ isAttended });
    this.session = this.recorded.start();
    this.#mayChangeAttendance = mayChangeAttendance;
  }

  async take(one: Step): Promise<void> {
    const { session, recorded } = this;
    switch (one.do) {
      case "state":
        return session.state(one.name, one.text === "" ? undefined : one.text);
      case "progress":
        return session.progress({ percent: one.percent, step: one.step, totalSteps: one.total, description: one.description });
      case "tool":
        return this.#tool(one);
      case "output":
        return this.#output(one);
      case "confirm":
        return this.#confirm(one);
      case "clarify": {
        const choices = one.kind === "multiple_choice" ? { choices: ["a", "b"] } : { kinds: [one.kind] };
        await session.clarify({ question: one.question, timeoutSeconds: one.seconds, ...choices } as Parameters<AaepSession["clarify"]>[0]);
        return;
      }
      case "answer":
        return this.#answer(one);
      case "open":
        return this.#gates[one.gate]?.resolve();
      case "wait":
        return recorded.pass(one.ms);
      case "attend":
        if (this.#mayChangeAttendance) recorded.attend(one.isAttended);
        return;
      default:
        return recorded.settle();
    }
  }

  async finish(how: string): Promise<void> {
    const { session } = this;
    if (how === "end") session.end();
    if (how === "fail") session.fail(new Error("broken"));
    if (how === "cancel") session.cancel();
    if (how === "stop") session.cancel({ by: "user" });
    if (how === "dispose") session[Symbol.dispose]();
    if (how === "timeout") session.fail(new DOMException("late", "TimeoutError"));
    const handing = how === "handoff" ? session.handoff({ reason: "Too hard.", target: "human" }).catch(() => {}) : undefined;
    await this.recorded.settle();
    for (const one of this.#gates) one.resolve();
    await this.recorded.pass(1_000_000);
    await handing;
    session.end();
  }

  async #tool(one: Extract<Step, { do: "tool" }>): Promise<void> {
    const options = { args: one.args, risk: one.risk, irreversible: one.irreversible };
    await this.session.tool(one.name, options as Parameters<AaepSession["tool"]>[1], async () => {
      if (one.asks) await this.session.clarify({ question: "Which one?" });
      await this.#gates[one.gate]?.promise;
      if (one.throws) throw new Error("It broke.");
    });
  }

  async #output({ pieces, gate: place, fails, boundary, leaves }: Extract<Step, { do: "output" }>): Promise<void> {
    const gates = this.#gates;
    async function* stream(): AsyncGenerator<string> {
      for (const [index, piece] of pieces.entries()) {
        if (index === 1) await gates[place]?.promise;
        yield piece;
      }
      if (fails) throw new Error("The stream broke.");
    }
    let count = 0;
    for await (const _ of this.session.output(stream(), { boundary: boundary as "word" })) if (++count > leaves) break;
  }

  async #confirm(one: Extract<Step, { do: "confirm" }>): Promise<void> {
    const mayAccept = one.accepts && !this.#mayChangeAttendance;
    const tool = one.named ? { tool: "act" } : {};
    const options = {
      action: one.action,
      consequence: "It is gone.",
      risk: one.risk,
      irreversible: one.irreversible,
      timeoutSeconds: one.seconds,
      ...tool,
    };
    const asked = { ...options, defaultDecision: mayAccept ? "accept" : "reject" } as Parameters<AaepSession["confirm"]>[0];
    if (one.soon !== "nobody") void this.#decideSoon(one.soon);
    const answer: Confirmed = await this.session.confirm(asked);
    if (!answer.accepted) return;
    for (let use = 0; use < { once: 1, twice: 2, never: 0 }[one.uses]; use++) {
      const permitted = { risk: one.risk, irreversible: one.irreversible, permit: answer.permit } as Parameters<AaepSession["tool"]>[1];
      await this.session.tool("act", permitted, () => this.#gates[0]?.promise);
    }
  }

  async #decideSoon(decision: "accept" | "reject"): Promise<void> {
    const { length } = this.recorded.asked;
    await this.recorded.settle();
    const question = this.recorded.asked[length];
    if (question?.kind === "confirmation") this.recorded.decide(question.token, decision);
  }

  /** Unrecorded answers must be rejections or change nothing, or the checker would take them for an accept. */
  #answer({ which, yes, wrongly }: Extract<Step, { do: "answer" }>): void {
    const question = this.recorded.asked.at(-1 - which);
    if (question === undefined) return;
    const timestamp = new Date(this.recorded.nowMs).toISOString();
    const accept = { type: "confirmation.reply", decision: "accept", subscription_id: "sub_1", timestamp } as const;
    if (wrongly === 0) this.recorded.desk.reply({ ...accept, reply_token: "rpl_forged" });
    else if (wrongly === 1) this.recorded.desk.reply({ ...accept, reply_token: question.token, modified_action: {} });
    else if (question.kind === "confirmation" && wrongly === 2) this.recorded.respond(question.token, "yes");
    else if (question.kind === "confirmation") this.recorded.decide(question.token, yes ? "accept" : "reject");
    else {
      const [kind] = question.kinds;
      this.recorded.respond(question.token, kind === "yes_no" ? yes : kind === "numeric" ? 7 : kind === "multiple_choice" ? "a" : "words");
    }
  }
}

/** A falling percentage is the program's own report. */
const isOurs = (finding: string) => !finding.startsWith("aaep/progress-rises");

describe("whatever is called, in whatever order and at the same time", () => {
  it("what is told is a session without a finding", async () => {
    const reached = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(step, fc.nat(2)), { maxLength: 25 }),
        ending,
        fc.constantFrom("attended", "unattended", "changing"),
        async (steps, how, attendance) => {
          const program = new Program(attendance !== "unattended", attendance === "changing");
          for (const [one, turns] of steps) {
            const taken = program.take(one).catch(() => {});
            if (one.do === "wait") await taken;
            for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
          }
          await program.finish(how);
          const { lines } = program.recorded;
          expect(aaepFindingsIn(lines).filter(isOurs)).toEqual([]);
          for (const event of program.recorded.events()) for (const one of describeEvent(event)) reached.add(one);
          // A recording without replies, as most are: only findings that need replies may be missing.
          expect(
            aaepFindingsIn(
              program.recorded.events().map((event) => JSON.stringify(event)),
              ["error", "warning"],
            ).filter(isOurs),
          ).toEqual([]);
        },
      ),
      { numRuns: 300 },
    );
    // Ensures coverage: programs that do nothing would break no rule either.
    expect([...reached].sort()).toEqual(expect.arrayContaining(EVERYTHING));
  });
});

const EVERYTHING = [
  ...["session.started", "session.completed", "session.errored", "session.cancelled", "state.changed", "progress.updated"],
  ...["tool.invoked", "tool.completed", "output.streaming", "awaiting.confirmation", "awaiting.clarification", "handoff.requested"],
  ...["accepted", "rejected", "answered", "defaulted", "unanswered", "withdrawn"],
  ...["an irreversible tool", "a tool of high risk", "success", "error", "timeout", "allowed, and not done"],
];

function describeEvent(event: RecordedEvent): string[] {
  const { type, irreversible, risk_level: risk, status, cancellation_reason: reason, extensions } = event;
  const told = [type.replace("aaep:agent.", "")];
  if (type.endsWith("tool.invoked") && irreversible === true) told.push("an irreversible tool");
  if (type.endsWith("tool.invoked") && irreversible === false && risk === "high") told.push("a tool of high risk");
  if (typeof status === "string") told.push(status);
  if (reason === "allowed_action_not_done") told.push("allowed, and not done");
  const outcome = (extensions as { readonly earshot?: { readonly outcome?: string } } | undefined)?.earshot?.outcome;
  return outcome === undefined ? told : [...told, outcome];
}
