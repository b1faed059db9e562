import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { AskedCard } from "../requests/card.ts";
import { RequestNewsLog } from "../requests/news.ts";
import type { DesktopNotification } from "./desktops.ts";
import { RequestNotifier } from "./notifier.ts";

const ASKED: AskedCard = {
  kind: "permission",
  protocol: "aep",
  source: "local",
  session: "s1",
  agent: "claude",
  title: "Bash",
  input: { command: "git push" },
  said: [],
  risk: "high",
  irreversible: true,
  facts: { workspace: { cwd: "/home/ana/shop" } },
};

/** A desktop that records notifications, and requests that stay open until ended. */
function start({ breaks = false } = {}) {
  const news = new RequestNewsLog(() => 0);
  const open = new Map<string, AskedCard>();
  const shown: (DesktopNotification | string)[] = [];
  const log: string[] = [];
  let count = 0;
  const notifier = new RequestNotifier({
    desktop: {
      name: "a desktop",
      withdraws: true,
      show: async (note) => {
        if (breaks) throw new Error("the desktop is gone");
        shown.push(note);
        return String(++count);
      },
      withdraw: async (handle) => void shown.push(`withdrawn ${handle}`),
    },
    nameOf: async (agent) => (agent === "claude" ? "Claude Code" : agent),
    log: (message) => log.push(message),
    settleMs: 0,
  });
  const following = notifier.follow({
    wait: (after, ms, signal) => news.wait(after, ms, signal),
    findOpen: async (request) => open.get(request),
  });
  return {
    notifier,
    shown,
    log,
    ask(id: string, asked = ASKED) {
      open.set(id, asked);
      news.add("asked", "", { request: id });
    },
    end(id: string) {
      open.delete(id);
      news.add("decided", "", { request: id });
    },
    async [Symbol.asyncDispose]() {
      notifier.close();
      await following;
    },
  };
}

const titles = (shown: readonly (DesktopNotification | string)[]) => shown.map((one) => (typeof one === "string" ? one : one.title));

describe("the desktop", () => {
  it("is told who asks, where, and for what kind of answer: once, and never for what", async () => {
    await using desk = start();
    await pause(0);
    desk.ask("r1");
    await expect
      .poll(() => desk.shown)
      .toEqual([{ title: "Claude Code in shop", body: "Asks for your permission. Answer in Earshot.", isUrgent: true }]);
    desk.ask("r1");
    desk.ask("r2", { ...ASKED, kind: "handoff", agent: "<b>\u202eevil</b>\n&", facts: {} });
    await expect.poll(() => desk.shown.length).toBe(2);
    expect(desk.shown[1]).toEqual({ title: "b evil /b", body: "Wants to hand over to you. Answer in Earshot.", isUrgent: true });
    expect(JSON.stringify(desk.shown)).not.toContain("git push");
  });

  it("is cleared when it was answered", async () => {
    await using desk = start();
    await pause(0);
    desk.ask("r1");
    await expect.poll(() => desk.shown.length).toBe(1);
    desk.end("r1");
    await expect.poll(() => titles(desk.shown)).toEqual(["Claude Code in shop", "withdrawn 1"]);
  });

  it("is left alone when a rule answers at once", async () => {
    await using desk = start();
    await pause(0);
    desk.ask("r1");
    desk.end("r1");
    desk.ask("r2");
    await expect.poll(() => desk.shown.length).toBe(1);
    desk.end("r2");
    await expect.poll(() => titles(desk.shown)).toEqual(["Claude Code in shop", "withdrawn 1"]);
  });

  it("is not filled by many: the rest are told as one", async () => {
    await using desk = start();
    await pause(0);
    for (let index = 0; index < 12; index++) desk.ask(`r${index}`);
    await expect.poll(() => desk.shown.length).toBe(6);
    expect(desk.shown.at(-1)).toMatchObject({ title: "Earshot", body: "More requests wait for you. Answer in Earshot." });
    for (let index = 5; index < 12; index++) desk.end(`r${index}`);
    await expect.poll(() => titles(desk.shown).at(-1)).toBe("withdrawn 6");
  });

  it("is told of a lost guard, with the agent where one is known", async () => {
    await using desk = start();
    desk.notifier.guard({ agent: "claude", workspace: { cwd: "/home/ana/shop" } });
    desk.notifier.guard(undefined);
    await expect.poll(() => titles(desk.shown)).toEqual(["Claude Code in shop", "Earshot: the guard"]);
  });

  it("that is broken is complained about once, and requests wait all the same", async () => {
    await using desk = start({ breaks: true });
    await pause(0);
    desk.ask("r1");
    desk.ask("r2");
    await expect.poll(() => desk.notifier.trouble).toBe("the desktop is gone");
    await expect(desk.notifier.test()).rejects.toThrow("gone");
    expect(desk.log).toEqual(["The desktop could not be notified: the desktop is gone"]);
  });
});
