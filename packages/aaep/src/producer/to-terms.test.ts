import { describe, expect, it } from "vitest";
import { implicitTerms } from "./negotiate.ts";
import { toTerms } from "./to-terms.ts";

describe("terms", () => {
  it("have the same key when they shape a stream the same way, and another one otherwise", () => {
    const key = (honored: Parameters<typeof toTerms>[1]) => toTerms({}, honored).key;
    expect(key({})).toBe(key({ preferred_verbosity: "normal", coalesce_boundaries: ["completion", "sentence"] }));
    expect(key({})).toBe(key({ supports_confirmation_reply: true }));
    const others = [
      key({}),
      key({ max_events_per_second: 2 }),
      key({ preferred_verbosity: "terse" }),
      key({ languages: ["en", "de"] }),
      key({ languages: ["de", "en"] }),
      key({ coalesce_boundaries: ["word"] }),
      key({ cognitive_load: "low" }),
      key({ pace_wpm: 120 }),
      key({ event_filters: { exclude: ["aaep:agent.tool.*"] } }),
    ];
    expect(new Set(others).size).toBe(others.length);
    for (const one of others) expect(one).toMatch(/^[a-z0-9]{1,12}$/);
  });

  it("of somebody who asked for nothing are those of the protocol", () => {
    const terms = implicitTerms();
    expect(terms.maxEventsPerSecond).toBe(Number.POSITIVE_INFINITY);
    expect(terms.boundaries).toEqual(new Set(["sentence", "completion"]));
    expect([terms.admits("aaep:agent.state.changed"), terms.admits("medai:x")]).toEqual([true, false]);
  });
});
