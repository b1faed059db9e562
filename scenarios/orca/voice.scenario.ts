import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempDisposableSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it } from "vitest";
import { plainWords } from "./plain-words.ts";
import { readUtterances, type VoiceLine } from "./utterance.ts";

it("takes the words out of what a screen reader hands to a voice", () => {
  expect(plainWords('<speak><mark name="0:3"/>git <mark name="4:8"/>a &lt; b &amp;&amp; c</speak>')).toEqual([
    "git",
    "a",
    "<",
    "b",
    "&&",
    "c",
  ]);
});

it("tells what was said to its end from what was broken off", () => {
  const lines: readonly VoiceLine[] = [
    { began: 1, words: ["One", "request"] },
    { ended: 2, said: 2 },
    { began: 3, words: ["It", "waits", "still"] },
    { ended: 4, said: 1 },
    { began: 5, words: ["Now"] },
  ];
  expect(readUtterances(lines)).toEqual([
    { heard: "One request", unheard: "", isOver: true },
    { heard: "It", unheard: "waits still", isOver: true },
    { heard: "Now", unheard: "", isOver: false },
  ]);
});

it("speaks the protocol of speech-dispatcher, and writes down what it says", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "earshot-voice-"));
  const file = join(folder.path, "spoken.jsonl");
  const words = [join(import.meta.dirname, "voice.ts"), "--file", file, "--pace", "6000"];
  const voice = spawn(process.execPath, words, { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: voice.stdout })[Symbol.asyncIterator]();
  const hear = async (last: string) => {
    for (;;) {
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`The voice ended before it said ${last}.`);
      if (value === last) return;
    }
  };
  voice.stdin.write("INIT\n");
  await hear("299 OK LOADED SUCCESSFULLY");
  voice.stdin.write("SPEAK\n<speak>Hear this</speak>\n.\n");
  await hear("202 OK RECEIVING MESSAGE");
  await hear("701 BEGIN");
  await hear("702 END");
  voice.stdin.write(`SPEAK\n${"long ".repeat(100_000)}\n.\n`);
  await hear("701 BEGIN");
  voice.stdin.write("STOP\n");
  await hear("703 STOP");
  voice.stdin.write("QUIT\n");
  await hear("210 OK QUIT");
  await once(voice, "exit");
  const spoken = readFileSync(file, "utf8").trim().split("\n");
  const [first, second] = readUtterances(spoken.map((line) => JSON.parse(line) as VoiceLine));
  expect(first).toEqual({ heard: "Hear this", unheard: "", isOver: true });
  expect(second?.unheard).toMatch(/^long/);
});
