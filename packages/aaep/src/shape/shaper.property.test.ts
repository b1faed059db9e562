import { AAEP, type JsonObject } from "@earshot/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../tools/test-volume.ts";
import { aaepRecordings } from "../../../protocol/testing/aaep.ts";
import { judgeRecording } from "../../../protocol/testing/judge-recording.ts";
import type { FeedEvent } from "../feed.ts";
import { compileTerms } from "../producer/compile-terms.ts";
import { toFeedEvent } from "../producer/to-feed-event.ts";
import type { Terms } from "../terms.ts";
import { PacedShaper } from "./shaper.ts";
import { outputTextsOf, runShaper, type SentEvent, type TakeRhythm } from "./testing/run-shaper.ts";
import { arbitraryStreams, arbitraryTerms } from "./testing/streams.ts";

const rhythms: fc.Arbitrary<TakeRhythm> = fc.record({
  gapsMs: fc.array(fc.constantFrom(0, 1, 5, 20, 100, 700, 3000), { minLength: 1, maxLength: 12 }),
  takes: fc.array(fc.boolean(), { minLength: 1, maxLength: 7 }),
});

const MERGED = new Set(["aaep:agent.output.streaming", "aaep:agent.state.changed", "aaep:agent.progress.updated"]);
/** The producer's hints are its own; outgoing ones are within the negotiated terms. */
const HINTS = "aaep/coalesce-hint-negotiated";

const FREE = compileTerms({}, {});
const shape = (heard: readonly FeedEvent[], terms: Terms, rhythm: TakeRhythm) => runShaper(new PacedShaper(terms, 0), heard, rhythm);
const originals = (some: readonly { readonly event: JsonObject }[]) => some.map(({ event }) => event);
const typeOf = ({ event }: { readonly event: JsonObject }) => String(event["type"]);

