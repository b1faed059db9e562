import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../tools/test-volume.ts";
import { AgentQuestionBook, type QuestionChange } from "./agent-question-book.ts";
import { ALLOWED_DEFAULTS, effectiveRisk, mayDefaultTo, type Question, type QuestionEnding } from "./question.ts";
import {
  ASKED_MS,
  testClarification,
  testConfirmation,
  testDecision,
  testResponse,
  timestampAfter,
  validReplyTo,
} from "./testing/some-question.ts";

const SOMEBODY = { confirmations: 1, clarifications: 1 };
const NOBODY = { confirmations: 0, clarifications: 0 };

function attended(graceMs?: number): AgentQuestionBook {
  const desk = new AgentQuestionBook(graceMs === undefined ? {} : { graceMs });
  desk.attend(SOMEBODY, 0);
  return desk;
}

function endings(news: readonly QuestionChange[]): readonly QuestionEnding[] {
  return news.flatMap((one) => (one.what === "ended" ? [one.ending] : []));
}

describe("a question", () => {
  it("is ended by the first valid reply, and by no other", () => {
    const desk = attended();
    desk.ask(testConfirmation(), 0);
    expect(endings(desk.reply(testDecision("reject"), 10))).toEqual([{ how: "rejected" }]);
    expect(desk.reply(testDecision("accept"), 11)).toEqual([]);
    expect(desk.pass(1_000_000)).toEqual([]);
    expect(desk.dueAt()).toBeUndefined();
  });

  it("is not touched by a reply that does not count, and nothing is told of it", () => {
    const desk = attended();
    desk.ask(testConfirmation(), 0);
    desk.ask(testClarification({ kinds: ["numeric"] }), 0);
    const wrong = [
      testDecision("accept", { reply_token: "rpl_3" }),
      testResponse("accept", { reply_token: "rpl_1" }),
      testDecision("accept", { reply_token: "rpl_2" }),
      testResponse("seven"),
      testDecision("accept", { timestamp: timestampAfter(30_000) }),
    ];
    for (const reply of wrong) expect(desk.reply(reply, 100)).toEqual([]);
    expect([desk.size, desk.dueAt()]).toEqual([2, 30_000]);
    expect(endings(desk.reply(testDecision("accept"), 100))).toEqual([{ how: "accepted" }]);
    expect(endings(desk.reply(testResponse(7), 100))).toEqual([{ how: "answered", response: 7 }]);
  });

  it("is ended by its default when its time is over, also where a reply comes before anybody has looked at the clock", () => {
    const desk = attended();
    desk.ask(testConfirmation({ defaultDecision: "accept" }), 0);
    expect(desk.pass(29_999)).toEqual([]);
    expect(desk.reply(testDecision("reject"), 30_000)).toEqual([]);
    expect(endings(desk.pass(30_000))).toEqual([{ how: "defaulted", why: "time", decision: "accept" }]);
  });

  it("tells what counts for a clarification that nobody answers", () => {
    const desk = attended();
    desk.ask(testClarification({ defaultResponse: "eu" }), 0);
    desk.ask(testClarification({ token: "rpl_3" }), 0);
    expect(endings(desk.pass(30_000))).toEqual([
      { how: "unanswered", why: "time", response: "eu" },
      { how: "unanswered", why: "time" },
    ]);
  });

  it("is ended at once where nobody could answer its kind", () => {
    const desk = new AgentQuestionBook();
    expect(endings(desk.ask(testConfirmation(), 0))).toEqual([{ how: "defaulted", why: "nobody", decision: "reject" }]);
    desk.attend({ confirmations: 1, clarifications: 0 }, 1);
    expect(desk.ask(testConfirmation(), 1)).toEqual([]);
    expect(endings(desk.ask(testClarification(), 1))).toEqual([{ how: "unanswered", why: "nobody" }]);
  });

  it("waits a while for the last one who could answer to come back", () => {
    const desk = attended(5000);
    desk.ask(testConfirmation(), 0);
    desk.attend(NOBODY, 1000);
    expect([desk.dueAt(), desk.pass(5999)]).toEqual([6000, []]);
    desk.attend(SOMEBODY, 5999);
    expect([desk.dueAt(), desk.pass(10_000)]).toEqual([30_000, []]);
    desk.attend(NOBODY, 20_000);
    desk.attend(NOBODY, 24_000);
    expect(desk.reply(testDecision("accept"), 25_000)).toEqual([]);
    // A later attendee gets the same ending.
    expect(endings(desk.attend(SOMEBODY, 25_000))).toEqual([{ how: "defaulted", why: "nobody", decision: "reject" }]);
  });

  it("waits for nobody when the last one who could answer has said goodbye", () => {
    const desk = attended(5000);
    desk.ask(testConfirmation(), 0);
    expect(desk.attend({ confirmations: 1, clarifications: 0 }, 500, true)).toEqual([]);
    expect(endings(desk.attend(NOBODY, 1000, true))).toEqual([{ how: "defaulted", why: "nobody", decision: "reject" }]);
  });

  it("waits no longer when the one whose connection broke says goodbye after all", () => {
    const desk = attended(5000);
    desk.ask(testConfirmation(), 0);
    expect(desk.attend(NOBODY, 1000)).toEqual([]);
    expect(endings(desk.attend(NOBODY, 1500, true))).toEqual([{ how: "defaulted", why: "nobody", decision: "reject" }]);
  });

  it("takes a reply that comes by another way while nobody listens", () => {
    const desk = attended(5000);
    desk.ask(testConfirmation(), 0);
    desk.attend(NOBODY, 1000);
    expect(endings(desk.reply(testDecision("accept"), 2000))).toEqual([{ how: "accepted" }]);
  });

  it("can be taken back, and is dead from then on", () => {
    const desk = attended();
    desk.ask(testConfirmation(), 0);
    expect(endings(desk.withdraw("rpl_1"))).toEqual([{ how: "withdrawn" }]);
    expect(desk.withdraw("rpl_1")).toEqual([]);
    expect(desk.reply(testDecision("accept"), 1)).toEqual([]);
    expect(desk.pass(30_000)).toEqual([]);
  });

  it("is ended at once when those who were asked say that no answer will come", () => {
    const desk = attended();
    desk.ask(testConfirmation({ defaultDecision: "accept" }), 0);
    expect(endings(desk.abandon("rpl_1"))).toEqual([{ how: "defaulted", why: "nobody", decision: "accept" }]);
    expect(desk.abandon("rpl_1")).toEqual([]);
  });

  it("tells the time left when half and a tenth of more than a minute remain", () => {
    const desk = attended();
    desk.ask(testConfirmation({ timeoutMs: 60_000 }), 0);
    desk.ask(testConfirmation({ token: "rpl_3", timeoutMs: 100_000 }), 0);
    const told: number[] = [];
    for (let at = 0; at < 100_000; at += 1000) {
      for (const news of desk.pass(at)) if (news.what === "time-left") told.push(news.leftMs);
    }
    expect(told).toEqual([50_000, 10_000]);
  });

  it("tells the time left once where both moments were missed", () => {
    const desk = attended();
    desk.ask(testConfirmation({ timeoutMs: 100_000 }), 0);
    expect(desk.pass(95_000)).toMatchObject([{ what: "time-left", leftMs: 5000 }]);
  });

  it("is not fooled by a clock that goes back", () => {
    const desk = attended();
    desk.ask(testConfirmation(), 1000);
    expect(desk.pass(500)).toEqual([]);
    desk.ask(testConfirmation({ token: "rpl_3" }), 0);
    expect(desk.dueAt()).toBe(31_000);
    expect(desk.pass(31_000)).toHaveLength(2);
  });
});

