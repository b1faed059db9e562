import type { JsonValue } from "@earshot/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { testVolume } from "../../../../tools/test-volume.ts";
import type { RequestAnswer } from "./answer.ts";
import { applyEdit } from "./answer-fits.ts";
import type { RequestCardData } from "./card.ts";
import { createHeldRequest, type HeldRequest } from "./held-request.ts";
import { canonicalJson, digestOfAsked, questionDigest, toNewRequest } from "./question.ts";
import { releaseOf } from "./request-view.ts";

const SECRET = "a-secret-of-tests";
const ALLOW: RequestAnswer = { word: "allow" };

function decided(raw: JsonValue, answer: RequestAnswer = ALLOW, masked: readonly string[] = []): HeldRequest {
  const asked: RequestCardData["asked"] = {
    kind: "permission",
    protocol: "aep",
    source: "producer",
    session: "s",
    agent: "claude",
    title: "Bash",
    input: raw,
    masked: masked.map((pointer) => ({ pointer })),
    said: [],
    risk: "low",
    irreversible: false,
    facts: {},
  };
  const terms: RequestCardData["terms"] = {
    answers: ["allow", "deny"],
    silence: { answer: { word: "ask" }, by: "hub" },
    moreTimeMs: 0,
    latestAt: null,
    polls: true,
    besideDialog: false,
    action: null,
    because: "the agent asks",
  };
  const question = { asked, terms, timeMs: 1000, identity: "i", raw };
  const held = createHeldRequest(question, toNewRequest(question, SECRET, 0), { at: 0, eventId: "e", now: 0, sizeBytes: 0 });
  const settlement = { state: "answered-by-person" as const, digest: held.digest, by: "ann", answer };
  held.machine = { ...held.machine, phase: "answered-by-person", settlement };
  return held;
}

describe("what is released", () => {
  it("is what was shown: an input that was exchanged after the decision is refused, whatever it is", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (shown, other) => {
        const held = decided(shown as JsonValue);
        expect(releaseOf(held, SECRET)?.answer).toEqual(ALLOW);
        held.raw = { input: other as JsonValue };
        const isSame = canonicalJson(shown as JsonValue) === canonicalJson(other as JsonValue);
        expect(releaseOf(held, SECRET)?.answer.word).toBe(isSame ? "allow" : "deny");
        held.raw = undefined;
        if (shown !== null) expect(releaseOf(held, SECRET)?.answer.word).toBe("deny");
      }),
      { numRuns: testVolume({ fast: 200, short: 1000, full: 10_000 }) },
    );
  });

  it("is no yes for a decision about something else, and a no in any case", () => {
    const held = decided({ command: "ls" });
    const { settlement } = held.machine;
    if (settlement === null) throw new Error("It was decided.");
    held.machine = { ...held.machine, settlement: { ...settlement, digest: "another" } };
    expect(releaseOf(held, SECRET)?.answer).toMatchObject({ word: "deny" });
    const refused = decided({ command: "ls" }, { word: "deny" });
    refused.raw = undefined;
    expect(releaseOf(refused, SECRET)?.answer).toEqual({ word: "deny" });
  });

  it("is the edited input, made from the raw one", () => {
    const edit = [{ pointer: "/list/1/name", value: "new" }];
    const raw = { list: [1, { name: "old", secret: "s3cr3t" }] };
    expect(releaseOf(decided(raw, { word: "allow", edit }, ["/list/1/secret"]), SECRET)?.updatedInput).toEqual({
      list: [1, { name: "new", secret: "s3cr3t" }],
    });
  });

  it("is refused where a rule put another input in place, and the rule has gone", () => {
    const held = decided({ command: "ls" }, { word: "allow", rewrites: true });
    expect(releaseOf(held, SECRET)?.answer.word).toBe("deny");
    held.updatedInput = { command: "ls -l" };
    expect(releaseOf(held, SECRET)).toMatchObject({ answer: { word: "allow" }, updatedInput: { command: "ls -l" } });
  });
});

describe("a digest", () => {
  it("does not depend on the order of members, and on nothing but the content and the key", () => {
    expect(canonicalJson({ b: [1, "ü", null], a: { d: true, c: -0 } })).toBe('{"a":{"c":0,"d":true},"b":[1,"ü",null]}');
    expect(digestOfAsked({ a: 1, b: 2 }, SECRET)).toBe(digestOfAsked({ b: 2, a: 1 }, SECRET));
    expect(digestOfAsked({ a: 1 }, SECRET)).not.toBe(digestOfAsked({ a: "1" }, SECRET));
    expect(digestOfAsked({ a: 1 }, SECRET)).not.toBe(digestOfAsked({ a: 1 }, "another secret"));
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(canonicalJson(JSON.parse(canonicalJson(value as JsonValue)) as JsonValue)).toBe(canonicalJson(value as JsonValue));
      }),
    );
  });

  it("covers what is masked as well as what is shown", () => {
    const { card } = decided({ command: "a" });
    expect(questionDigest({ asked: card.asked, raw: { command: "a" } }, SECRET)).not.toBe(
      questionDigest({ asked: card.asked, raw: { command: "b" } }, SECRET),
    );
    expect(questionDigest({ asked: card.asked, raw: null }, SECRET)).not.toBe(
      questionDigest({ asked: { ...card.asked, session: "other" }, raw: null }, SECRET),
    );
  });
});

describe("an edit", () => {
  const input = { a: { b: ["x", "y"], "c/d": 1, "e~f": 2 } };

  it.each([
    ["/a/b/1", { a: { ...input.a, b: ["x", "new"] } }],
    ["/a/c~1d", { a: { ...input.a, "c/d": "new" } }],
    ["/a/e~0f", { a: { ...input.a, "e~f": "new" } }],
    ["", "new"],
  ])("replaces what is at %s", (pointer, expected) => {
    expect(applyEdit(input, [{ pointer, value: "new" }], [])).toEqual(expected);
  });

  it.each(["a", "/x", "/a/b/2", "/a/b/-", "/a/b/01", "/a/b/x", "/__proto__", "/a/constructor", "/a/b/0/length"])(
    "refuses %s, where there is nothing",
    (pointer) => {
      expect(() => applyEdit(input, [{ pointer, value: "new" }], [])).toThrow();
    },
  );

  it.each(["/a/b/0", "/a/b", "/a", "", "/a/b/0/deeper"])("refuses %s, which touches what is masked at /a/b/0", (pointer) => {
    expect(() => applyEdit(input, [{ pointer, value: "new" }], [{ pointer: "/a/b/0" }])).toThrow("masked");
  });

  it("beside what is masked is fine, also where a name begins alike", () => {
    const masked = [{ pointer: "/a/b/1" }];
    expect(applyEdit({ a: { b: ["x", "y"], bc: 1 } }, [{ pointer: "/a/bc", value: 2 }], masked)).toEqual({ a: { b: ["x", "y"], bc: 2 } });
  });
});
