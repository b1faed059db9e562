import { Readable } from "node:stream";
import type { CommandIo } from "@earshot/terminal/io";
import { describe, expect, it, vi } from "vitest";
import { showCommand } from "../commands/show.ts";
import { tailCommand } from "../commands/tail.ts";
import { aopSessionEvents, openStoryHub } from "../story/testing/story-hub.ts";

const POLL_OPTIONS = { timeout: 20_000, interval: 200 };

/** Three in a row raise an alert. */
function failures(say: ReturnType<typeof aopSessionEvents>, from: number): readonly object[] {
  return [from, from + 1, from + 2].flatMap((number) => [
    say("operation.tool_start", { tool_name: "open_box", tool_call_id: `c${number}` }),
    say("operation.tool_end", { tool_name: "open_box", tool_call_id: `c${number}`, success: false, result_summary: "Nailed shut." }),
  ]);
}

describe("earshot tail --alerts", () => {
  it("lists what was noticed, and the story says it where it happened", async () => {
    await using hub = await openStoryHub();
    expect((await hub.run(tailCommand, "--alerts", "--no-follow")).out).toBe("No alerts.\n");
    const say = aopSessionEvents("sess-a", "archivist");
    await hub.say(say("session.started"), ...failures(say, 1));
    const { lines } = await hub.run(tailCommand, "--alerts", "--no-follow");
    expect(lines[0]).toBe("1 alert, newest first.");
    expect(lines[1]).toMatch(/^Error cascade, \w+, .*: .*3.* Agent: Archivist\. Session: sess-a, AOP\. {2}#\d+$/);
    expect((await hub.run(tailCommand, "--alerts", "--no-follow", "--type", "loop")).out).toBe("No alerts.\n");
    expect((await hub.run(tailCommand, "--alerts", "--no-follow", "--session", "sess-a", "--type", "error_cascade")).lines).toHaveLength(2);
    expect((await hub.run(showCommand, "sess-a")).out).toMatch(/^ {2}Alert, \w+, error cascade: /m);
    expect(JSON.parse((await hub.run(tailCommand, "--alerts", "--no-follow", "--json")).out)).toMatchObject({
      items: [{ type: "error_cascade", sessionId: "sess-a" }],
    });
  });

  it("tells what is raised from then on, once, until it is interrupted", async () => {
    await using hub = await openStoryHub();
    const say = aopSessionEvents("sess-a", "archivist");
    await hub.say(say("session.started"), ...failures(say, 1));
    const stop = new AbortController();
    let out = "";
    const io: CommandIo = {
      stdin: Readable.from([]),
      out: (text) => {
        out += text;
      },
      err: () => {},
      terminal: { out: false, err: false, colour: false, width: 0 },
    };
    const told = () => out.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as { sessionId: string; number: number }]));
    const running = tailCommand(["--alerts", "--json", "--type", "error_cascade"], io, { ...hub.ports, signal: stop.signal });
    await vi.waitFor(() => expect(told().map(({ sessionId }) => sessionId)).toEqual(["sess-a"]), POLL_OPTIONS);
    // The listener may start at any time: alerts are reported in either case, and once.
    let number = 0;
    await vi.waitFor(async () => {
      const next = aopSessionEvents(`sess-b${++number}`, "archivist");
      await hub.say(next("session.started"), ...failures(next, 1));
      expect(told().length).toBeGreaterThan(1);
    }, POLL_OPTIONS);
    stop.abort();
    expect(await running).toBe(0);
    expect(told().every(({ sessionId }) => sessionId.startsWith("sess-"))).toBe(true);
    expect(new Set(told().map((one) => one.number)).size).toBe(told().length);
  });

  it("refuses what makes no sense", async () => {
    await using hub = await openStoryHub();
    await expect(hub.run(tailCommand, "--alerts", "--no-follow", "--type", "doom")).rejects.toThrow("--type cannot be");
    await expect(hub.run(tailCommand, "--alerts", "--no-follow", "--session", "nobody")).rejects.toThrow("No session");
  });
});
