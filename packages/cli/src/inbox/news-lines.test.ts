import type { RequestNews } from "@earshot/hub";
import { describe, expect, it } from "vitest";
import { newsLines } from "./plain-inbox.ts";
import { SAMPLE_TIME_MS, type SampleParts, sampleDecision, sampleRequest, UTC } from "./testing/sample-request.ts";

function tell(what: RequestNews["what"], parts: SampleParts = {}, number: number | undefined = 2): readonly string[] {
  const view = sampleRequest(parts);
  const news: RequestNews = {
    number: 1,
    at: new Date(SAMPLE_TIME_MS).toISOString(),
    what,
    request: view.id,
    session: view.session,
    text: "as the hub tells it",
  };
  return newsLines(news, number, view, UTC);
}

const IT = "Claude Code in shop wants to run npm test";

describe("news about a request", () => {
  it.each<[RequestNews["what"], SampleParts, string]>([
    ["half-time", { view: { leftMs: 300_000 } }, `2. Half of the time has passed, 5 minutes left: ${IT}`],
    ["last-call", { view: { leftMs: 20_000 } }, `2. Only 20 seconds left, then the agent asks at its own prompt: ${IT}`],
    [
      "last-call",
      { view: { leftMs: 20_000 }, terms: { silence: { answer: { word: "deny" }, by: "policy: careful" } } },
      `2. Only 20 seconds left, then it does not happen, as the rule careful says: ${IT}`,
    ],
    ["extended", {}, "2. More time was given. Without an answer by 09:09, in 9 minutes 30 seconds, the agent asks at its own prompt."],
    [
      "unattended",
      { view: { waits: false, closedBecause: "The agent no longer waits for an answer." } },
      `2. The agent no longer waits for an answer. It cannot be answered now. It was: ${IT}`,
    ],
    ["attended", {}, `2. The agent is back and waits again: ${IT}`],
    ["decided", { view: { decision: sampleDecision({ word: "deny" }) } }, `2. Denied by Ana's phone at 08:59. It was: ${IT}`],
    [
      "decided",
      { view: { decision: sampleDecision({ word: "deny" }, { state: "defaulted", by: "hub", unanswered: true }) } },
      `2. No answer came by 08:59: it did not happen. It was: ${IT}`,
    ],
    ["taken", {}, "2. The agent took the answer."],
    ["outcome", { view: { outcome: "completed" } }, "2. Result: completed."],
    ["alarm", {}, "Alarm: as the hub tells it"],
  ])("%s is one line that stands by itself", (what, parts, line) => {
    expect(tell(what, parts)).toEqual([line]);
  });

  it("tells a new request whole, with its number", () => {
    expect(tell("asked")[0]).toBe(`2. ${IT}`);
    expect(tell("asked").at(-1)).toBe("   Id 3fa2c1.");
  });

  it.each(["half-time", "last-call", "unattended"] as const)("does not remind of what has ended meanwhile: %s", (what) => {
    expect(tell(what, { view: { decision: sampleDecision({ word: "allow" }) } })).toEqual([]);
  });

  it("is silent about what a rule answered at once, but never about an alarm", () => {
    const view = sampleRequest();
    const news = (what: RequestNews["what"]): RequestNews => ({
      number: 1,
      at: "",
      what,
      request: view.id,
      session: null,
      text: "it ran although it was refused",
    });
    for (const what of ["decided", "taken", "outcome"] as const) expect(newsLines(news(what), undefined, view, UTC)).toEqual([]);
    expect(newsLines(news("alarm"), undefined, view, UTC)).toEqual(["Alarm: it ran although it was refused"]);
  });
});
