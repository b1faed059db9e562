import { describe, expect, it } from "vitest";
import { createAnnouncer } from "../announce/create-announcer.ts";
import { AnnouncementSpeaker } from "./announcement-speaker.ts";

/** 60 words a minute: a second for each word. */
function open() {
  let now = 0;
  const announcer = createAnnouncer({ paceWpm: 60 });
  const said: string[] = [];
  const speaker = new AnnouncementSpeaker({
    announcer,
    now: () => now,
    speak: () => new Promise(() => {}),
    stop: () => {},
    isKnown: () => false,
    onSay: ({ text }) => said.push(text),
    onOver: () => {},
  });
  const notice = (topic: "other" | "request", text: string) => announcer.notice({ topic, text }, now);
  const pass = (ms: number) => {
    for (const until = now + ms; now < until; now += 100) speaker.sayNext();
  };
  return { announcer, speaker, said, notice, pass };
}

describe("what is cut short", () => {
  it("is said again when little of it was said", () => {
    const { said, speaker, notice, pass } = open();
    notice("other", "one two three four five six seven eight nine ten");
    pass(3000);
    notice("request", "urgent");
    pass(1000);
    speaker.enough();
    pass(10_000);
    expect(said.filter((text) => text.startsWith("one"))).toHaveLength(2);
  });

  it("is not said again when it was nearly over", () => {
    const { said, speaker, notice, pass } = open();
    notice("other", "one two three four five six seven eight nine ten");
    pass(9000);
    notice("request", "urgent");
    pass(1000);
    speaker.enough();
    pass(10_000);
    expect(said).toEqual(["one two three four five six seven eight nine ten", "urgent"]);
  });

  it("by something else that is said beside is said again, and always when it is critical", () => {
    const { said, speaker, notice, pass } = open();
    notice("request", "urgent and important");
    pass(2900);
    speaker.interrupt();
    expect(speaker.saying).toBeUndefined();
    pass(100);
    expect(said).toEqual(["urgent and important", "urgent and important"]);
  });
});
