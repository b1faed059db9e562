import { AAEP, type Capabilities, createJudge, type Finding, type JsonObject, readJson, type SubscriptionRequest } from "@earshot/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../tools/test-volume.ts";
import { BOUNDARIES } from "../terms.ts";
import { negotiate, renegotiate } from "./negotiate.ts";
import type { Negotiation, ProducerOffer } from "./producer-ports.ts";
import { TEST_OFFER, testRequest } from "./testing/test-producer.ts";

function honored(outcome: Negotiation): Capabilities {
  if (!outcome.ok) throw new Error(`${outcome.rejected.reason_code}: ${outcome.rejected.reason_message}`);
  return outcome.accepted.honored_capabilities;
}

function ask(capabilities: Capabilities, offer: Partial<ProducerOffer> = {}, version = "1.0.0"): Negotiation {
  return negotiate({ ...testRequest(capabilities), aaep_version: version }, { ...TEST_OFFER, ...offer }, "sub_1");
}

function reason(outcome: Negotiation): string | undefined {
  return outcome.ok ? undefined : outcome.rejected.reason_code;
}

/** The recording checker's findings about a handshake. */
function judge(messages: readonly object[]): readonly Finding[] {
  const found: Finding[] = [];
  const judging = createJudge(AAEP, { tell: ({ finding }) => found.push(finding) });
  messages.forEach((message, at) => {
    const read = readJson(JSON.stringify(message));
    if (!read.ok) throw new Error(read.problem.message);
    judging.handle(AAEP.read(read.value as JsonObject, read.facts), at, read.facts);
  });
  return found;
}

