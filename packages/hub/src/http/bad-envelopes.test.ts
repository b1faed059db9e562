import type { ProtocolName } from "@earshot/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectRefused, expectUnharmed, openEdge, type TestEdge } from "./testing/edge.ts";
import { ALL_PROTOCOLS, validEvent, validEventText } from "./testing/valid-event.ts";

let edge: TestEdge;
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

/** The hub's own limits on ids, and one rule of each protocol, which test their other rules themselves. */
const REFUSED: readonly Row[] = [
  ["SQL as an event id", "aaep", { event_id: SQL }, "aaep/event-id", "/event_id"],
  ["an agent id of 10 KB", "aaep", { producer: { agent_id: long } }, undefined, "/producer/agent_id"],
  ["NUL in an agent id", "aaep", { producer: { agent_id: "a\u0000" } }, undefined, "/producer/agent_id"],
  ["an id of 10 KB", "aep", { id: long }, undefined, "/id"],
  ["a session id of 10 KB", "aep", { session: { id: long } }, undefined, "/session/id"],
  ["a slug of 10 KB", "aep", { agent: { slug: long } }, undefined, "/agent/slug"],
  ["a type of 10 KB", "aep", { type: long }, undefined, "/type"],
  ["a type with a line break", "aep", { type: "a\nb" }, undefined, "/type"],
  ["half a character in an agent id", "aop", { agent_id: "\udc00" }, undefined, "/agent_id"],
  ["another major version", "aop", { spec: "aop/2.0" }, "aop/spec-major", "/spec"],
  ["an agent as text", "aep", { agent: "claude" }, "aep/agent", "/agent"],
];

describe("an envelope that cannot be read", () => {
  for (const [name, protocol, changed, rule, pointer] of REFUSED) {
    const problem = { code: "EVENT_INVALID", pointer, ...(rule === undefined ? {} : { rule }) };
    it(`${protocol}: ${name}`, async () => {
      await expectRefused(edge, validEventText(protocol, changed), { status: 422, ...problem });
    });
  }

  it("an object of no protocol, and the greeting of a collector's stream", async () => {
    await expectRefused(edge, '{"hello":"world"}', { status: 422, code: "PROTOCOL_UNKNOWN" });
    await expectRefused(edge, "{}", { status: 422, code: "PROTOCOL_UNKNOWN" });
    await expectRefused(edge, '{"type":"connected","timestamp":"2026-01-01T00:00:00.000Z"}', { status: 422, code: "PROTOCOL_UNKNOWN" });
  });

  it.each(ALL_PROTOCOLS)("an %s event at the address of another protocol", async (protocol) => {
    for (const other of ["aaep", "aep"] as const) {
      if (other === protocol) continue;
      await expectRefused(edge, validEventText(protocol), { status: 422 }, { url: `/${other}/v1/events` });
    }
    await expectRefused(edge, validEventText(protocol), { status: 400, code: "WRONG_QUERY" }, { url: "/v1/events?protocol=http" });
  });
});

describe("a known id with another body", () => {
  for (const protocol of ["aaep", "aep"] as const) {
    it(`${protocol}: a conflict that names the first one's position`, async () => {
      const first = validEvent(protocol);
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
    const first = validEvent("aop");
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
    [
      "a type of an extension",
      "aaep",
      { "@context": [String(validEvent("aaep")["@context"]), "https://acme.example/c"], type: "acme:thing" },
    ],
    ["an extension", "aep", { extensions: { "x-acme": { a: [1, null, "😀"] } } }],
    ["an unknown member", "aep", { colour: "red" }],
    ["an unknown member", "aop", { colour: "red" }],
    ["a custom top-level field", "aaep", { ticket: "T-1" }, "aaep/no-custom-fields"],
    ["a later minor version", "aop", { spec: "aop/1.7" }, "aop/spec-minor"],
    ["another draft", "aep", { aep_version: "0.2" }, "aep/version-known"],
    ["a payload with the wrong types", "aop", { payload: { content: 1 } }, "aop/thought-payload"],
    ["no payload", "aop", { payload: null }, "aop/payload-present"],
    ["a number past 2^53 in a payload", "aop", { payload: { content: "x", big: 2 ** 60 } }],
  ];
  for (const [name, protocol, changed, rule] of kept) {
    it(`${protocol}: ${name} is kept as it was said`, async () => {
      const text = validEventText(protocol, changed);
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
        const text = validEventText(protocol, changed);
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
