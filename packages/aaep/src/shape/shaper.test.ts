import { type Capabilities, CORE_CONTEXT, type JsonObject } from "@earshot/protocol";
import { beforeEach, describe, expect, it } from "vitest";
import type { FeedEvent } from "../feed.ts";
import { compileTerms } from "../producer/compile-terms.ts";
import { toFeedEvent } from "../producer/to-feed-event.ts";
import { SHAPE_LIMITS } from "./limits.ts";
import type { Shaper } from "./outgoing.ts";
import { PacedShaper } from "./shaper.ts";

let position = 0;
let written: Record<string, number> = {};
beforeEach(() => {
  position = 0;
  written = {};
});

const event = (type: string, fields: JsonObject = {}, session = "a"): FeedEvent => {
  position++;
  return toFeedEvent(position, {
    "@context": CORE_CONTEXT,
    type: `aaep:agent.${type}`,
    event_id: `evt_${position}`,
    session_id: `sess_${session}`,
    timestamp: new Date(Date.UTC(2026, 6, 1) + position * 10).toISOString(),
    producer: { agent_id: "writer" },
    ...fields,
  });
};
const tool = (session = "a") => event("tool.invoked", { tool: "grep", summary_normal: "Searching." }, session);
const ask = (session = "a") =>
  event(
    "awaiting.clarification",
    { urgency: "critical", question: "Which?", reply_token: `rpl_${position}`, timeout_seconds: 60 },
    session,
  );
const state = (from: string, to: string, fields: JsonObject = {}) => event("state.changed", { from_state: from, to_state: to, ...fields });
const progress = (percent: number) => event("progress.updated", { progress: { percent } });
const say = (chunk: string, fields: JsonObject = {}, session = "a"): FeedEvent => {
  const output = `${session} ${String(fields["output_id"])}`;
  const at = written[output] ?? 0;
  written[output] = at + [...chunk].length;
  return event("output.streaming", { chunk, position: at, complete: false, coalesce_hint: "none", ...fields }, session);
};

const shaperFor = (capabilities: Capabilities, at = 0) => new PacedShaper(compileTerms(capabilities, capabilities), at);
const feed = (shaper: Shaper, heard: readonly FeedEvent[], at: number) => {
  for (const one of heard) shaper.handle(one, at);
};
const read = (shaper: Shaper, at: number) => shaper.take(at, 100).map(({ text }) => JSON.parse(text) as JsonObject);
const chunks = (shaper: Shaper, at: number) => read(shaper, at).map(({ chunk, coalesce_hint: hint }) => [chunk, hint]);
const types = (shaper: Shaper, at: number) => read(shaper, at).map(({ type }) => String(type).slice("aaep:agent.".length));

