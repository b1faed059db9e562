import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { INBOX_ARMING_MS, INITIAL_KEY_STATE, type KeyAction, type KeyState, keysFor, pressKey, RequestBook } from "./press-key.ts";
import { type SampleParts, sampleDecision, sampleRequest } from "./testing/sample-request.ts";

const ID = (number: number) => `req_${String(number).padStart(24, "0")}`;

function bookOf(...parts: readonly SampleParts[]): RequestBook {
  const book = new RequestBook();
  for (const [index, part] of parts.entries()) book.note(sampleRequest({ ...part, view: { ...part.view, id: ID(index + 1) } }));
  return book;
}

/** Presses keys with delays between them, and returns the last action. */
function press(
  book: RequestBook,
  keys: string,
  everyMs: number,
  from: KeyState = INITIAL_KEY_STATE,
): { wish: KeyAction | null; state: KeyState; all: (KeyAction | null)[] } {
  let state = from;
  const all: (KeyAction | null)[] = [];
  [...keys].forEach((key, index) => {
    const pressed = pressKey(state, key, 10_000 + index * everyMs, book);
    state = pressed.state;
    all.push(pressed.wish);
  });
  return { wish: all.at(-1) ?? null, state, all };
}

const RISKY: SampleParts = { asked: { irreversible: true } };
const SLOW = INBOX_ARMING_MS;

