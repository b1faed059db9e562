import type { ProtocolName } from "@earshot/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Edge, expectRefused, expectUnharmed, openEdge } from "./testing/edge.ts";
import { ALL_PROTOCOLS, confirmation, said, saidText } from "./testing/said.ts";

let edge: Edge;
beforeAll(async () => {
  edge = await openEdge();
});
afterAll(() => edge[Symbol.asyncDispose]());

type Changed = Readonly<Record<string, unknown>>;
type Row = readonly [name: string, protocol: ProtocolName, changed: Changed, rule: string | undefined, pointer: string];

const long = "x".repeat(10_240);
const SQL = "'; DROP TABLE entry; --";
const PATH = "../../../etc/passwd";

/** For each protocol, how to change an id and where a problem with it points. */
const SESSION: Readonly<Record<ProtocolName, (id: unknown) => Changed>> = {
  aaep: (id) => ({ session_id: id }),
  aep: (id) => ({ session: { id } }),
  aop: (id) => ({ session_id: id }),
};
const EVENT_ID: Readonly<Partial<Record<ProtocolName, (id: unknown) => Changed>>> = {
  aaep: (id) => ({ event_id: id }),
  aep: (id) => ({ id }),
};

const REFUSED: readonly Row[] = [
  ["an empty event id", "aaep", { event_id: "" }, "aaep/event-id", "/event_id"],
  ["an event id of 10 KB", "aaep", { event_id: `evt_${long}` }, "aaep/event-id", "/event_id"],
  ["an event id of emoji", "aaep", { event_id: "evt_😀" }, "aaep/event-id", "/event_id"],
  ["SQL as an event id", "aaep", { event_id: SQL }, "aaep/event-id", "/event_id"],
  ["a path as an event id", "aaep", { event_id: PATH }, "aaep/event-id", "/event_id"],
  ["NUL in an event id", "aaep", { event_id: "evt_\u0000" }, "aaep/event-id", "/event_id"],
  ["an event id that ends its line", "aaep", { event_id: "evt_1\n" }, "aaep/event-id", "/event_id"],
  ["an empty session id", "aaep", { session_id: "" }, "aaep/session-id", "/session_id"],
  ["a session id of 10 KB", "aaep", { session_id: `sess_${long}` }, "aaep/session-id", "/session_id"],
  ["an agent id of 10 KB", "aaep", { producer: { agent_id: long } }, undefined, "/producer/agent_id"],
  ["NUL in an agent id", "aaep", { producer: { agent_id: "a\u0000" } }, undefined, "/producer/agent_id"],
  ["an empty id", "aep", { id: "" }, "aep/id", "/id"],
  ["an id of 10 KB", "aep", { id: long }, undefined, "/id"],
  ["NUL in an id", "aep", { id: "a\u0000b" }, "aep/id-characters", "/id"],
  ["an id with a line break", "aep", { id: "a\ndata: forged" }, "aep/id-characters", "/id"],
  ["half a character in an id", "aep", { id: "\ud83d" }, "aep/id-characters", "/id"],
  ["a session id of 10 KB", "aep", { session: { id: long } }, undefined, "/session/id"],
  ["a slug of 10 KB", "aep", { agent: { slug: long } }, undefined, "/agent/slug"],
  ["a type of 10 KB", "aep", { type: long }, undefined, "/type"],
  ["a type with a line break", "aep", { type: "a\nb" }, undefined, "/type"],
  ["an empty session id", "aop", { session_id: "" }, "aop/envelope-session-id", "/session_id"],
  ["a session id of 10 KB", "aop", { session_id: long }, "aop/envelope-session-id", "/session_id"],
  ["NUL in a session id", "aop", { session_id: "a\u0000b" }, "aop/envelope-session-id", "/session_id"],
  ["an empty agent id", "aop", { agent_id: "" }, "aop/envelope-agent-id", "/agent_id"],
  ["half a character in an agent id", "aop", { agent_id: "\udc00" }, undefined, "/agent_id"],

  ["30 February", "aaep", { timestamp: "2026-02-30T00:00:00.000Z" }, "aaep/timestamp", "/timestamp"],
  ["30 February", "aep", { time: "2026-02-30T00:00:00.000Z" }, "aep/time", "/time"],
  ["30 February", "aop", { timestamp: "2026-02-30T00:00:00.000Z" }, "aop/envelope-timestamp", "/timestamp"],
  ["25 o'clock", "aaep", { timestamp: "2026-02-03T25:00:00.000Z" }, "aaep/timestamp", "/timestamp"],
  ["a number as time", "aep", { time: 1_770_000_000 }, "aep/time", "/time"],
  ["year 10000", "aop", { timestamp: "10000-01-01T00:00:00.000Z" }, "aop/envelope-timestamp", "/timestamp"],

  ["a version that is none", "aep", { aep_version: "banana" }, "aep/version", "/aep_version"],
  ["a version as a number", "aep", { aep_version: 0.1 }, "aep/version", "/aep_version"],
  ["another major version", "aop", { spec: "aop/2.0" }, "aop/spec-major", "/spec"],
  ["another spec", "aop", { spec: "banana" }, "aop/envelope-spec", "/spec"],
  ["a spec as a number", "aop", { spec: 1 }, "aop/envelope-spec", "/spec"],
  ["a version that is none", "aaep", { aaep_version: "one" }, "aaep/version", "/aaep_version"],
  ["another context", "aaep", { "@context": "https://example.org/other" }, "aaep/context", "/@context"],

  ["an agent as text", "aep", { agent: "claude" }, "aep/agent", "/agent"],
  ["a session as text", "aep", { session: "session-1" }, "aep/session-object", "/session"],
  ["a type as a number", "aep", { type: 7 }, "aep/type", "/type"],
  ["a producer as text", "aaep", { producer: "query-doctor" }, "aaep/producer", "/producer"],
  ["a number as text", "aaep", { sequence_number: "1" }, "aaep/sequence-number", "/sequence_number"],
  ["an integer past 2^53", "aaep", { sequence_number: 2 ** 53 + 2 }, "aaep/integer-range", "/sequence_number"],
  ["extensions as a list", "aaep", { extensions: [] }, "aaep/extensions-objects", "/extensions"],
  ["a payload as text", "aop", { payload: "x" }, "aop/envelope-payload", "/payload"],
  ["a payload as a list", "aop", { payload: [] }, "aop/envelope-payload", "/payload"],
  ["a sequence as text", "aop", { sequence: "1" }, "aop/envelope-sequence", "/sequence"],
  ["a negative sequence", "aop", { sequence: -1 }, "aop/envelope-sequence", "/sequence"],
  ["a broken sequence", "aop", { sequence: 1.5 }, "aop/envelope-sequence", "/sequence"],
  ["a sequence past 2^53", "aop", { sequence: 2 ** 53 }, "aop/envelope-sequence", "/sequence"],
  ["no sequence", "aop", { sequence: undefined }, "aop/envelope-sequence", "/sequence"],
];