describe("streaming output", () => {
  it("goes out sentence by sentence, however it comes", () => {
    const shaper = shaperFor({});
    feed(shaper, [say("It wor"), say("ks. Do"), say("es it? Yes")], 0);
    expect(chunks(shaper, 0)).toEqual([["It works. Does it? ", "sentence"]]);
    expect(chunks(shaper, 100)).toEqual([]);
    shaper.handle(say(".", { complete: true }), 200);
    expect(chunks(shaper, 200)).toEqual([["Yes.", "completion"]]);
  });

  it("keeps positions true in the unit of its producer, also where a chunk was cut", () => {
    const chunk = (text: string, at: number, complete = false) => event("output.streaming", { chunk: text, position: at, complete });
    const told = (heard: readonly FeedEvent[]) => {
      const shaper = shaperFor({});
      return heard.flatMap((one, index) => {
        shaper.handle(one, index);
        return read(shaper, index).map((sent) => [sent["chunk"], sent["position"]]);
      });
    };
    const sent = ["😀a😀 one. ", "Two. ", "Three"];
    const positions = (heard: readonly FeedEvent[]) => told(heard).map(([, at]) => at);
    const inUnits = [chunk("😀", 0), chunk("a😀 one. Tw", 2), chunk("o. Thr", 13), chunk("ee", 19, true)];
    expect(told(inUnits).map(([text]) => text)).toEqual(sent);
    expect(positions(inUnits)).toEqual([0, 11, 16]);
    expect(positions([chunk("😀", 0), chunk("a😀 one. Tw", 1), chunk("o. Thr", 11), chunk("ee", 17, true)])).toEqual([0, 9, 14]);
    // Until the unit is known, no chunk is cut where it would matter.
    expect(told([chunk("😀 one. Tw", 0), chunk("o. Three", 10, true)])).toEqual([["😀 one. Two. Three", 0]]);
  });

  it("looks finished after a pause, and is told then", () => {
    const shaper = shaperFor({});
    shaper.handle(say("All is well."), 0);
    expect(chunks(shaper, 0)).toEqual([]);
    expect(shaper.dueAt()).toBe(400);
    expect(chunks(shaper, 400)).toEqual([["All is well.", "sentence"]]);
  });

  it("is not kept for long where no boundary comes: it goes up to the best one that it has", () => {
    const shaper = shaperFor({});
    shaper.handle(say("words and more wor"), 0);
    expect(shaper.dueAt()).toBe(5000);
    expect(chunks(shaper, 5000)).toEqual([["words and more ", undefined]]);
    expect(chunks(shaper, 10_000)).toEqual([["wor", undefined]]);
    const whole = shaperFor({ coalesce_boundaries: ["completion"] });
    whole.handle(say("One. Two. Thr"), 0);
    expect(chunks(whole, 59_999)).toEqual([]);
    expect(chunks(whole, 60_000)).toEqual([["One. Two. ", undefined]]);
  });

  it("is not merged into more than a message carries", () => {
    const shaper = shaperFor({ coalesce_boundaries: ["completion"] });
    for (let turn = 0; turn < 10; turn++) shaper.handle(say("x".repeat(1000)), 0);
    expect(read(shaper, 0).map(({ chunk }) => String(chunk).length)).toEqual([8000]);
  });

  it("comes at the boundary that was negotiated, with a hint that was negotiated", () => {
    const text = () => [say("One. Two"), say(".\n\nThree fo"), say("ur")];
    const heard = text();
    const told = (capabilities: Capabilities) => {
      const shaper = shaperFor(capabilities);
      feed(shaper, heard, 0);
      return chunks(shaper, 0);
    };
    expect(told({ coalesce_boundaries: ["word"] })).toEqual([["One. Two.\n\nThree ", "word"]]);
    expect(told({ coalesce_boundaries: ["sentence", "paragraph"] })).toEqual([["One. Two.\n\n", "paragraph"]]);
    expect(told({ coalesce_boundaries: ["paragraph"] })).toEqual([["One. Two.\n\n", "paragraph"]]);
    expect(told({ coalesce_boundaries: ["sentence"], cognitive_load: "low" })).toEqual([["One. Two.\n\n", "sentence"]]);
    expect(told({ coalesce_boundaries: ["completion"] })).toEqual([]);
    expect(told({ coalesce_boundaries: ["none"] })).toEqual([
      ["One. Two", "none"],
      [".\n\nThree fo", "none"],
      ["ur", "none"],
    ]);
  });

  it("ends where something else follows in its session, but not where progress or another output does", () => {
    const shaper = shaperFor({});
    feed(shaper, [say("Let me che"), progress(5), say("Half", { output_id: "out_2" }), say("ck")], 0);
    expect(types(shaper, 0)).toEqual(["progress.updated"]);
    shaper.handle(tool(), 10);
    expect(read(shaper, 10).map(({ type, chunk }) => chunk ?? type)).toEqual(["Half", "Let me check", "aaep:agent.tool.invoked"]);
  });

  it("is merged only when nothing but the text differs: never across languages, types of content or outputs", () => {
    const shaper = shaperFor({});
    const others: JsonObject[] = [
      { language: "de" },
      { content_type: "text/markdown" },
      { extensions: { opsx: { a: 1 } } },
      { output_id: "out_2" },
    ];
    for (const fields of others) feed(shaper, [say("One "), say("two ", fields)], 0);
    shaper.handle(tool(), 0);
    expect(read(shaper, 0).flatMap(({ chunk }) => (chunk === undefined ? [] : [chunk]))).toEqual([
      "One ",
      "two ",
      "One ",
      "two ",
      "One ",
      "two ",
      "One ",
      "two ",
    ]);
  });

  it("is paced for somebody who takes their time, and kept back for ten seconds at most", () => {
    const shaper = shaperFor({ pace_wpm: 60 });
    feed(shaper, [say("One two three. "), say("Four five. "), say("Six.")], 0);
    expect(chunks(shaper, 0)).toEqual([["One two three. Four five. ", "sentence"]]);
    shaper.handle(say(" Seven"), 100);
    expect(shaper.dueAt()).toBe(5000);
    expect(chunks(shaper, 4999)).toEqual([]);
    expect(chunks(shaper, 5000)).toEqual([["Six.", "sentence"]]);
    shaper.handle(say(`${"word ".repeat(500)}end. And`), 6000);
    read(shaper, 6000);
    shaper.handle(say(" so. On"), 6100);
    expect(shaper.dueAt()).toBe(16_000);
    // Later events of the session do not wait for it.
    shaper.handle(tool(), 6200);
    expect(types(shaper, 6200)).toEqual(["output.streaming", "tool.invoked"]);
  });
});

