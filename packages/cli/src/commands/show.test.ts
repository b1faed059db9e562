import { describe, expect, it } from "vitest";
import { aopSessionEvents, openStoryHub, type StoryHub } from "../story/testing/story-hub.ts";
import { showCommand } from "./show.ts";

async function sayRun(hub: StoryHub, id = "sess-run") {
  const say = aopSessionEvents(id, "doctor");
  await hub.say(
    say("session.started", { goal: "Find out why it fails." }),
    say("cognition.thought", { content: "Look first.", confidence: "high" }),
    say("operation.tool_start", { tool_name: "read_file", tool_call_id: "c1", input: { path: "a.ts" } }),
    say("operation.tool_end", { tool_name: "read_file", tool_call_id: "c1", success: true, result_summary: "30 lines", duration_ms: 12 }),
    say("operation.agent_spawn", { child_session_id: `${id}-child`, child_agent_id: "checker", goal: "Check dates." }),
    say("session.ended", { outcome: "completed", outcome_summary: "A date is wrong." }),
  );
  await hub.say(aopSessionEvents(`${id}-child`, "checker")("session.started", { goal: "Check dates." }, { parent_session_id: id }));
}

describe("earshot show", () => {
  it("tells a session as a story", async () => {
    await using hub = await openStoryHub();
    await sayRun(hub);
    const { lines } = await hub.run(showCommand, "sess-run");
    expect(lines[0]).toBe("Completed, Doctor, AOP session sess-run");
    expect(lines).toContain("  Goal: Find out why it fails.");
    expect(lines.some((line) => line.startsWith("  Rules: grade "))).toBe(true);
    const story = lines.slice(lines.indexOf("") + 1).map((line) => line.replace(/^(?:At|On) .*:$/, "At :"));
    expect(story).toEqual([
      "What happened, 5 items, oldest first.",
      "At :",
      "Started. Goal: Find out why it fails.  #1",
      "Thought, high confidence: Look first.  #2",
      "Call read_file, done in 12 milliseconds: a.ts. Result: 30 lines. Call id: c1.  #3",
      "Subagent Checker started: Check dates. Child session: sess-run-child.  #5",
      "Completed: A date is wrong.  #6",
    ]);
  });

  it("finds a session by the beginning of its id and by its key, and never guesses", async () => {
    await using hub = await openStoryHub();
    await hub.say(aopSessionEvents("sess-one")("session.started"), aopSessionEvents("sess-two")("session.started"));
    expect((await hub.run(showCommand, "sess-o")).lines[0]).toContain("session sess-one");
    const [, key = ""] = /key (\d+)/.exec((await hub.run(showCommand, "sess-two")).out) ?? [];
    expect((await hub.run(showCommand, key)).lines[0]).toContain("session sess-two");
    await expect(hub.run(showCommand, "sess-")).rejects.toThrow(
      /More than one session begins with "sess-": sess-\w+ \(AOP from local, key \d+\); sess-/,
    );
    await expect(hub.run(showCommand, "nobody")).rejects.toThrow('No session "nobody" was heard.');
    await expect(hub.run(showCommand, "sess-one", "--source", "elsewhere")).rejects.toThrow("was heard from there");
  });

  it("asks which is meant where two protocols use the same id", async () => {
    await using hub = await openStoryHub();
    const aep = {
      aep_version: "0.1",
      id: "evt_1",
      type: "session.start",
      time: "2026-11-15T13:00:00.000Z",
      agent: { slug: "claude" },
      session: { id: "same" },
    };
    await hub.say(aopSessionEvents("same")("session.started"), aep);
    await expect(hub.run(showCommand, "same")).rejects.toThrow(/More than one session is called "same": .*AOP from local.*/);
    expect((await hub.run(showCommand, "same", "--protocol", "aep")).lines[0]).toContain("AEP session same");
  });

  it("shows the end of a long story, and the way to the rest", async () => {
    await using hub = await openStoryHub();
    const say = aopSessionEvents("sess-long");
    await hub.say(
      say("session.started"),
      ...Array.from({ length: 60 }, (_, index) => say("cognition.thought", { content: `No. ${index}` })),
    );
    const last = await hub.run(showCommand, "sess-long", "--limit", "10");
    expect(last.lines.at(-1)).toBe("Thought: No. 59  #61");
    const [, before = ""] =
      /^What happened last, \d+ items, oldest first\. Earlier: earshot show sess-long --before (\d+)\./m.exec(last.out) ?? [];
    expect((await hub.run(showCommand, "sess-long", "--limit", "10", "--before", before)).lines.at(-1)).toContain(`#${Number(before) - 1}`);
    const first = await hub.run(showCommand, "sess-long", "--limit", "3", "--from-start");
    expect(first.lines.at(-2)).toBe("Thought: No. 1  #3");
    const [, after = ""] = /^There is more: earshot show sess-long --after (\S+)$/m.exec(first.out) ?? [];
    expect((await hub.run(showCommand, "sess-long", "--limit", "3", "--after", after)).out).toContain("Thought: No. 2  #4");
    expect((await hub.run(showCommand, "sess-long", "--from", "60")).out.match(/Thought: /g)).toHaveLength(2);
    expect((await hub.run(showCommand, "sess-long", "--all")).out.match(/Thought: /g)).toHaveLength(60);
  });

  it("lists the calls, and the tree", async () => {
    await using hub = await openStoryHub();
    await sayRun(hub);
    expect((await hub.run(showCommand, "sess-run", "--calls")).lines).toEqual([
      "1 call, oldest first.",
      "Call read_file, done in 12 milliseconds: a.ts. Result: 30 lines. Call id: c1.  #3",
    ]);
    const tree = await hub.run(showCommand, "sess-run-child", "--tree");
    expect(tree.lines[0]).toBe("2 sessions, each before its children.");
    expect(tree.lines[1]).toMatch(/^Root, completed, Doctor: Find out why it fails\. /);
    expect(tree.lines[2]).toMatch(/^ {2}Level 1, running, Checker, the session asked for: Check dates\. .*Parent: sess-run\. /);
  });

  it("cuts what is long, and cuts nothing when asked", async () => {
    await using hub = await openStoryHub();
    const say = aopSessionEvents("sess-a");
    await hub.say(say("session.started"), say("cognition.thought", { content: `${"so ".repeat(500)}the end` }));
    expect((await hub.run(showCommand, "sess-a")).out).toMatch(/Thought: (so )+\S* … 507 more characters {2}#2/);
    expect((await hub.run(showCommand, "sess-a", "--full")).out).toContain("so the end  #2");
  });

  it("keeps notes for who wants everything", async () => {
    await using hub = await openStoryHub();
    await sayRun(hub);
    const note = '  Note, aop/thought-before-action: Nothing says why "operation.agent_spawn" was done.';
    expect((await hub.run(showCommand, "sess-run")).lines).not.toContain(note);
    expect((await hub.run(showCommand, "sess-run", "--full")).lines).toContain(note);
  });

  it("shows one entry with its JSON", async () => {
    await using hub = await openStoryHub();
    const say = aopSessionEvents("sess-a");
    const last = await hub.say(say("session.started"), say("cognition.thought", { content: "Hm.\u202e", extra: [1] }));
    // The age depends on the machine's load.
    const printed = async (...words: readonly string[]) => (await hub.run(showCommand, ...words)).out.replace(/(?<=: received ).*/, "…");
    const out = await printed(`#${last}`);
    expect(out).toContain(`Entry #${last}, AOP cognition.thought, Helper, session sess-a: received …\n`);
    expect(out).toContain("Thought: Hm.\\u{202e}\n");
    expect(out).toContain('"content": "Hm.\\u{202e}",\n    "extra": [');
    expect(await printed("--position", String(last))).toBe(out);
    expect(JSON.parse((await hub.run(showCommand, "--position", String(last), "--json")).out)).toMatchObject({
      position: last,
      type: "cognition.thought",
    });
    await expect(hub.run(showCommand, "--position", "99")).rejects.toThrow("Entry #99 does not exist");
    await expect(hub.run(showCommand, "#0")).rejects.toThrow("Entry #0 does not exist");
  });

  it("prints JSON, the session first, then an item per line", async () => {
    await using hub = await openStoryHub();
    await sayRun(hub);
    const objects = (await hub.run(showCommand, "sess-run", "--json")).lines.map((line) => JSON.parse(line) as object);
    expect(objects[0]).toMatchObject({ session: { id: "sess-run" }, grade: { events: 6 } });
    expect(objects[2]).toMatchObject({ item: { activity: { kind: "thought", text: "Look first." } } });
    expect(objects).toHaveLength(6);
    const part = (await hub.run(showCommand, "sess-run", "--json", "--from-start", "--limit", "2")).lines.at(-1) ?? "";
    expect(JSON.parse(part)).toEqual({ next: expect.any(String) });
    expect(JSON.parse((await hub.run(showCommand, "sess-run", "--calls", "--json")).out)).toMatchObject({ items: [{ tool: "read_file" }] });
    expect(JSON.parse((await hub.run(showCommand, "sess-run", "--tree", "--json")).out)).toMatchObject({
      nodes: [{ depth: 0 }, { depth: 1 }],
    });
  });

  it("explains itself, and refuses what makes no sense", async () => {
    await using hub = await openStoryHub();
    await expect(hub.run(showCommand)).rejects.toThrow("Name one session");
    await expect(hub.run(showCommand, "a", "b")).rejects.toThrow("Unexpected argument");
    await expect(hub.run(showCommand, "a", "--position", "3")).rejects.toThrow("Name one session");
    await expect(hub.run(showCommand, "a", "--from", "x")).rejects.toThrow("--from cannot be");
    await expect(hub.run(showCommand, "a", "--from", "3", "--all")).rejects.toThrow("contradict");
    await expect(hub.run(showCommand, "a", "--calls", "--tree")).rejects.toThrow("contradict");
    await expect(hub.run(showCommand, "a", "--protocol", "otlp")).rejects.toThrow("--protocol cannot be");
  });
});