describe("a negotiation", () => {
  it("fills in the defaults of what was not asked for, and is no looser", () => {
    expect(honored(ask({}))).toEqual({
      preferred_verbosity: "normal",
      languages: ["en-US"],
      supports_confirmation_reply: false,
      supports_clarification_reply: false,
      coalesce_boundaries: ["sentence", "completion"],
      event_filters: { include: ["aaep:agent.*"], exclude: [] },
      supported_conformance_levels: [1],
      supported_extensions: [],
      cognitive_load: "medium",
      accept_signed_manifests_only: false,
    });
  });

  it("takes the lower of two rates, and says so", () => {
    expect(honored(ask({ max_events_per_second: 5 })).max_events_per_second).toBe(5);
    const limited = ask({ max_events_per_second: 50 }, { maxEventsPerSecond: 20 });
    expect(honored(limited).max_events_per_second).toBe(20);
    expect(limited).toMatchObject({ accepted: { negotiation_notes: "At most 20 events per second are sent." } });
    expect(honored(ask({}, { maxEventsPerSecond: 20 })).max_events_per_second).toBe(20);
  });

  it("echoes languages as they were requested, and leaves out unsupported ones", () => {
    const spoken = { languages: ["en-US", "zh-Hant-TW", "pt"] };
    expect(honored(ask({ languages: ["fr", "EN", "pt-BR", "zh-Hans"] }, spoken)).languages).toEqual(["EN", "pt-BR"]);
    expect(honored(ask({ languages: ["xx", "yy"] })).languages).toEqual(["xx", "yy"]);
    expect(reason(ask({ languages: ["fr", "de"] }, spoken))).toBe("capabilities_incompatible");
  });

  it("sends no one away for want of a language who named none", () => {
    const outcome = ask({}, { languages: ["de"] });
    expect(honored(outcome).languages).toBeUndefined();
    expect(outcome).toMatchObject({ accepted: { negotiation_notes: "What is said is said in de." } });
  });

  it("echoes filters, and refuses patterns that nobody could agree on", () => {
    const filters = { include: ["aaep:agent.*", "opsx:*"], exclude: ["aaep:agent.progress.updated"] };
    expect(honored(ask({ event_filters: filters })).event_filters).toEqual(filters);
    expect(honored(ask({ event_filters: { exclude: ["aaep:agent.tool.*"] } })).event_filters).toEqual({
      include: ["aaep:agent.*"],
      exclude: ["aaep:agent.tool.*"],
    });
    expect(reason(ask({ event_filters: { exclude: ["aaep:*.updated"] } }))).toBe("capabilities_incompatible");
  });

  it("keeps the levels and boundaries that both know", () => {
    expect(honored(ask({ supported_conformance_levels: [1, 2, 3] }, { levels: [1, 2] })).supported_conformance_levels).toEqual([1, 2]);
    expect(reason(ask({ supported_conformance_levels: [3] }, { levels: [1, 2] }))).toBe("capabilities_incompatible");
    expect(honored(ask({ coalesce_boundaries: ["word", "sentence"] }, { boundaries: ["sentence"] })).coalesce_boundaries).toEqual([
      "sentence",
    ]);
    expect(reason(ask({ coalesce_boundaries: ["word"] }, { boundaries: ["sentence"] }))).toBe("capabilities_incompatible");
  });

  it("takes replies only where both do", () => {
    const both = { supports_confirmation_reply: true, supports_clarification_reply: true };
    expect(honored(ask(both))).toMatchObject(both);
    expect(honored(ask(both, { takesConfirmations: false }))).toMatchObject({
      supports_confirmation_reply: false,
      supports_clarification_reply: true,
    });
  });

  it("agrees on a version of the same family, and on no other", () => {
    const version = (asked: string, versions = ["1.2.0", "1.0.0"]) => {
      const outcome = ask({}, { versions }, asked);
      return outcome.ok ? outcome.accepted.aaep_version : outcome.rejected.reason_code;
    };
    expect(version("1.0.0")).toBe("1.0.0");
    expect(version("1.1.0")).toBe("1.0.0");
    expect(version("1.9.3")).toBe("1.2.0");
    expect(version("1.0.0", ["1.2.0"])).toBe("1.2.0");
    expect(version("99.99.99")).toBe("version_unsupported");
    expect(version("0.1.0-draft")).toBe("version_unsupported");
    expect(version("0.1.0-draft", ["1.0.0", "0.1.0-draft"])).toBe("0.1.0-draft");
    expect(version("0.1.0", ["0.2.0"])).toBe("version_unsupported");
  });

  it("sends the signed manifest on demand, or refuses", () => {
    expect(reason(ask({ accept_signed_manifests_only: true }))).toBe("manifest_signature_required");
    const signed = ask({ accept_signed_manifests_only: true }, { signedManifest: "a.b.c" });
    expect(signed).toMatchObject({ accepted: { signed_manifest: "a.b.c", honored_capabilities: { accept_signed_manifests_only: true } } });
  });

  it("refuses two extensions whose data would be mixed up, and keeps the newer of two editions", () => {
    const extensions = ["https://a.example/ops/v2", "https://a.example/ops/v1", "https://b.example/ops/v1"];
    const extensionPrefixes = { [extensions[0] ?? ""]: "ops", [extensions[1] ?? ""]: "ops", [extensions[2] ?? ""]: "ops" };
    const offer = { extensions, extensionPrefixes };
    expect(honored(ask({ supported_extensions: extensions.slice(0, 2) }, offer)).supported_extensions).toEqual(extensions.slice(0, 1));
    const mixed = ask({ supported_extensions: extensions.slice(1) }, offer);
    expect(mixed).toMatchObject({ rejected: { reason_code: "capabilities_incompatible", reason_message: expect.stringContaining("ops") } });
  });

  it("changes only what a renegotiation names, under the same id", () => {
    const first = ask({ max_events_per_second: 5, preferred_verbosity: "terse" });
    if (!first.ok) throw new Error("rejected");
    const change = { type: "subscription.renegotiate" as const, subscription_id: "sub_1", capabilities: { max_events_per_second: 2 } };
    const second = renegotiate(change, first.terms, { version: "1.0.0", offer: TEST_OFFER });
    expect(second).toMatchObject({
      accepted: { subscription_id: "sub_1", honored_capabilities: { max_events_per_second: 2, preferred_verbosity: "terse" } },
    });
    const impossible = { ...change, capabilities: { accept_signed_manifests_only: true } };
    expect(reason(renegotiate(impossible, first.terms, { version: "1.0.0", offer: TEST_OFFER }))).toBe("manifest_signature_required");
  });
});

const tags = ["en", "en-US", "EN-gb", "de", "zh-Hant", "zh-Hans-CN", "pt-BR", "yo"];
const patterns = [
  "aaep:agent.*",
  "aaep:agent.tool.*",
  "aaep:agent.tool.invoked",
  "aaep:*",
  "*",
  "medai:*",
  "medai:x",
  "aaep:agent.session.*",
];
const uris = ["https://a.example/v1", "https://b.example/v1", "urn:c"];
const some = <Item>(items: readonly Item[], minLength = 0) => fc.uniqueArray(fc.constantFrom(...items), { minLength });

