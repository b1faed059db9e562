import { describe, expect, it } from "vitest";
import { matchLanguage } from "./match-language.ts";

describe("a language", () => {
  it.each([
    ["en-US", ["en", "en-us"], "en-us"],
    ["en-US", ["fr", "en"], "en"],
    ["zh-Hant-TW", ["zh", "zh-Hant"], "zh-Hant"],
    ["zh-Hant", ["zh"], "zh"],
    ["en", ["fr", "en-US"], "en-US"],
    ["en-GB", ["fr", "en-US"], "en-US"],
    ["zh-Hant", ["zh-Hans"], undefined],
    ["zh-TW", ["zh-Hans"], "zh-Hans"],
    ["de", ["den", "fr"], undefined],
    ["de", [], undefined],
  ])("%s of %j is served as %s", (asked, offered, served) => {
    expect(matchLanguage(asked, offered)).toBe(served);
  });
});
