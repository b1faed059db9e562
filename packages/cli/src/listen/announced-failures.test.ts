import type { Announcement } from "@earshot/announcer";
import { expect, it } from "vitest";
import { AnnouncedFailures } from "./announced-failures.ts";

function failure(text: string, more: Partial<Announcement> = {}): Announcement {
  const segments = [{ text: "Scout got an error:" }, { text }];
  const rest = { words: 5, interrupts: false, sessions: ["s1"], requests: [], events: [], count: 1, heardAt: 0 };
  return { id: "a1", about: "failure", urgency: "normal", segments, text, ...rest, ...more };
}

it("the same failure of the same session is told once in two minutes", () => {
  const failures = new AnnouncedFailures();
  expect(failures.isAgain(failure("403"), 0)).toBe(false);
  failures.note(failure("403"), 0);
  expect(failures.isAgain(failure("403"), 119_999)).toBe(true);
  expect(failures.isAgain(failure("403"), 120_000)).toBe(false);
});

it("another failure, another session, and what is critical or asked for, are told", () => {
  const failures = new AnnouncedFailures();
  failures.note(failure("403"), 0);
  for (const other of [
    failure("404"),
    failure("403", { sessions: ["s2"] }),
    failure("403", { urgency: "critical" }),
    failure("403", { demanded: true }),
    failure("403", { about: "tool" }),
  ])
    expect(failures.isAgain(other, 1)).toBe(false);
});