describe("an envelope that cannot be read", () => {
  for (const [name, protocol, changed, rule, pointer] of REFUSED) {
    const problem = { code: "EVENT_INVALID", pointer, ...(rule === undefined ? {} : { rule }) };
    it(`${protocol}: ${name}`, async () => {
      await expectRefused(edge, saidText(protocol, changed), { status: 422, ...problem });
    });
  }

  it("aop: a sequence of -0", async () => {
    const body = JSON.stringify(said("aop")).replace(/"sequence":\d+/, '"sequence":-0');
    await expectRefused(edge, body, { status: 422, rule: "aop/envelope-sequence", pointer: "/sequence" });
  });

  it("aop: a sequence written with more digits than a double has", async () => {
    const body = JSON.stringify(said("aop")).replace(/"sequence":\d+/, '"sequence":9007199254740993');
    await expectRefused(edge, body, { status: 422, rule: "aop/envelope-sequence", pointer: "/sequence" });
  });

  it("an object of no protocol, and the greeting of a collector's stream", async () => {
    await expectRefused(edge, '{"hello":"world"}', { status: 422, code: "PROTOCOL_UNKNOWN" });
    await expectRefused(edge, "{}", { status: 422, code: "PROTOCOL_UNKNOWN" });
    await expectRefused(edge, '{"type":"connected","timestamp":"2026-01-01T00:00:00.000Z"}', { status: 422, code: "PROTOCOL_UNKNOWN" });
  });

  it.each(ALL_PROTOCOLS)("an %s event at the address of another protocol", async (protocol) => {
    for (const other of ["aaep", "aep"] as const) {
      if (other === protocol) continue;
      await expectRefused(edge, saidText(protocol), { status: 422 }, { url: `/${other}/v1/events` });
    }
    await expectRefused(edge, saidText(protocol), { status: 400, code: "WRONG_QUERY" }, { url: "/v1/events?protocol=http" });
  });
});

describe("a known id with another body", () => {
  for (const protocol of ["aaep", "aep"] as const) {
    it(`${protocol}: a conflict that names the first one's position`, async () => {
      const first = said(protocol);
      const { body } = await edge.post(JSON.stringify(first));
      const other = JSON.stringify({ ...first, ...SESSION[protocol]("sess_other") });
      const rule = protocol === "aaep" ? "aaep/event-id-unique" : "aep/id-unique";
      const pointer = protocol === "aaep" ? "/event_id" : "/id";
      const answer = await expectRefused(edge, other, { status: 409, code: "EVENT_ID_CONFLICT", rule, pointer });
      expect(answer.body["message"]).toContain(String(body["position"]));
      expect((await edge.post(JSON.stringify(first))).body).toMatchObject({ position: body["position"], duplicate: true });
    });
  }

  it("aop: both are kept, and the second is flagged", async () => {
    const first = said("aop");
    await edge.post(JSON.stringify(first));
    const { status, body } = await edge.post(JSON.stringify({ ...first, payload: { content: "Something else." } }));
    expect({ status, body }).toMatchObject({ status: 200, body: { duplicate: false, flags: [{ rule: "aop/sequence-unique" }] } });
  });
});