describe("keys of the inbox", () => {
  it.each<[string, SampleParts, string, KeyAction]>([
    ["allows", {}, "1a", { kind: "yes", id: ID(1) }],
    ["denies", {}, "1d", { kind: "no", id: ID(1) }],
    ["gives more time", {}, "1m", { kind: "more-time", id: ID(1) }],
    ["puts off", {}, "1p", { kind: "defer", id: ID(1) }],
    ["shows the card", {}, "1v", { kind: "card", id: ID(1) }],
    ["says it again", {}, "1\r", { kind: "choose", id: ID(1) }],
    ["replies to a question", { asked: { kind: "clarification" }, terms: { answers: ["respond"] } }, "1r", { kind: "reply", id: ID(1) }],
    ["takes over", { asked: { kind: "handoff" }, terms: { answers: ["take-over", "decline"] } }, "1a", { kind: "yes", id: ID(1) }],
    ["confirms what is risky with another key", RISKY, "1ay", { kind: "yes", id: ID(1) }],
    ["stops a session after asking", {}, "1sy", { kind: "stop", id: ID(1) }],
    ["quits", {}, "q", { kind: "quit" }],
    ["quits by Ctrl-C, whatever is being asked", RISKY, "1a\u0003", { kind: "quit" }],
    ["asks for a rule", {}, "1f", { kind: "always", id: ID(1) }],
    ["lists", {}, "l", { kind: "list" }],
    ["helps", {}, "?", { kind: "help" }],
  ])("%s", (_what, part, keys, wish) => {
    expect(press(bookOf(part), keys, SLOW).wish).toEqual(wish);
  });

  it.each<[string, SampleParts, string, RegExp]>([
    ["without a chosen request", {}, "a", /Nothing is chosen/],
    ["for a number that there is not", {}, "7", /no open request 7/],
    ["when a question is answered with a", { asked: { kind: "clarification" }, terms: { answers: ["respond"] } }, "1a", /r replies/],
    ["when what is asked for can be said in two words", {}, "1r", /not a question/],
    ["when the deadline cannot be extended", { view: { extensionsLeft: 0 } }, "1m", /deadline can't be extended/],
    ["when nobody waits", { view: { waits: false } }, "1a", /no longer waits/],
    ["when it cannot be put off", { terms: { answers: ["allow", "deny"] } }, "1p", /cannot be deferred/],
    ["when nothing is there to be kept", {}, "k", /no late answer/],
    ["before what is risky", RISKY, "1a", /cannot be undone\. Press y to allow it/],
    [
      "before what is found to be risky here",
      { asked: { input: { command: "sudo rm -rf /" } } },
      "1a",
      /cannot be undone\. Press y to allow it/,
    ],
    ["before what has a high risk", { asked: { risk: "high" } }, "1a", /risk is high\. Press y/],
    ["when it is not confirmed", RISKY, "1an", /Cancelled/],
    ["when the same key is held down instead", RISKY, "1aa", /Cancelled/],
  ])("decides nothing, and says why, %s", (_when, part, keys, text) => {
    const { wish } = press(bookOf(part), keys, SLOW);
    expect(wish).toEqual({ kind: "say", text: expect.stringMatching(text) });
  });

  it("decides nothing by keys that were pressed ahead", () => {
    for (const keys of ["1a", "1d", "1m", "1s", "1ay", "1sy", "1aaaa"]) {
      const { all } = press(bookOf({}, RISKY), keys, 20);
      expect(all.filter((wish) => wish !== null && !["say", "choose"].includes(wish.kind))).toEqual([]);
    }
    const { all } = press(bookOf(RISKY), "1", SLOW);
    expect(all).toEqual([{ kind: "choose", id: ID(1) }]);
    const asked = press(bookOf(RISKY), "1a", SLOW);
    expect(pressKey(asked.state, "y", 10_000 + SLOW + 1, bookOf(RISKY)).wish).toMatchObject({ kind: "say" });
  });

  it("keeps a late yes after asking, and only the one that was late", () => {
    const late = { ...INITIAL_KEY_STATE, late: ID(7) };
    expect(press(bookOf(), "k", SLOW, late).wish).toMatchObject({ kind: "say", text: expect.stringContaining("Press y") });
    expect(press(bookOf(), "ky", SLOW, late)).toMatchObject({ wish: { kind: "keep", id: ID(7) }, state: { late: null } });
    expect(press(bookOf(), "ky", 20, late).wish).toMatchObject({ kind: "say" });
    expect(press(bookOf(), "kk", SLOW, late).wish).toMatchObject({ kind: "say", text: expect.stringContaining("Cancelled") });
  });

  it("takes several digits for one number where there are so many, and never gives a number to another request", () => {
    const many = bookOf(...Array.from({ length: 12 }, () => ({})));
    expect(press(many, "12", 100).wish).toEqual({ kind: "choose", id: ID(12) });
    expect(press(many, "12", 5000).wish).toEqual({ kind: "choose", id: ID(2) });
    const [first] = many.byNumber.values();
    many.note({ ...(first ?? sampleRequest()), decision: sampleDecision({ word: "allow" }) });
    many.note(sampleRequest({ view: { id: ID(99) } }));
    expect(many.numberOf(ID(99))).toBe(13);
    expect(press(many, "1a", SLOW).all.some((wish) => wish?.kind === "yes")).toBe(false);
  });

  it("never says yes to what is risky without a y, nor to anything within half a second of choosing it", () => {
    const key = fc.constantFrom("1", "2", "a", "d", "y", "s", "m", "v", "p", "\r", "\u001b", "x", "k", "l");
    fc.assert(
      fc.property(fc.array(fc.tuple(key, fc.integer({ min: 0, max: 900 })), { maxLength: 40 }), (keys) => {
        const book = bookOf({}, RISKY);
        let state = INITIAL_KEY_STATE;
        let now = 0;
        let chosenAt = 0;
        for (const [index, [one, after]] of keys.entries()) {
          now += after;
          const pressed = pressKey(state, one, now, book);
          state = pressed.state;
          const { wish } = pressed;
          if (wish?.kind === "choose") chosenAt = now;
          if (wish?.kind !== "yes" && wish?.kind !== "stop" && wish?.kind !== "no") continue;
          expect(now - chosenAt).toBeGreaterThanOrEqual(INBOX_ARMING_MS);
          if (wish.kind === "yes" && wish.id === ID(2)) expect([one, keys[index - 1]?.[0]]).toEqual(["y", expect.stringMatching(/[ay]/)]);
        }
      }),
    );
  });

  it("names only the keys that do something", () => {
    expect(keysFor(sampleRequest())).toBe(
      "Keys: a allow, d deny, p defer, m more time, f allow this kind from now on, v whole card, s stop this session.",
    );
    expect(
      keysFor(sampleRequest({ asked: { kind: "handoff" }, terms: { answers: ["take-over", "decline"] }, view: { extensionsLeft: 0 } })),
    ).toBe("Keys: a take over, d decline, v whole card, s stop this session.");
  });
});
