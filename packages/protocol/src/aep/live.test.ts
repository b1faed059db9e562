import { describe, expect, it } from "vitest";
import { hearOne } from "../../testing/aep.ts";
import { hearLive, NOWHERE } from "../../testing/live.ts";
import type { JsonObject } from "../json.ts";
import { AEP } from "./aep.ts";
import { call, completed, event, inSession, part, requested, response, without } from "./example-events.ts";

const { live } = AEP;
const reading = (item: JsonObject) => hearOne(item).reading;
const by = (slug: string, item: JsonObject): JsonObject => ({ ...item, id: `${slug}_${String(item["id"])}`, agent: { slug } });
/** The findings between the items only: the example events are minimal and could carry more. */
const rules = (recording: readonly JsonObject[], session = "sess_abc") =>
  (hearLive(AEP, recording).get(session)?.heard ?? []).flatMap(({ told }) =>
    told.flatMap(({ finding: { rule, since }, at }) => (rule === "aep/should-carry" ? [] : [`${rule} ${at} ${since}`])),
  );
const stateAfter = (recording: readonly JsonObject[], session = "sess_abc") => hearLive(AEP, recording).get(session)?.state ?? {};

describe("a session heard live", () => {
  it("gives each agent a lifecycle of its own, and ends when all have ended", () => {
    const both = [requested(1), by("cursor", requested(2)), completed(3), inSession(4, "session.end")];
    expect(rules(both)).toEqual([]);
    expect(live.hasEnded(stateAfter(both))).toBe(false);
    const all = [...both, by("cursor", inSession(5, "session.end"))];
    expect(rules(all)).toEqual(["aep/request-needs-outcome 5 2"]);
    expect(live.hasEnded(stateAfter(all))).toBe(true);
  });

  it("compares a response with the event that it answers", () => {
    expect(rules([requested(1), response(2, 1, "allow"), completed(3)])).toEqual([]);
    expect(rules([requested(1), response(2, 1, "deny"), completed(3)])).toEqual(["aep/ran-despite-denial 3 1"]);
    expect(rules([requested(1), response(2, 1, "allow"), response(3, 1, "deny")])).toEqual(["aep/one-response 3 2"]);
    expect(rules([requested(1), response(2, 1, "allow"), response(3, 1, "allow")])).toEqual([]);
    expect(rules([requested(1), without(response(2, 1, "allow"), "action_id")])).toEqual(["aep/response-carries-action-id 2 1"]);
    expect(rules([requested(1), { ...response(2, 1, "deny"), action_id: "call_9" }, completed(3)])).toEqual(["aep/response-action-id 2 1"]);
  });

  it("does not guess which of two agents a response answers", () => {
    const other = { ...by("cursor", requested(1)), id: "evt_1" };
    expect(rules([requested(1), other, response(2, 1, "deny"), completed(3)])).toEqual([]);
  });

  it("says nothing about a response whose event is not known", () => {
    expect(rules([response(2, 1, "allow")], NOWHERE)).toEqual([]);
    expect(rules([response(2, 1, "deny"), requested(1), completed(3)])).toEqual([]);
  });

  it("joins what belongs to no session by its conversation, in which no session begins or ends", () => {
    const talk = (index: number, type: string, action?: object) =>
      event(index, type, {
        session: { conversation_id: "c" },
        ...(action === undefined ? {} : { action: { type: "other", id: "x", ...action } }),
      });
    expect(live.session(reading(talk(1, "session.start")))).toBe("conversation/c");
    const said = [talk(1, "session.end"), talk(2, "action.requested", {}), talk(3, "action.completed", { status: "success" })];
    expect(
      rules([...said, talk(4, "session.end")], "conversation/c").filter((told) => !told.startsWith("aep/session-boundary-id")),
    ).toEqual([]);
    expect(live.hasEnded(stateAfter(said, "conversation/c"))).toBe(false);
  });

  it("tells once for each case what is told once, each agent apart", () => {
    const bare = (index: number) => call(index, "action.requested", { id: `call_${index}` });
    const told = [...hearLive(AEP, [bare(1), bare(2), by("cursor", bare(3))]).values()].flatMap(({ heard }) =>
      heard.map((one) => one.told.length),
    );
    expect(told[0]).toBeGreaterThan(0);
    expect(told).toEqual([told[0], 0, told[0]]);
  });
});

describe("the names of an event", () => {
  it("tell agents and responses apart, whatever characters they have", () => {
    const ids = [
      event(1, "notification.sent", { id: "1b", agent: { slug: "a" } }),
      event(1, "notification.sent", { id: "b", agent: { slug: "a1" } }),
      event(1, "notification.sent", { id: "b", agent: { slug: "response" } }),
      { ...response(1, 1, "allow"), id: "b" },
    ].map((item) => live.identity(reading(item)));
    expect(new Set(ids).size).toBe(ids.length);
    expect(live.identity(reading(without(requested(1), "id")))).toBeNull();
  });

  it("join a response with its event; nobody waits on a delta", () => {
    expect(live.answerable(reading(requested(1)))).toBe("evt_1");
    expect(live.answers(reading(response(2, 1, "allow")))).toBe("evt_1");
    expect(live.answerable(reading(response(2, 1, "allow")))).toBeUndefined();
    expect(live.answerable(reading(inSession(1, "model.delta", { content: [part("text")] })))).toBeUndefined();
  });
});

describe("the state of a session", () => {
  const many = (count: number, types = ["action.requested", "action.completed"]) =>
    Array.from({ length: count }, (_, index) =>
      types.map((type) => ({
        ...call(1, type, { id: `toolu_01A2B3C4D5E6F7G8H9${index}`, ...(type === "action.completed" ? { status: "success" } : {}) }),
        id: `3f1c2d3e-0b1c-4d3e-9a8b-${type}-${index}`,
      })),
    ).flat();

  it("is bounded after thousands of actions, with or without an outcome, and small after the end", () => {
    expect(rules(many(5000))).toEqual([]);
    expect(JSON.stringify(stateAfter(many(5000))).length).toBeLessThan(110_000);
    expect(JSON.stringify(stateAfter(many(5000, ["action.requested"]))).length).toBeLessThan(110_000);
    const over = stateAfter([...many(5000), inSession(1, "session.end")]);
    expect(live.hasEnded(over)).toBe(true);
    expect(JSON.stringify(over).length).toBeLessThan(1200);
  });

  it("has room for a number of agents, and claims nothing about the others", () => {
    const crowd = Array.from({ length: 70 }, (_, index) => by(`agent-${index}`, completed(1)));
    expect(rules(crowd)).toHaveLength(64);
    expect(stateAfter(crowd)).toMatchObject({ forgotten: 6 });
  });
});