describe("what is odd and may be said", () => {
  const kept: readonly (readonly [name: string, protocol: ProtocolName, changed: Changed, rule?: string])[] = [
    ["an unknown type of its own", "aep", { type: "acme.thing.happened" }, "aep/type-known"],
    ["an unknown type of its own", "aop", { type: "acme.thing" }],
    ["an unknown type in a reserved family", "aop", { type: "session.paused" }, "aop/type-known"],
    ["a type that a later version may have", "aaep", { type: "aaep:agent.mood.changed" }, "aaep/type-defined"],
    [
      "an empty optional text",
      "aaep",
      { type: "aaep:agent.session.started", summary_normal: "Go.", summary_terse: "" },
      "aaep/session-started-payload",
    ],
    ["a type of an extension", "aaep", { "@context": [String(said("aaep")["@context"]), "https://acme.example/c"], type: "acme:thing" }],
    ["an extension", "aep", { extensions: { "x-acme": { a: [1, null, "😀"] } } }],
    ["an unknown member", "aep", { colour: "red" }],
    ["an unknown member", "aop", { colour: "red" }],
    ["a custom top-level field", "aaep", { ticket: "T-1" }, "aaep/no-custom-fields"],
    ["a later minor version", "aop", { spec: "aop/1.7" }, "aop/spec-minor"],
    ["another draft", "aep", { aep_version: "0.2" }, "aep/version-known"],
    ["year 9999", "aaep", { session_id: "sess_9999", timestamp: "9999-12-31T23:59:59.000Z" }],
    ["year 9999", "aep", { time: "9999-12-31T23:59:59.999Z" }],
    ["year 9999", "aop", { session_id: "9999", timestamp: "9999-12-31T23:59:59.999Z" }],
    ["year 1", "aep", { time: "0001-01-01T00:00:00.000Z" }],
    ["a payload with the wrong types", "aop", { payload: { content: 1 } }, "aop/thought-payload"],
    ["no payload", "aop", { payload: null }, "aop/payload-present"],
    ["a number past 2^53 in a payload", "aop", { payload: { content: "x", big: 2 ** 60 } }],
  ];
  for (const [name, protocol, changed, rule] of kept) {
    it(`${protocol}: ${name} is kept as it was said`, async () => {
      const text = saidText(protocol, changed);
      const { status, body } = await edge.post(text);
      expect({ status, body }).toMatchObject({ status: 200, body: { duplicate: false } });
      const flags = body["flags"] as readonly { readonly rule: string }[];
      if (rule !== undefined) expect(flags.map((flag) => flag.rule)).toContain(rule);
      const { entries } = await edge.ledger.read({ after: Number(body["position"]) - 1, limit: 1 });
      expect(entries[0]?.text).toBe(text);
    });
  }

  for (const id of ["😀", SQL, PATH, "%00", "__proto__", "constructor", "../", "null", "0", " "]) {
    it(`the id ${JSON.stringify(id)}, where ids are free`, async () => {
      for (const protocol of ["aep", "aop"] as const) {
        const changed = { ...SESSION[protocol](id), ...EVENT_ID[protocol]?.(id) };
        const text = saidText(protocol, changed);
        const { status, body } = await edge.post(text);
        expect({ protocol, status, body }).toMatchObject({ status: 200, body: { duplicate: false } });
        expect((await edge.post(text)).body).toMatchObject({ position: body["position"], duplicate: true });
        const [session] = await edge.ledger.findSessions(id, protocol);
        expect(session).toMatchObject({ id, protocol });
      }
      await expectUnharmed(edge);
    });
  }
});

describe("a confirmation that must not be asked like this", () => {
  const payload = "aaep/awaiting-confirmation-payload";
  it.each([
    ["irreversible, of high risk, accepted by silence", { default_decision: "accept" }, "aaep/default-decision-safe", "/default_decision"],
    ["no time to answer", { timeout_seconds: 0 }, payload, "/timeout_seconds"],
    ["less than no time", { timeout_seconds: -1 }, payload, "/timeout_seconds"],
    ["30,000 years to answer", { timeout_seconds: 1e12 }, payload, "/timeout_seconds"],
    ["a timeout as text", { timeout_seconds: "60" }, payload, "/timeout_seconds"],
    ["a default that is none", { default_decision: "Accept" }, payload, "/default_decision"],
    ["a reply token of one character", { reply_token: "x" }, payload, "/reply_token"],
    ["no reply token", { reply_token: "" }, payload, "/reply_token"],
    ["not urgent", { urgency: "normal" }, "aaep/confirmation-is-critical", "/urgency"],
  ])("%s", async (_name, changed, rule, pointer) => {
    await expectRefused(edge, JSON.stringify(confirmation(changed)), { status: 422, code: "EVENT_INVALID", rule, pointer });
  });
});
