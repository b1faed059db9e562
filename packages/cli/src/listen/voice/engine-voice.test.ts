import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { temporaryTestFolder } from "../../../../hub/src/ledger/testing/temporary-folder.ts";
import { EngineVoice } from "./engine-voice.ts";
import { commandEngine } from "./engines.ts";
import { runProgram } from "./run-program.ts";

const MANNER = { paceWpm: 180, language: "en" };

/** A voice in Node that records what it speaks. */
function open(folder: { file(name: string): string }, script: string): Promise<EngineVoice> {
  const path = folder.file("voice.mjs");
  writeFileSync(path, script);
  return EngineVoice.open(commandEngine(`${process.execPath} ${path} {lang} {rate}`), process.execPath);
}

const WRITES = (log: string) => `
import { appendFileSync, readFileSync } from "node:fs";
const [language, rate] = process.argv.slice(2);
appendFileSync(${JSON.stringify(log)}, JSON.stringify([language, rate, readFileSync(0, "utf8")]) + "\\n");
`;

describe("a voice that is a program", () => {
  it("says each language in one breath, in its order", async () => {
    using folder = temporaryTestFolder();
    const log = folder.file("log");
    const voice = await open(folder, WRITES(log));
    const segments = [{ text: "Codex asks:" }, { text: "Go on?", language: "en" }, { text: "Ja oder nein?", language: "de" }];
    await expect(voice.speak(segments, MANNER).over).resolves.toBe("said");
    const said = readFileSync(log, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown);
    expect(said).toEqual([
      ["en", "180", "Codex asks: Go on?"],
      ["de", "180", "Ja oder nein?"],
    ]);
  });

  it("is silent at once when it is told to stop, and says nothing of the rest", async () => {
    using folder = temporaryTestFolder();
    const log = folder.file("log");
    const voice = await open(folder, `${WRITES(log)}\nsetInterval(() => {}, 1000);`);
    const utterance = voice.speak([{ text: "one" }, { text: "zwei", language: "de" }], MANNER);
    while (!existsWith(log, "one")) await new Promise((resolve) => setTimeout(resolve, 10));
    utterance.stop();
    await expect(utterance.over).resolves.toBe("stopped");
    expect(readFileSync(log, "utf8")).not.toContain("zwei");
  });

  it("says why it cannot speak", async () => {
    using folder = temporaryTestFolder();
    const voice = await open(folder, "console.error('no sound card'); process.exit(3)");
    await expect(voice.speak([{ text: "one" }], MANNER).over).rejects.toThrow("it ended with exit code 3: no sound card");
    const missing = await EngineVoice.open(commandEngine("nothing"), folder.file("nothing"));
    await expect(missing.speak([{ text: "one" }], MANNER).over).rejects.toThrow("ENOENT");
  });

  it("does not wait for one that hangs", async () => {
    const run = runProgram(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { limitMs: 50 });
    await expect(run.over).rejects.toThrow("did not end within");
  });

  it("refuses a word that no program can be given, instead of failing later", async () => {
    await expect(runProgram(process.execPath, ["\0"], { limitMs: 50 }).over).rejects.toThrow();
  });
});

function existsWith(path: string, text: string): boolean {
  try {
    return readFileSync(path, "utf8").includes(text);
  } catch {
    return false; // not yet
  }
}