describe("under pressure", () => {
  it("progress gives way to the latest, states become one, and nothing else is merged", () => {
    const shaper = shaperFor({ max_events_per_second: 1 });
    feed(shaper, [progress(1), progress(2), state("idle", "thinking"), progress(3), state("thinking", "deciding"), tool(), tool()], 0);
    expect(shaper.take(0, 100)).toEqual([]);
    const sent: JsonObject[] = [];
    for (let at = 0; at <= 10_000; at += 100) sent.push(...read(shaper, at));
    expect(sent.map((one) => one["progress"] ?? one["to_state"] ?? one["tool"])).toEqual([{ percent: 3 }, "deciding", "grep", "grep"]);
    expect(sent[1]).toMatchObject({ from_state: "idle", to_state: "deciding" });
    expect(sent[1]?.["event_id"]).toMatch(/^evt_[0-9a-f]{32}$/);
  });

  it("a state that was left and entered again was nothing, but what tells more than a change always comes", () => {
    const shaper = shaperFor({ max_events_per_second: 1 });
    feed(shaper, [state("idle", "thinking"), state("thinking", "idle")], 0);
    expect(shaper.dueAt()).toBeUndefined();
    feed(
      shaper,
      [
        state("awaiting_input", "awaiting_input", { summary_normal: "Allowed by Ana." }),
        state("awaiting_input", "calling_tool"),
        state("calling_tool", "thinking"),
      ],
      0,
    );
    const sent: JsonObject[] = [];
    for (let at = 0; at <= 10_000; at += 500) sent.push(...read(shaper, at));
    expect(sent.map((one) => [one["from_state"], one["to_state"]])).toEqual([
      ["awaiting_input", "awaiting_input"],
      ["awaiting_input", "calling_tool"],
      ["calling_tool", "thinking"],
    ]);
  });

  it("nothing is merged that there is room for", () => {
    const shaper = shaperFor({});
    feed(shaper, [progress(1), progress(2), state("idle", "thinking"), state("thinking", "deciding")], 0);
    expect(types(shaper, 0)).toEqual(["progress.updated", "progress.updated", "state.changed", "state.changed"]);
  });

  it("a critical event goes first, after what its own session said before it, and that is paid back", () => {
    const shaper = shaperFor({ max_events_per_second: 2 });
    feed(shaper, [tool("b"), say("Shall I"), tool(), ask()], 0);
    const sent = shaper.take(0, 100);
    expect(sent.map(({ critical, position: at, resumable }) => [at, critical, resumable])).toEqual([
      [2, false, false],
      [3, false, false],
      [4, true, false],
    ]);
    expect(shaper.dueAt()).toBe(1500);
    expect(types(shaper, 1500)).toEqual(["tool.invoked"]);
  });

  it("what goes out with a critical event is as little as says the same", () => {
    const shaper = shaperFor({ max_events_per_second: 1 });
    feed(
      shaper,
      [
        state("idle", "thinking"),
        progress(5),
        state("thinking", "calling_tool"),
        tool(),
        tool(),
        state("calling_tool", "awaiting_input"),
        ask(),
      ],
      0,
    );
    const sent = read(shaper, 0);
    expect(sent.map((one) => one["tool"] ?? one["to_state"] ?? one["question"])).toEqual(["grep", "grep", "awaiting_input", "Which?"]);
    expect(sent[2]).toMatchObject({ from_state: "idle", to_state: "awaiting_input" });
    // With enough room nothing is omitted.
    const free = shaperFor({});
    feed(free, [state("idle", "thinking"), progress(5), tool(), state("thinking", "awaiting_input"), ask()], 0);
    expect(types(free, 0)).toEqual(["state.changed", "progress.updated", "tool.invoked", "state.changed", "awaiting.clarification"]);
  });

  it("a session that says more than is kept is summed up where it stands, and its end is told", () => {
    const shaper = shaperFor({ max_events_per_second: 1 });
    const other = tool("b");
    shaper.handle(other, 0);
    feed(shaper, [event("session.started", { summary_normal: "S" }), state("idle", "thinking"), tool(), state("thinking", "deciding")], 0);
    for (let turn = 0; turn < SHAPE_LIMITS.items; turn++) shaper.handle(tool(), 0);
    const end = event("session.completed", { summary_normal: "Done." });
    feed(shaper, [end, ask("c")], 0);
    const sent: JsonObject[] = [];
    for (let at = 0; at <= 60_000; at += 500) sent.push(...read(shaper, at));
    expect(sent.length).toBeLessThan(30);
    expect(sent[0]).toMatchObject({ question: "Which?" });
    const ofOne = sent.filter(({ session_id: id }) => id === "sess_a");
    expect(ofOne[0]).toMatchObject({ type: "aaep:agent.state.changed", from_state: "idle", to_state: "deciding" });
    expect(ofOne[0]?.["summary_normal"]).toMatch(/^409\d events were left out/);
    expect(ofOne.at(-1)?.["event_id"]).toBe(end.eventId);
    expect(sent.filter(({ session_id: id }) => id === "sess_b")).toEqual([other.event]);
  });

  it("what waits stays within bounds, however many sessions speak", () => {
    const shaper = shaperFor({ max_events_per_second: 1 });
    for (let turn = 0; turn < 2 * SHAPE_LIMITS.items; turn++) shaper.handle(tool(`s${turn}`), 0);
    shaper.renegotiate(compileTerms({}, {}), 0);
    expect(shaper.take(0, 1_000_000)).toHaveLength(SHAPE_LIMITS.items);
  });

  it("text that is kept back gives way when there is too much of it", () => {
    const shaper = shaperFor({ coalesce_boundaries: ["completion"] });
    for (let turn = 0; turn < 5; turn++) shaper.handle(say("word ".repeat(1600), {}, `s${turn}`), 0);
    expect(shaper.dueAt()).toBe(0);
    expect(chunks(shaper, 0).length).toBeGreaterThan(0);
    expect(shaper.dueAt()).toBe(60_000);
  });
});

