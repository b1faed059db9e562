import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OwnHub, ownHub, PIN } from "../inbox/testing/own-hub.ts";
import { HAS_PTY } from "../inbox/testing/pty.ts";

let own: OwnHub;
beforeAll(async () => {
  own = await ownHub();
});
afterAll(() => own[Symbol.asyncDispose]());

describe.skipIf(!HAS_PTY)("what is set for all", () => {
  it("away on and off", async () => {
    expect((await own.run(["away", "on"], PIN)).shown).toMatch(/You are away\.\nNot paused\.\nAway since \d\d:\d\d, set by the PIN/);
    expect(await own.read("/api/control")).toMatchObject({ away: { by: "the PIN" } });
    expect((await own.plain(["away"])).stdout).toContain("Away since");
    expect((await own.run(["away", "off"], PIN)).shown).toContain("You are back.");
    expect(await own.read("/api/control")).toMatchObject({ away: null });
  });

  it("a pause, with a reason, and its end", async () => {
    const { shown } = await own.run(["pause", "30m", "--reason", "an urgent fix"], PIN);
    expect(shown).toMatch(
      /Paused for 30 minutes\.\nPaused by the PIN until \d\d:\d\d.*30 minutes from now: agents decide everything themselves\. Reason: “an urgent fix”/,
    );
    expect(JSON.parse((await own.plain(["pause", "--json"])).stdout)).toMatchObject({ pause: { reason: "an urgent fix" } });
    await own.run(["pause", "off"], PIN);
    expect(await own.read("/api/control")).toMatchObject({ pause: null });
  });

  it("a session that is stopped, and lifted again", async () => {
    const id = await own.ask({ command: "npm test" }, { session: { id: "wild" } });
    expect((await own.run(["session", "stop", "wild", "--reason", "gone wild"], PIN)).shown).toContain("Session wild is stopped.");
    expect(await own.heard(id)).toMatchObject({ control: { behavior: "stop" } });
    expect((await own.plain(["away"])).stdout).toContain("Session wild (producer, aep) was stopped by the PIN");
    expect((await own.run(["session", "resume", "wild"], PIN)).shown).toContain("may go on");
    expect(await own.read("/api/control")).toMatchObject({ stopped: [] });
  });
});

describe("what is set for all, without a terminal", () => {
  it.each([
    [["away", "on"]],
    [["away", "off"]],
    [["pause", "30m", "--reason", "x"]],
    [["pause", "off"]],
    [["session", "stop", "s"]],
    [["session", "resume", "s"]],
  ])("%j is refused", async (words) => {
    const { status, stderr } = await own.plain(words, `${PIN}\n`);
    expect([status, stderr]).toEqual([2, expect.stringContaining("needs a person at a terminal")]);
  });

  it.each([
    [["pause", "soon", "--reason", "x"], "not a duration"],
    [["pause", "0m", "--reason", "x"], "at most 24 hours"],
    [["pause", "2d", "--reason", "x"], "at most 24 hours"],
    [["pause", "30m"], "--reason is missing"],
    [["away", "maybe"], "on or off"],
    [["session", "stop"], "SESSION is missing"],
  ])("%j is refused with a hint", async (words, message) => {
    const { status, stderr } = await own.plain(words);
    expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
