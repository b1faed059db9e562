import { expect, it } from "vitest";
import { muteWords, readMute, readMutes, writeMute } from "./mutes.ts";

it.each([{ session: "a:b" }, { agent: "codex" }, { project: "/home/ana/shop" }])("%o is read as it was written", (mute) => {
  expect(readMute(writeMute(mute))).toEqual(mute);
});

it("whatever else stands in the storage mutes nobody", () => {
  expect(readMutes(["", "agent:", "nobody:x", 7, null, {}, "agent:x"])).toEqual([{ agent: "x" }]);
});

it("a session is called by who speaks in it, where that is known", () => {
  const source = { session: "s1", agent: "Codex", agentId: "codex", project: "shop" };
  expect(muteWords({ session: "s1" }, () => source)).toBe("this session of Codex in shop");
  expect(muteWords({ session: "s1" }, () => undefined)).toBe("the session s1");
});