describe("under pressure, where events differ in what is about them", () => {
  const everything = (shaper: Shaper) => {
    const sent: JsonObject[] = [];
    for (let at = 0; at <= 10_000; at += 100) sent.push(...read(shaper, at));
    return sent;
  };
  const about = (turn: number) => ({ correlation_id: `corr_${turn}`, extensions: { opsx: { turn } } });

  it("text is one, with what the latest has about it, but never across languages, types of content or outputs", () => {
    const shaper = shaperFor({ max_events_per_second: 1, coalesce_boundaries: ["none"] });
    feed(shaper, [say("One ", about(1)), say("two ", about(2)), say("three", { ...about(3), urgency: "background" })], 0);
    expect(everything(shaper)).toMatchObject([{ chunk: "One two three", position: 0, urgency: "background", ...about(3) }]);
    for (const fields of [{ language: "de" }, { content_type: "text/markdown" }, { output_id: "out_2" }]) {
      const apart = shaperFor({ max_events_per_second: 1, coalesce_boundaries: ["none"] });
      feed(apart, [say("One ", about(1)), say("two ", { ...about(2), ...fields })], 0);
      expect(everything(apart).map(({ chunk }) => chunk)).toEqual(["One ", "two "]);
    }
  });

  it("states are one, as urgent as the latest, also before something critical", () => {
    const changes = () => [
      state("idle", "thinking", { urgency: "background", ...about(1) }),
      state("thinking", "deciding", { urgency: "normal" }),
      state("deciding", "calling_tool", { urgency: "background", ...about(3) }),
    ];
    const shaper = shaperFor({ max_events_per_second: 1 });
    feed(shaper, changes(), 0);
    const merged = { from_state: "idle", to_state: "calling_tool", urgency: "background", ...about(3) };
    expect(everything(shaper)).toMatchObject([merged]);
    const urgent = shaperFor({ max_events_per_second: 1 });
    feed(urgent, [...changes().flatMap((change) => [change, tool()]), ask()], 0);
    expect(read(urgent, 0).map((one) => one["to_state"] ?? one["tool"] ?? one["question"])).toEqual([
      "grep",
      "grep",
      "calling_tool",
      "grep",
      "Which?",
    ]);
  });

  it("progress gives way to the latest, in words too", () => {
    const shaper = shaperFor({ max_events_per_second: 1 });
    const words = (description: string) => event("progress.updated", { progress: { description }, ...about(position) });
    feed(shaper, [words("Reading."), words("Sorting."), words("Writing.")], 0);
    expect(everything(shaper).map((one) => one["progress"])).toEqual([{ description: "Writing." }]);
    // It may report the result of a question: numbers do not replace it, and it precedes critical events.
    const told = shaperFor({ max_events_per_second: 1, cognitive_load: "low" });
    feed(told, [words("Nobody answered."), progress(5), tool(), ask()], 0);
    expect(read(told, 0)[0]).toMatchObject({ progress: { description: "Nobody answered." } });
  });

  it("there is no such merging where there is room", () => {
    const shaper = shaperFor({});
    feed(shaper, [say("One ", about(1)), say("two. ", about(2)), tool()], 0);
    expect(read(shaper, 0).map(({ chunk }) => chunk)).toEqual(["One ", "two. ", undefined]);
  });

  it("a critical event does not wait for all that another session says before its own", () => {
    const shaper = shaperFor({ max_events_per_second: 1 });
    for (let turn = 0; turn < 400; turn++) shaper.handle(tool("b"), 0);
    feed(shaper, [ask("b")], 0);
    shaper.take(0, 64);
    feed(shaper, [tool("c"), ask("c")], 0);
    const next = shaper.take(0, 64).map(({ text }) => (JSON.parse(text) as JsonObject)["session_id"]);
    expect(next.slice(0, 3)).toEqual(["sess_c", "sess_c", "sess_b"]);
    expect(next.length).toBe(64);
    expect(shaper.take(0, 1000).length).toBe(401 - 64 - 62);
  });
});

