import { describe, expect, it } from "vitest";
import { SpeechOutput, type SpeechOutputPorts } from "./speech-output.ts";
import type { SpeechVoice, SpokenUtterance } from "./voice/voice.ts";

function open(say: () => SpokenUtterance, more: Partial<SpeechOutputPorts> = {}) {
  const printed: string[] = [];
  const failures: string[] = [];
  const voice: SpeechVoice = { name: "a voice", isSpoken: true, speak: say };
  const mouth = new SpeechOutput(voice, {
    out: (text) => printed.push(text),
    manner: () => ({ paceWpm: 180, language: "en" }),
    onFailure: (name, why) => failures.push(`${name}: ${why}`),
    ...more,
  });
  return { mouth, printed, failures };
}

/** Speaks until it is stopped. */
function endless(): SpokenUtterance {
  const { promise, resolve } = Promise.withResolvers<"said" | "stopped">();
  return { over: promise, stop: () => resolve("stopped") };
}

describe("what is said", () => {
  it("is printed as one line, with nothing in it that acts on a terminal", async () => {
    const { mouth, printed } = open(() => ({ over: Promise.resolve("said"), stop: () => {} }));
    await mouth.printAndSpeak([{ text: "Codex:" }, { text: "a\u001b[31mb\u202ec" }]);
    await mouth.printAndSpeak([{ text: "one\nAnswered: allow." }]);
    expect(printed).toEqual(["Codex: a\\u{1b}[31mb\\u{202e}c\n", "one\\nAnswered: allow.\n"]);
  });

  it("is stopped by what is said next", async () => {
    const { mouth } = open(endless);
    const first = mouth.printAndSpeak([{ text: "one" }]);
    const second = mouth.printAndSpeak([{ text: "two" }]);
    await expect(first).resolves.toBe("stopped");
    mouth.stop();
    await expect(second).resolves.toBe("stopped");
  });

  it("goes on as lines when the voice fails, and says so once", async () => {
    const { mouth, printed, failures } = open(() => ({ over: Promise.reject(new Error("no sound")), stop: () => {} }));
    expect(mouth.isSpoken).toBe(true);
    await expect(mouth.printAndSpeak([{ text: "one" }])).resolves.toBe("said");
    await expect(mouth.printAndSpeak([{ text: "two" }])).resolves.toBe("said");
    expect(failures).toEqual(["a voice: no sound"]);
    expect(printed).toEqual(["one\n", "two\n"]);
    expect(mouth.isSpoken).toBe(false);
  });

  it("has a sound before it, which can be cut short with it", async () => {
    const played: string[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const { mouth } = open(endless, {
      play: (sound) => {
        played.push(sound);
        return promise;
      },
    });
    const said = mouth.printAndSpeak([{ text: "one" }], "request");
    mouth.stop();
    resolve();
    await expect(said).resolves.toBe("stopped");
    expect(played).toEqual(["request"]);
  });
});
