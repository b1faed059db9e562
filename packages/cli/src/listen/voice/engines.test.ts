import { describe, expect, it } from "vitest";
import { dispatcherRate, ENGINES, espeakRate, findEngineVoice, readEspeakVoices, readSayVoices, sapiRate, toUtterable } from "./engines.ts";

const ESPEAK_LIST = `Pty Language       Age/Gender VoiceName          File                 Other Languages
 5  de              --/M      German             gmw/de
 6  de              --/F      german-mbrola-1    mb/mb-de1
 5  en-029          --/M      English_(Caribbean) gmw/en-029           (en 10)
 2  en-gb           --/M      English_(Great_Britain) gmw/en               (en 2)
 2  en-us           --/M      English_(America)  gmw/en-US            (en 3)
 9  en              --/F      en-german-1        mb/mb-de1-en
`;
const SAY_LIST = `Alex                en_US    # Most people recognize me by my voice.
Anna                de_DE    # Hallo, ich heiße Anna.
Eddy (German (Germany)) de_DE    # Hallo! Ich heiße Eddy.
`;

describe("voices as data", () => {
  it.each([
    [50, -100, -10, 80],
    [170, 0, -1, 170],
    [180, 4, 0, 180],
    [450, 100, 8, 450],
    [1000, 100, 10, 900],
  ])("%i words a minute are within the scale of each", (wpm, dispatcher, sapi, espeak) => {
    expect([dispatcherRate(wpm), sapiRate(wpm), espeakRate(wpm)]).toEqual([dispatcher, sapi, espeak]);
  });

  it("finds the usual voice of a language", () => {
    const espeak = readEspeakVoices(ESPEAK_LIST);
    expect(["de", "de-AT", "en", "en-US", "en-AU", "ja"].map((one) => findEngineVoice(one, espeak))).toEqual([
      "de",
      "de",
      "en-gb",
      "en-us",
      "en-gb",
      undefined,
    ]);
    const say = readSayVoices(SAY_LIST);
    expect(["de", "de-DE", "en", "fr"].map((one) => findEngineVoice(one, say))).toEqual(["Anna", "Anna", "Alex", undefined]);
  });

  it("gives the text as a word of its own or on stdin, never within another word", () => {
    const text = "$(reboot); `reboot` \"quoted\" 'quoted' -rf";
    for (const { words, textOn } of ENGINES) {
      const all = words({ text, paceWpm: 180, language: "en", voice: undefined });
      expect(all.filter((word) => word.includes("reboot"))).toEqual(textOn === "words" ? [text] : []);
    }
  });

  it("takes from a text what a voice would obey", () => {
    expect(toUtterable("[[rate 10]] a\u0000b\u001b[31m")).toBe("[ [rate 10] ] a b [31m");
    expect(toUtterable("[[[x]]]")).not.toMatch(/\[\[|\]\]/);
    expect(toUtterable("--help")).toBe(". --help");
  });
});
