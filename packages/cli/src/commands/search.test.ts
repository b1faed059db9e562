import { describe, expect, it } from "vitest";
import { aopSessionEvents, openStoryHub } from "../story/testing/story-hub.ts";
import { searchCommand } from "./search.ts";

describe("earshot search", () => {
  it("finds what was said, newest first, with where and when", async () => {
    await using hub = await openStoryHub();
    const [first, second] = [aopSessionEvents("sess-one", "archivist"), aopSessionEvents("sess-two", "carrier")];
    await hub.say(first("session.started"), first("cognition.thought", { content: "The rollback of the release failed." }));
    await hub.say(second("session.started"), second("cognition.thought", { content: "No rollback is needed." }));
    const { lines, code } = await hub.run(searchCommand, "rollback");
    expect(code).toBe(0);
    expect(lines[0]).toBe("2 matches, newest first.");
    expect(lines[1]).toMatch(/^Thought, Carrier, .*: .*No rollback is needed\.* Session: sess-two, AOP\. {2}#4$/);
    expect(lines[2]).toMatch(/^Thought, Archivist, .*rollback of the release.* Session: sess-one, AOP\. {2}#2$/);
    expect((await hub.run(searchCommand, "rollback", "release")).lines[0]).toBe("1 match, newest first.");
    expect((await hub.run(searchCommand, '"of the release"')).lines[0]).toBe("1 match, newest first.");
    expect((await hub.run(searchCommand, "rollback", "--session", "sess-t")).lines[1]).toContain("sess-two");
    expect((await hub.run(searchCommand, "rollback", "--agent", "archivist", "--since", "1h")).lines[1]).toContain("sess-one");
    expect((await hub.run(searchCommand, "rollback", "--relevance")).lines[0]).toBe("2 matches, best match first.");
    expect((await hub.run(searchCommand, "--", "rollback", "-needed")).lines[1]).toContain("sess-one");
  });

  it("says how to get more, and goes on there", async () => {
    await using hub = await openStoryHub();
    const say = aopSessionEvents("sess-a");
    await hub.say(say("session.started"), ...[1, 2, 3].map((number) => say("cognition.thought", { content: `tide ${number}` })));
    const found = await hub.run(searchCommand, "tide", "--limit", "2");
    const [, cursor = ""] = /^There are more: earshot search --limit 2 --after (\S+) -- tide$/m.exec(found.out) ?? [];
    expect((await hub.run(searchCommand, "--limit", "2", "--after", cursor, "--", "tide")).lines[1]).toContain("tide 1");
  });

  it("ends with 1 when nothing is found", async () => {
    await using hub = await openStoryHub();
    expect(await hub.run(searchCommand, "nothing")).toMatchObject({ code: 1, out: "No matches.\n" });
    expect(JSON.parse((await hub.run(searchCommand, "nothing", "--json")).out)).toEqual({ items: [] });
  });

  it("explains itself, and refuses what makes no sense", async () => {
    await using hub = await openStoryHub();
    await expect(hub.run(searchCommand)).rejects.toThrow("WORDS is missing");
    await expect(hub.run(searchCommand, "a", "--until", "x")).rejects.toThrow("--until cannot be");
    await expect(hub.run(searchCommand, "a", "--session", "nobody")).rejects.toThrow("No session");
  });
});