describe("a low load", () => {
  it("hears of progress now and then, and of background states when they last", () => {
    const shaper = shaperFor({ cognitive_load: "low" });
    shaper.handle(progress(1), 0);
    expect(types(shaper, 0)).toEqual(["progress.updated"]);
    feed(shaper, [progress(2), progress(3)], 1000);
    expect(types(shaper, 1000)).toEqual([]);
    expect(read(shaper, 10_000).map((one) => one["progress"])).toEqual([{ percent: 3 }]);
    const background = { urgency: "background" };
    feed(shaper, [state("idle", "thinking", background), state("thinking", "deciding", background)], 20_000);
    expect(types(shaper, 20_000)).toEqual([]);
    expect(read(shaper, 22_000)).toMatchObject([{ from_state: "idle", to_state: "deciding" }]);
    feed(shaper, [state("deciding", "calling_tool", background), tool()], 30_000);
    expect(types(shaper, 30_000)).toEqual(["state.changed", "tool.invoked"]);
  });
});

describe("new terms", () => {
  it("hold for all that was not taken yet", () => {
    const shaper = shaperFor({ max_events_per_second: 1 });
    feed(
      shaper,
      [tool(), event("tool.completed", { tool: "grep", status: "success", summary_terse: "T", summary_normal: "N" }), say("Some words")],
      0,
    );
    const capabilities: Capabilities = {
      event_filters: { exclude: ["aaep:agent.tool.invoked"] },
      preferred_verbosity: "terse",
      coalesce_boundaries: ["word"],
    };
    shaper.renegotiate(compileTerms(capabilities, capabilities), 0);
    expect(shaper.dueAt()).toBe(0);
    expect(read(shaper, 0)).toMatchObject([
      { status: "success", verbosity: "terse" },
      { chunk: "Some ", coalesce_hint: "word" },
    ]);
    expect(shaper.isWaiting).toBe(true);
  });

  it("set free the progress that a low load kept back", () => {
    const shaper = shaperFor({ cognitive_load: "low" });
    shaper.handle(progress(1), 0);
    read(shaper, 0);
    shaper.handle(progress(2), 1000);
    expect(shaper.dueAt()).toBe(10_000);
    const high: Capabilities = { cognitive_load: "high" };
    shaper.renegotiate(compileTerms(high, high), 1000);
    expect(read(shaper, 1000).map((one) => one["progress"])).toEqual([{ percent: 2 }]);
  });

  it("let text wait as long as the new pace says", () => {
    const paced = (wpm: number): Capabilities => ({ pace_wpm: wpm });
    const shaper = shaperFor(paced(60));
    feed(shaper, [say("One two three four five. "), say("Six. "), say("Seven. ")], 0);
    read(shaper, 0);
    feed(shaper, [say("Eight. "), say("Nine")], 0);
    const due = shaper.dueAt() ?? 0;
    expect(due).toBeGreaterThan(4000);
    shaper.renegotiate(compileTerms(paced(120), paced(120)), 2000);
    expect(shaper.dueAt()).toBe(2000 + (due - 2000) / 2);
    shaper.renegotiate(compileTerms(paced(50), paced(50)), 2000);
    shaper.renegotiate(compileTerms(paced(600), paced(600)), 2000);
    expect(shaper.dueAt()).toBeCloseTo(2000 + (due - 2000) / 10);
  });

  it("let no more through than either rate allows", () => {
    const shaper = shaperFor({ max_events_per_second: 1 });
    feed(
      shaper,
      Array.from({ length: 30 }, () => tool()),
      0,
    );
    const faster: Capabilities = { max_events_per_second: 10 };
    shaper.renegotiate(compileTerms(faster, faster), 500);
    expect(shaper.take(500, 100)).toEqual([]);
    expect(shaper.take(600, 100).length).toBe(1);
  });
});