describe("the default", () => {
  it("is never to accept what is irreversible or of high risk", () => {
    expect(ALLOWED_DEFAULTS.irreversible).toEqual({ high: ["reject"], medium: ["reject"], low: ["reject"] });
    expect(mayDefaultTo("accept", { irreversible: false, risk: "high" })).toBe(false);
    expect(mayDefaultTo("accept", { irreversible: false, risk: "medium" })).toBe(true);
    expect([effectiveRisk(undefined, true), effectiveRisk(undefined, false), effectiveRisk("low", true)]).toEqual(["high", "low", "low"]);
  });
});

describe("any course of events", () => {
  const risk = fc.constantFrom("low" as const, "medium" as const, "high" as const);
  const timeoutMs = fc.integer({ min: 1, max: 120_000 });
  const question = fc.oneof(
    fc
      .record({ timeoutMs, risk, irreversible: fc.boolean(), defaultDecision: fc.constantFrom("accept" as const, "reject" as const) })
      .map((asked) => testConfirmation(asked)),
    fc
      .record({ timeoutMs, kinds: fc.subarray(["freetext", "yes_no", "numeric", "multiple_choice"] as const, { minLength: 1 }) })
      .map((asked) => testClarification({ ...asked, choices: ["a", "b"] })),
  );
  const step = fc.oneof(
    question.map((asked) => ({ do: "ask" as const, asked })),
    fc.record({ do: fc.constant("reply" as const), about: fc.nat(9), datedMs: fc.integer({ min: -6000, max: 130_000 }) }),
    fc.record({ do: fc.constant("forge" as const), about: fc.nat(9) }),
    fc.record({ do: fc.constant("attend" as const), confirmations: fc.nat(1), clarifications: fc.nat(1) }),
    fc.record({ do: fc.constant("withdraw" as const), about: fc.nat(9) }),
    fc.constant({ do: "pass" as const }),
  );
  const steps = fc.array(fc.tuple(fc.nat(40_000), step), { maxLength: 40 });

  it("ends every question once, in a way that its question allows, and not before its time", () => {
    fc.assert(
      fc.property(steps, (course) => {
        const graceMs = 5000;
        const desk = new AgentQuestionBook({ graceMs });
        const asked: { readonly question: Question; readonly at: number }[] = [];
        const ended = new Map<string, { readonly ending: QuestionEnding; readonly at: number; readonly by: string }>();
        const lastAlone = new Map<string, number>();
        let attendance = NOBODY;
        let at = 0;
        const isAttended = ({ kind }: Question) => (kind === "confirmation" ? attendance.confirmations : attendance.clarifications) > 0;
        const hear = (news: readonly QuestionChange[], by: string) => {
          for (const one of news) {
            if (one.what !== "ended") continue;
            expect(ended.has(one.question.token)).toBe(false);
            ended.set(one.question.token, { ending: one.ending, at, by });
          }
        };
        for (const [later, one] of course) {
          at += later;
          hear(desk.pass(at), "time");
          if (one.do === "ask") {
            const next = { ...one.asked, token: `rpl_${asked.length}` };
            asked.push({ question: next, at });
            hear(desk.ask(next, at), "time");
          } else if (one.do === "attend") {
            const before = attendance;
            attendance = one;
            for (const { question: open } of asked) {
              const was = (open.kind === "confirmation" ? before.confirmations : before.clarifications) > 0;
              if (was && !isAttended(open)) lastAlone.set(open.token, at);
            }
            hear(desk.attend(one, at), "time");
          } else if (one.do === "pass") hear(desk.pass(at), "time");
          else {
            const about = asked[one.about]?.question;
            if (about === undefined) continue;
            if (one.do === "withdraw") hear(desk.withdraw(about.token), "withdrawal");
            else if (one.do === "reply") hear(desk.reply(validReplyTo(about, timestampAfter(one.datedMs)), at), "reply");
            else {
              const [size, due] = [desk.size, desk.dueAt()];
              for (const forged of forgedFor(about)) expect(desk.reply(forged, at)).toEqual([]);
              expect([desk.size, desk.dueAt()]).toEqual([size, due]);
            }
          }
        }
        at += 200_000;
        hear(desk.pass(at), "time");
        expect(ended.size).toBe(asked.length);
        expect(desk.size).toBe(0);
        for (const { question: open, at: from } of asked) {
          const { ending, at: end, by } = ended.get(open.token) as { ending: QuestionEnding; at: number; by: string };
          if (ending.how === "defaulted" && ending.decision === "accept") {
            expect(open).toMatchObject({ irreversible: false, defaultDecision: "accept" });
            expect(open.kind === "confirmation" && open.risk !== "high").toBe(true);
          }
          const isSilence = ending.how === "defaulted" || ending.how === "unanswered";
          expect(by).toBe(isSilence ? "time" : ending.how === "withdrawn" ? "withdrawal" : "reply");
          if (!isSilence) expect(end).toBeLessThan(from + open.timeoutMs);
          else if (ending.why === "time") expect(end).toBeGreaterThanOrEqual(from + open.timeoutMs);
          else if (end !== from) expect(end).toBeGreaterThanOrEqual((lastAlone.get(open.token) ?? Number.POSITIVE_INFINITY) + graceMs);
        }
      }),
      { numRuns: propertyRuns() },
    );
  });
});

/** Replies that must not take effect for this question. */
function forgedFor(question: Question) {
  const isConfirmation = question.kind === "confirmation";
  const late = new Date(ASKED_MS + question.timeoutMs).toISOString();
  return [
    validReplyTo({ ...question, token: `${question.token}x` }, timestampAfter(0)),
    validReplyTo(question, late),
    validReplyTo(question, timestampAfter(-5001)),
    isConfirmation ? testResponse("accept", { reply_token: question.token }) : testDecision("accept", { reply_token: question.token }),
    ...(isConfirmation
      ? []
      : [testResponse("c", { reply_token: question.token, timestamp: timestampAfter(question.kinds.includes("freetext") ? -6000 : 0) })]),
  ];
}