const capabilities: fc.Arbitrary<Capabilities> = fc.record(
  {
    max_events_per_second: fc.integer({ min: 1, max: 1000 }),
    preferred_verbosity: fc.constantFrom("terse" as const, "normal" as const, "detailed" as const),
    languages: some(tags, 1),
    supports_confirmation_reply: fc.boolean(),
    supports_clarification_reply: fc.boolean(),
    coalesce_boundaries: some(BOUNDARIES, 1),
    event_filters: fc.record({ include: some(patterns), exclude: some(patterns) }, { requiredKeys: [] }),
    supported_conformance_levels: some([1, 2, 3] as const, 1),
    supported_extensions: some(uris),
    cognitive_load: fc.constantFrom("low" as const, "medium" as const, "high" as const),
    pace_wpm: fc.integer({ min: 50, max: 1000 }),
    accept_signed_manifests_only: fc.boolean(),
  },
  { requiredKeys: [] },
);

const offers: fc.Arbitrary<ProducerOffer> = fc
  .record(
    {
      languages: some(tags, 1),
      maxEventsPerSecond: fc.integer({ min: 1, max: 1000 }),
      signedManifest: fc.constant("aaa.bbb.ccc"),
    },
    { requiredKeys: [] },
  )
  .chain((rest) =>
    fc.record({
      ...Object.fromEntries(Object.entries({ ...TEST_OFFER, ...rest }).map(([key, value]) => [key, fc.constant(value)])),
      levels: some([1, 2, 3] as const, 1),
      boundaries: some(BOUNDARIES, 1),
      extensions: some(uris),
      takesConfirmations: fc.boolean(),
      takesClarifications: fc.boolean(),
    }),
  )
  .map((offer) => offer as unknown as ProducerOffer);

describe("whatever is asked for", () => {
  it("the checker finds nothing wrong with the answer, nor with the answer to a change", () => {
    let accepted = 0;
    fc.assert(
      fc.property(capabilities, capabilities, offers, (first, change, offer) => {
        const asked: SubscriptionRequest = testRequest(first);
        const outcome = negotiate(asked, offer, "sub_1");
        const answer = outcome.ok ? outcome.accepted : outcome.rejected;
        const messages: object[] = [asked, answer];
        if (outcome.ok) {
          accepted++;
          const renegotiation = { type: "subscription.renegotiate" as const, subscription_id: "sub_1", capabilities: change };
          const second = renegotiate(renegotiation, outcome.terms, { version: "1.0.0", offer });
          messages.push(renegotiation, second.ok ? second.accepted : second.rejected);
        }
        // Whether a level 2 subscriber declares replies is up to the subscriber.
        expect(judge(messages).filter(({ rule }) => rule !== "aaep/level-needs-replies")).toEqual([]);
      }),
      { numRuns: propertyRuns() },
    );
    expect(accepted).toBeGreaterThan(20);
  });

  it("is never exceeded", () => {
    fc.assert(
      fc.property(capabilities, offers, (asked, offer) => {
        const outcome = negotiate(testRequest(asked), offer, "sub_1");
        if (!outcome.ok) return;
        const kept = outcome.accepted.honored_capabilities;
        expect(kept.max_events_per_second ?? Number.POSITIVE_INFINITY).toBeLessThanOrEqual(
          asked.max_events_per_second ?? Number.POSITIVE_INFINITY,
        );
        expect(asked.languages ?? ["en-US"]).toEqual(expect.arrayContaining(kept.languages ?? []));
        expect(asked.coalesce_boundaries ?? ["sentence", "completion"]).toEqual(expect.arrayContaining(kept.coalesce_boundaries ?? []));
        expect(asked.supported_conformance_levels ?? [1]).toEqual(expect.arrayContaining(kept.supported_conformance_levels ?? []));
        expect(asked.supported_extensions ?? []).toEqual(expect.arrayContaining(kept.supported_extensions ?? []));
        if (asked.supports_confirmation_reply !== true) expect(kept.supports_confirmation_reply).toBe(false);
        if (asked.supports_clarification_reply !== true) expect(kept.supports_clarification_reply).toBe(false);
        if (asked.accept_signed_manifests_only === true) expect(kept.accept_signed_manifests_only).toBe(true);
        expect(outcome.terms.boundaries).toEqual(new Set(kept.coalesce_boundaries ?? ["sentence", "completion"]));
      }),
      { numRuns: propertyRuns() },
    );
  });
});
