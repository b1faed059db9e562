import { describe, expect, it } from "vitest";
import { WORD_LANGUAGES, wordLanguage } from "./word-languages.ts";

describe("the language of our own words", () => {
  it("is what was set, whatever the country, and English where there are no words", () => {
    const languages = ["en", "de"];
    expect(["de", "de-AT", "DE", "en-GB", "fr", "", "system"].map((set) => wordLanguage(set, languages))).toEqual([
      "de",
      "de",
      "de",
      "en",
      "en",
      "en",
      "en",
    ]);
  });

  it("can always be English", () => {
    expect(WORD_LANGUAGES).toContain("en");
  });
});