describe("whatever is heard, and whatever was negotiated", () => {
  it("comes out complete, in order, within the rate and by the rules of the protocol", () => {
    let merged = 0;
    fc.assert(
      fc.property(arbitraryStreams, arbitraryTerms, rhythms, (heard, terms, rhythm) => {
        const sent = shape(heard, terms, rhythm);
        checkTexts(heard, sent);
        checkUnmerged(heard, sent);
        for (const session of new Set(heard.map((one) => one.session)))
          checkOrder(sent.filter(({ event }) => event["session_id"] === session));
        checkIds(sent);
        checkRate(terms, sent);
        checkRules(terms, heard, sent);
        merged += checkResumable(sent);
      }),
    );
    expect(merged).toBeGreaterThan(100);
  });

  it("what is critical comes out with the next take, and all that its session said before has come out then", () => {
    fc.assert(
      fc.property(arbitraryStreams, arbitraryTerms, fc.array(fc.constantFrom(0, 5, 100), { minLength: 1 }), (heard, terms, gapsMs) => {
        const shaper = new PacedShaper(terms, 0);
        const sent: JsonObject[] = [];
        let at = 0;
        heard.forEach((one, index) => {
          at += gapsMs[index % gapsMs.length] ?? 0;
          shaper.handle(one, at);
          if (!one.critical) return;
          sent.push(...shaper.take(at, 10_000).map(({ text }) => JSON.parse(text) as JsonObject));
          const ofSession = (events: readonly JsonObject[]) => events.filter((event) => event["session_id"] === one.session);
          const [said, before] = [ofSession(sent), ofSession(originals(heard.slice(0, index + 1)))];
          expect(said.at(-1)?.["event_id"]).toBe(one.eventId);
          expect(outputTextsOf(said)).toEqual(outputTextsOf(before));
          const whole = (events: readonly JsonObject[]) => events.filter(({ type }) => !MERGED.has(String(type))).length;
          expect(whole(said)).toBe(whole(before));
        });
      }),
    );
  });

  it("a stream resumed after an event that it can be resumed after repeats what followed, and nothing is missing", () => {
    fc.assert(
      fc.property(arbitraryStreams, arbitraryTerms, rhythms, fc.nat(), fc.boolean(), (heard, terms, rhythm, seed, again) => {
        const sent = shape(heard, terms, rhythm);
        const resumable = sent.flatMap((one, index) => (one.resumable ? [index] : []));
        const cut = resumable[seed % resumable.length];
        if (cut === undefined) return;
        const before = sent.slice(0, cut + 1);
        let after = resume(heard, terms, rhythm, before);
        // The second stream may be cut as well.
        const second = after.findLastIndex((one) => one.resumable);
        if (again && second >= 0) {
          const kept = [...before, ...after.slice(0, second + 1)];
          after = [...after.slice(0, second + 1), ...resume(heard, terms, rhythm, kept)];
        }
        checkPlacedTexts(heard, deduped([...before, ...after]));
        const ids = new Set([...before, ...after].map(({ eventId }) => eventId));
        for (const one of heard) if (!MERGED.has(one.type)) expect(ids).toContain(one.eventId);
      }),
      { numRuns: propertyRuns() },
    );
  });

  it("terms that change on the way lose nothing", () => {
    fc.assert(
      fc.property(arbitraryStreams, fc.array(arbitraryTerms, { minLength: 2, maxLength: 4 }), rhythms, (heard, all, { gapsMs }) => {
        const [first = FREE] = all;
        const shaper = new PacedShaper(first, 0);
        const sent: JsonObject[] = [];
        let at = 0;
        const take = () => sent.push(...shaper.take(at, 1000).map(({ text }) => JSON.parse(text) as JsonObject));
        heard.forEach((one, index) => {
          at += gapsMs[index % gapsMs.length] ?? 0;
          shaper.handle(one, at);
          if (index % 11 === 10) shaper.renegotiate(all[index % all.length] ?? FREE, at);
          take();
        });
        for (let due = shaper.dueAt(); due !== undefined; due = shaper.dueAt()) {
          at = Math.max(at, due);
          take();
        }
        expect(outputTextsOf(sent)).toEqual(outputTextsOf(originals(heard)));
        expect(errorsIn(FREE, sent).filter((rule) => rule !== HINTS)).toEqual([]);
        expect(shaper.isWaiting).toBe(false);
      }),
    );
  });

  it("conforming recordings of all kinds still conform", () => {
    fc.assert(
      fc.property(aaepRecordings, arbitraryTerms, rhythms, (recording, terms, rhythm) => {
        const seen = new Set<unknown>();
        const events = recording.filter(
          (item) => item["event_id"] !== undefined && !seen.has(item["event_id"]) && seen.add(item["event_id"]),
        );
        const heard = events.map((event, index) => toFeedEvent(index + 1, event));
        const admitted = heard
          .filter((one) => one.critical || terms.admits(one.type))
          .map(({ event: { sequence_number: _, ...event } }) => event);
        const known = new Set(errorsIn(terms, admitted).filter((rule) => rule !== HINTS));
        const shaped = shape(heard, terms, rhythm).map(({ event }) => event);
        expect(errorsIn(terms, shaped).filter((rule) => !known.has(rule))).toEqual([]);
        expect(outputTextsOf(shaped)).toEqual(outputTextsOf(originals(heard)));
      }),
      { numRuns: propertyRuns() },
    );
  });
});

/** Every text as sent by the producer, in its languages, ended once. */
function checkTexts(heard: readonly FeedEvent[], sent: readonly SentEvent[]): void {
  expect(outputTextsOf(originals(sent))).toEqual(outputTextsOf(originals(heard)));
}

/** Unmergeable events arrive once. */
function checkUnmerged(heard: readonly FeedEvent[], sent: readonly SentEvent[]): void {
  const ids = (some: readonly { readonly eventId: string; readonly event: JsonObject }[]) =>
    some.flatMap((one) => (MERGED.has(typeOf(one)) ? [] : [one.eventId])).sort();
  expect(ids(sent)).toEqual(ids(heard));
}

function checkOrder(sent: readonly SentEvent[]): void {
  // Whole events are never overtaken in either direction.
  sent.forEach((one, index) => {
    for (const later of sent.slice(index + 1)) {
      if (isText(one) && isText(later) && one.event["output_id"] !== later.event["output_id"]) continue;
      if ((isText(one) && isProgress(later)) || (isProgress(one) && isText(later))) continue;
      if (later.position < one.position) expect(later.position).toBeGreaterThanOrEqual(one.position);
    }
  });
}

/** Valid and unique. */
function checkIds(sent: readonly SentEvent[]): void {
  for (const { eventId, event } of sent) {
    expect(event["event_id"]).toBe(eventId);
    expect(eventId).toMatch(/^evt_[A-Za-z0-9]{1,64}$/);
  }
  expect(new Set(sent.map(({ eventId }) => eventId)).size).toBe(sent.length);
}