describe("filters and places", () => {
  it("let what is critical pass, whatever they say", () => {
    const shaper = shaperFor({ event_filters: { include: ["opsx:*"] } });
    feed(shaper, [tool(), ask(), say("x")], 0);
    expect(types(shaper, 0)).toEqual(["awaiting.clarification"]);
    expect(shaper.isWaiting).toBe(false);
  });

  it("a stream cannot be resumed after what is beside the feed, was merged, or passed something that waits", () => {
    const shaper = shaperFor({});
    const [summary, first, asked] = [tool(), tool("b"), ask("c")];
    shaper.handle(summary, 0, true);
    feed(shaper, [first, asked, say("One "), say("two. Th", {}, "a")], 0);
    expect(shaper.take(0, 10).map(({ eventId, resumable }) => [eventId, resumable])).toEqual([
      [asked.eventId, false],
      [summary.eventId, false],
      [expect.stringMatching(/^evt_[0-9a-f]{32}$/), false],
      [first.eventId, true],
    ]);
  });

  it("what is made anew is JSON, whatever its id is and where its time is missing", () => {
    const shaper = shaperFor({});
    const odd = { event_id: 'evt_"\\', sequence_number: 1, session_id: "sess_a", type: "aaep:agent.output.streaming" };
    const heard = toFeedEvent(1, { ...odd, chunk: "It is.", position: 0, complete: true });
    expect(heard.event).not.toHaveProperty("timestamp");
    shaper.handle(heard, 0);
    const [sent] = read(shaper, 0);
    expect(sent).toEqual({
      type: odd.type,
      session_id: odd.session_id,
      event_id: odd.event_id,
      chunk: "It is.",
      position: 0,
      complete: true,
    });
  });

  it("numbers are left out, and members that are not what they should be do no harm", () => {
    const shaper = shaperFor({});
    const odd = event("output.streaming", { chunk: 5, position: "x", complete: null, sequence_number: 3 });
    feed(
      shaper,
      [
        odd,
        event("state.changed", { from_state: 1 }),
        event("progress.updated", { progress: [] }),
        say("It is. B", { sequence_number: 4 }),
      ],
      0,
    );
    const sent = read(shaper, 0);
    expect(sent.map(({ type }) => String(type).slice("aaep:agent.".length))).toEqual([
      "output.streaming",
      "state.changed",
      "progress.updated",
      "output.streaming",
    ]);
    for (const one of sent) expect(one).not.toHaveProperty("sequence_number");
  });
});
