import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { Account, Telling } from "./telling.ts";

function openTelling(isTerminal: boolean) {
  const clock = { at: 0 };
  const told: string[] = [];
  const terminal = { out: false, err: isTerminal, colour: false, width: 0 };
  const io = { stdin: Readable.from([]), out: () => {}, err: (text: string) => void told.push(text), terminal };
  return { telling: new Telling(io, () => clock.at), clock, told, account: new Account(undefined) };
}

describe("how far a capture is", () => {
  it("is one line that is rewritten on a terminal, and taken away before another is told", () => {
    const { telling, clock, told, account } = openTelling(true);
    telling.progress(account);
    expect(told).toEqual([]);
    clock.at = 500;
    account.events = 1200;
    account.cut("The hub is gone.", "2026-01-01T00:00:00.000Z");
    telling.progress(account);
    telling.line("done");
    expect(told).toEqual(["\r\u001b[KCapturing: 1,200 events, 1 cut. Ctrl-C ends it.", "\r\u001b[K", "earshot: done\n"]);
  });

  it("is a plain line now and then in a log, where there is something new", () => {
    const { telling, clock, told, account } = openTelling(false);
    for (const [at, events] of [
      [29_999, 5],
      [30_000, 6],
      [60_000, 6],
      [90_000, 7],
    ] as const) {
      clock.at = at;
      account.events = events;
      telling.progress(account);
    }
    expect(told).toEqual(["earshot: 6 events so far\n", "earshot: 7 events so far\n"]);
  });

  it("ends with what was captured and what was not; text from elsewhere stays on its line", () => {
    const { telling, told, account } = openTelling(false);
    account.events = 3;
    account.leave("again");
    account.wereLate(2);
    telling.summary(account, { from: "x", into: "a\nb", new: 1, durationMs: 2000 });
    expect(told).toEqual(["earshot: captured 1 event (3 in all) from x into a\\nb in 2 seconds; 1 said again and left out, 2 late\n"]);
  });

  it("shows the first of what is no event, and no more", () => {
    const { telling, told } = openTelling(false);
    for (let index = 0; index < 5; index++) telling.odd("not an event", `${index}\u001b[31m`);
    telling.odd("message", "{}");
    expect(told).toHaveLength(3);
    expect(told[0]).toBe("earshot: left out, because it is no event: 0\\u{1b}[31m\n");
    expect(told[2]).toContain("only counted");
  });
});
