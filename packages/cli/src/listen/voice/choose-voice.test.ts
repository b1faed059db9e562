import { describe, expect, it } from "vitest";
import { chooseVoice, type VoiceChoice, type VoicePorts } from "./choose-voice.ts";

const NOTHING: VoiceChoice = { voice: undefined, linesOnly: false, isTerminal: true };

function ports(found: readonly string[], more: Partial<VoicePorts> = {}): VoicePorts {
  return {
    findScreenReader: async () => undefined,
    // The language query fails, and the voice works anyway.
    find: (command) => (found.includes(command) ? `/nowhere/${command}` : undefined),
    platform: "linux",
    ...more,
  };
}

async function chosen(wish: Partial<VoiceChoice>, given: VoicePorts): Promise<readonly [string, string]> {
  const { voice, because } = await chooseVoice({ ...NOTHING, ...wish }, given);
  return [voice.name, because.is];
}

describe("which voice speaks", () => {
  it("is the first that is there, on a machine that has it", async () => {
    expect(await chosen({}, ports(["espeak-ng", "spd-say"]))).toEqual(["speech-dispatcher", "found"]);
    expect(await chosen({}, ports(["espeak-ng", "say"]))).toEqual(["espeak-ng", "found"]);
    expect(await chosen({}, ports(["espeak-ng", "say"], { platform: "darwin" }))).toEqual(["say", "found"]);
    expect(await chosen({}, ports(["powershell.exe"], { platform: "win32" }))).toEqual(["Windows speech", "found"]);
    expect(await chosen({}, ports([]))).toEqual(["lines", "none found"]);
  });

  it("is none beside a screen reader, nor where nobody sees the output", async () => {
    const orca = { name: "Orca", platform: "linux", processes: ["orca"] } as const;
    const withReader = ports(["espeak-ng"], { findScreenReader: async () => orca });
    expect(await chosen({}, withReader)).toEqual(["lines", "screen reader"]);
    expect(await chosen({ isTerminal: false }, ports(["espeak-ng"]))).toEqual(["lines", "no terminal"]);
    expect(await chosen({ linesOnly: true }, ports(["espeak-ng"]))).toEqual(["lines", "asked"]);
    expect(await chosen({ voice: "espeak-ng" }, withReader)).toEqual(["espeak-ng", "asked"]);
  });

  it("is the one that was asked for, or an error that says so", async () => {
    expect(await chosen({ voice: "my-voice {text}" }, ports(["my-voice"]))).toEqual(["my-voice", "asked"]);
    await expect(chooseVoice({ ...NOTHING, voice: "my-voice" }, ports([]))).rejects.toThrow('"my-voice" was not found');
    await expect(chooseVoice({ ...NOTHING, voice: "file:out.wav" }, ports(["say"]))).rejects.toThrow("espeak-ng");
  });
});
