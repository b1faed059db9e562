import type { NumberedAnswer } from "@earshot/narrate";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type AnswerState,
  beginReading,
  endRequest,
  finishReading,
  LISTEN_ARMING_MS,
  leaveConfirming,
  NO_ANSWER_STATE,
  pressNumber,
} from "./answer-state.ts";

const ANSWERS: readonly NumberedAnswer[] = [
  { number: 1, label: "allow", word: "allow" },
  { number: 2, label: "deny", word: "deny" },
];
const SAFE = { answers: ANSWERS, risky: false };
const RISKY = { answers: ANSWERS, risky: true };
const HEARD = finishReading(beginReading(NO_ANSWER_STATE, "r1", 0), "r1");
const LATER = LISTEN_ARMING_MS + 1;

describe("answers by number", () => {
  it("answers what was heard to its end", () => {
    expect(pressNumber(HEARD, 2, LATER, SAFE).wish).toEqual({ kind: "answer", request: "r1", answer: ANSWERS[1] });
  });

  it("takes no number where nothing was asked, or it has ended", () => {
    for (const state of [NO_ANSWER_STATE, endRequest(HEARD, "r1")])
      expect(pressNumber(state, 1, LATER, SAFE).wish).toEqual({ kind: "refuse", why: "nothing asked" });
    expect(endRequest(HEARD, "another")).toBe(HEARD);
  });

  it("takes no number for what was not heard to its end", () => {
    expect(pressNumber(beginReading(NO_ANSWER_STATE, "r1", 0), 1, LATER, SAFE).wish).toEqual({ kind: "refuse", why: "not heard" });
  });

  it("takes no number in the first moment after one request has replaced another", () => {
    const replaced = finishReading(beginReading(HEARD, "r2", 10_000), "r2");
    expect(pressNumber(replaced, 1, 10_000 + LISTEN_ARMING_MS - 1, SAFE).wish).toEqual({ kind: "refuse", why: "too fast" });
    expect(pressNumber(replaced, 1, 10_000 + LISTEN_ARMING_MS, SAFE).wish).toMatchObject({ kind: "answer", request: "r2" });
  });

  it("says that there is no such answer", () => {
    expect(pressNumber(HEARD, 3, LATER, SAFE).wish).toEqual({ kind: "refuse", why: "no such answer" });
  });

  it("asks for the same number twice where a yes may do harm, and not for a no", () => {
    const first = pressNumber(HEARD, 1, LATER, RISKY);
    expect(first.wish.kind).toBe("confirm");
    expect(pressNumber(first.state, 1, LATER + 1, RISKY).wish).toEqual({ kind: "refuse", why: "too fast" });
    expect(pressNumber(first.state, 1, LATER + LISTEN_ARMING_MS, RISKY).wish.kind).toBe("answer");
    expect(pressNumber(HEARD, 2, LATER, RISKY).wish.kind).toBe("answer");
  });

  it("forgets a first press when another key comes between", () => {
    const first = pressNumber(HEARD, 1, LATER, RISKY);
    expect(pressNumber(leaveConfirming(first.state), 1, LATER + LISTEN_ARMING_MS, RISKY).wish.kind).toBe("confirm");
    const retold = beginReading(first.state, "r1", LATER);
    expect(pressNumber(retold, 1, LATER + LISTEN_ARMING_MS, RISKY).wish.kind).toBe("confirm");
  });

  it("a request that is told again stays heard", () => {
    expect(beginReading(HEARD, "r1", 50_000)).toMatchObject({ isSpoken: true, armedAt: LISTEN_ARMING_MS });
  });

  it("never lets anything happen that was not heard, nor what is risky by one key, whatever is pressed when", () => {
    const step = fc.oneof(
      fc.record({ is: fc.constant("tell" as const), id: fc.constantFrom("a", "b") }),
      fc.record({ is: fc.constant("hear" as const), id: fc.constantFrom("a", "b") }),
      fc.record({ is: fc.constant("end" as const), id: fc.constantFrom("a", "b") }),
      fc.record({ is: fc.constant("press" as const), number: fc.integer({ min: 1, max: 3 }) }),
      fc.record({ is: fc.constant("other" as const) }),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(step, fc.integer({ min: 0, max: 2000 })), { maxLength: 60 }), fc.boolean(), (steps, risky) => {
        let state: AnswerState = NO_ANSWER_STATE;
        let now = 0;
        const heard = new Set<string>();
        let told = "";
        let lastYesAt = Number.NEGATIVE_INFINITY;
        for (const [one, ms] of steps) {
          now += ms;
          if (one.is === "tell") {
            if (told !== one.id) heard.delete(one.id);
            told = one.id;
            state = beginReading(state, one.id, now);
          } else if (one.is === "hear") {
            if (told === one.id) heard.add(one.id);
            state = finishReading(state, one.id);
          } else if (one.is === "end") {
            if (told === one.id) told = "";
            heard.delete(one.id);
            state = endRequest(state, one.id);
          } else if (one.is === "other") state = leaveConfirming(state);
          else {
            const { wish, state: next } = pressNumber(state, one.number, now, { answers: ANSWERS, risky });
            state = next;
            if (wish.kind !== "refuse") {
              expect(heard.has(wish.request)).toBe(true);
              expect(wish.request).toBe(told);
            }
            if (wish.kind === "confirm") lastYesAt = now;
            else if (wish.kind === "answer" && wish.answer.word === "allow" && risky) {
              expect(now - lastYesAt).toBeGreaterThanOrEqual(LISTEN_ARMING_MS);
              expect(lastYesAt).toBeGreaterThanOrEqual(0);
              lastYesAt = Number.NEGATIVE_INFINITY;
            }
          }
        }
      }),
    );
  });
});
