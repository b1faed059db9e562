import { expect, it } from "vitest";
import { findBrowserVoice } from "./voice.ts";

const VOICES = [
  { voiceURI: "a", lang: "en-GB", default: false },
  { voiceURI: "b", lang: "en_US", default: true },
  { voiceURI: "c", lang: "de-DE", default: false },
  { voiceURI: "d", lang: "de-AT", default: false },
];

it.each([
  ["en-US", {}, "b"],
  ["en-GB", {}, "a"],
  ["en", {}, "b"],
  ["de", {}, "c"],
  ["de-AT", {}, "d"],
  ["de", { de: "d" }, "d"],
  ["de", { de: "a voice that is gone" }, "c"],
  ["fr", {}, undefined],
])("for %s, with %o chosen, speaks %s", (language, chosen, voice) => {
  expect(findBrowserVoice(language, VOICES, chosen as Record<string, string>)?.voiceURI).toBe(voice);
});
