import { EARCON_TONES } from "@earshot/announcer";
import { describe, expect, it } from "vitest";
import { renderTones } from "../earcons.ts";
import { cutSound, durationMs, readWav, wavHeader } from "./wav.ts";

function file(samples: Buffer, sizeBytes = samples.length): Buffer {
  return Buffer.concat([wavHeader(1000, sizeBytes), samples]);
}

describe("sound in files", () => {
  it("is read as it was written", () => {
    const sound = readWav(file(Buffer.alloc(4000, 7)));
    expect(sound?.samplesPerSecond).toBe(1000);
    expect(sound && durationMs(sound)).toBe(2000);
    expect(sound && durationMs(cutSound(sound, 1500))).toBe(1500);
    expect(sound && durationMs(cutSound(sound, -1))).toBe(0);
  });

  it("counts what is there where a pipe did not know the length", () => {
    const sound = readWav(file(Buffer.alloc(2001), 0x7fff_f000));
    expect(sound && durationMs(sound)).toBe(1000);
  });

  it("is nothing where it is something else", () => {
    for (const bytes of [Buffer.alloc(0), Buffer.from("RIFF"), Buffer.alloc(100), file(Buffer.alloc(10)).subarray(0, 40)])
      expect(readWav(bytes)).toBeUndefined();
  });

  it("has tones that are as long as their notes, and neither silent nor clipped", () => {
    for (const notes of Object.values(EARCON_TONES)) {
      const sound = readWav(renderTones(notes));
      const seconds = Math.max(...notes.map(([, at, lasts]) => at + lasts));
      expect(sound && durationMs(sound)).toBeCloseTo(seconds * 1000, -1);
      const samples =
        sound === undefined
          ? new Int16Array()
          : new Int16Array(sound.samples.buffer.slice(sound.samples.byteOffset, sound.samples.byteOffset + sound.samples.length));
      const loudest = Math.max(...samples);
      expect(loudest).toBeGreaterThan(8000);
      expect(loudest).toBeLessThan(20_000);
    }
  });
});