/** No window exceeds the rate, except for events sent first because a critical one follows. */
function checkRate({ maxEventsPerSecond: rate }: Terms, sent: readonly SentEvent[]): void {
  if (rate === Number.POSITIVE_INFINITY) return;
  const counted = sent.filter((one, index) => !one.critical && !sent.slice(index).some((later) => isPushedBy(one, later)));
  counted.forEach((first, index) => {
    counted.slice(index).forEach((last, more) => {
      const allowed = Math.max(1, rate / 10) + ((last.at - first.at) / 1000) * rate + 1e-3;
      if (more + 1 > allowed) expect(more + 1).toBeLessThanOrEqual(allowed);
    });
  });
}

/** A conforming stream still conforms. */
function checkRules(terms: Terms, heard: readonly FeedEvent[], sent: readonly SentEvent[]): void {
  expect(errorsIn(terms, originals(heard)).filter((rule) => rule !== HINTS)).toEqual([]);
  expect(errorsIn(terms, originals(sent))).toEqual([]);
}

/** A stream cannot resume after a merged event. Returns their number. */
function checkResumable(sent: readonly SentEvent[]): number {
  const merged = sent.filter(({ eventId }) => /^evt_[0-9a-f]{32}$/.test(eventId));
  expect(merged.filter(({ resumable }) => resumable)).toEqual([]);
  return merged.length;
}

/** Repeated chunks change nothing: each output is reassembled by position, in one of the units producers use. */
function checkPlacedTexts(heard: readonly FeedEvent[], sent: readonly SentEvent[]): void {
  const outputs = new Set(heard.map(({ event }) => event["output_id"] !== undefined && `${event["session_id"]} ${event["output_id"]}`));
  const isOf = (output: unknown, event: JsonObject) => `${event["session_id"]} ${event["output_id"]}` === output;
  for (const output of outputs) {
    const whole = heard.flatMap(({ event }) => (isOf(output, event) ? [String(event["chunk"])] : [])).join("");
    const placed = [(text: string) => [...text], (text: string) => text.split("")].map((charactersOf) => {
      const text: string[] = [];
      for (const { event } of sent.filter((one) => isOf(output, one.event))) {
        for (const [index, character] of charactersOf(String(event["chunk"])).entries())
          text[Number(event["position"]) + index] = character;
      }
      return text.join("");
    });
    expect(placed).toContain(whole);
  }
}

const isText = (one: SentEvent) => typeOf(one) === "aaep:agent.output.streaming";
const isProgress = (one: SentEvent) => typeOf(one) === "aaep:agent.progress.updated";

function isPushedBy(one: SentEvent, later: SentEvent): boolean {
  return later.critical && later.batch === one.batch && later.event["session_id"] === one.event["session_id"];
}

function resume(heard: readonly FeedEvent[], terms: Terms, rhythm: TakeRhythm, had: readonly SentEvent[]): SentEvent[] {
  const last = had.findLast((one) => one.resumable);
  const place = heard.find(({ eventId }) => eventId === last?.eventId)?.position ?? 0;
  const rest = heard.filter(({ position }) => position > place);
  return runShaper(new PacedShaper(terms, 0), rest, rhythm);
}

/** As a subscriber does: an equal id is the same event. */
function deduped(sent: readonly SentEvent[]): SentEvent[] {
  const seen = new Map<string, SentEvent>();
  for (const one of sent) {
    const known = seen.get(one.eventId);
    if (known === undefined) seen.set(one.eventId, one);
    else expect(one.text).toBe(known.text);
  }
  return [...seen.values()];
}

/** Includes the handshake, so that hints and filters are judged. Times are those of creation, so the rate is judged elsewhere. */
function errorsIn(terms: Terms, events: readonly JsonObject[]): string[] {
  const capabilities = { ...terms.honored, supports_clarification_reply: true, supports_confirmation_reply: true } as JsonObject;
  const handshake: JsonObject[] = [
    { type: "subscription.request", aaep_version: "1.0.0", subscriber_id: "reader", capabilities },
    {
      type: "subscription.accepted",
      subscription_id: "sub_1",
      aaep_version: "1.0.0",
      producer: { agent_id: "writer" },
      honored_capabilities: capabilities,
    },
  ];
  return judgeRecording(AAEP, [...handshake, ...events])
    .filter(({ severity, rule }) => severity === "error" || rule === HINTS)
    .map(({ rule }) => String(rule))
    .filter((rule) => rule !== "aaep/rate-honored");
}
