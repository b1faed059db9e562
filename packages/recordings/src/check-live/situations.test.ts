import { describe, expect, it } from "vitest";
import { DEFAULT_PROMPTS, defaultSituations, readSituations } from "./situations.ts";

describe("how a producer is brought into a situation", () => {
  it("is by plain words where nothing is said", () => {
    const { triggers, probe } = defaultSituations();
    expect(triggers.chat).toEqual({ send: { kind: "user_input", text: DEFAULT_PROMPTS.chat }, given: false });
    expect(Object.keys(triggers).sort()).toEqual(Object.keys(DEFAULT_PROMPTS).sort());
    expect(probe).toBeUndefined();
    expect([defaultSituations().attended, readSituations({ attended: true }).attended]).toEqual([false, true]);
  });

  it("is by other words, a message, a command, by waiting, or not at all", () => {
    const { triggers, probe } = readSituations({
      chat: "Salut!",
      tool: { send: { prompt: "go" } },
      confirm: { run: "make confirm" },
      error: { wait: true },
      busy: null,
      probe: { get: "/world" },
    });
    expect([triggers.chat, triggers.tool, triggers.confirm, triggers.error, triggers.busy, probe]).toEqual([
      { send: { kind: "user_input", text: "Salut!" }, given: true },
      { send: { prompt: "go" }, given: true },
      { run: "make confirm", given: true },
      { wait: true, given: true },
      undefined,
      { get: "/world" },
    ]);
  });

  it.each([[{ dance: "x" }], [{ chat: 7 }], [{ chat: { go: 1 } }], [{ probe: "x" }]])("is refused: %j", (value) => {
    expect(() => readSituations(value)).toThrow();
  });
});
