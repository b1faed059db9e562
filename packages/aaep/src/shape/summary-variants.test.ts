import type { JsonObject } from "@earshot/protocol";
import { describe, expect, it } from "vitest";
import type { AaepVerbosity } from "../terms.ts";
import { chooseLanguage, readSummaryVariants, withSummary } from "./summary-variants.ts";

function tell(event: JsonObject, verbosity: AaepVerbosity, languages: readonly string[] = ["en"]): JsonObject {
  const wording = readSummaryVariants(event);
  return wording === undefined ? event : withSummary(event, wording, verbosity, chooseLanguage(wording, languages));
}

const three = { summary_terse: "T", summary_normal: "N", summary_detailed: "D", localization_hints: { primary_language: "en-US" } };

describe("the length of what is told", () => {
  it("is the one that was asked for, beside the normal one, which schemas demand", () => {
    const { localization_hints } = three;
    expect(tell(three, "terse")).toEqual({ summary_terse: "T", summary_normal: "N", verbosity: "terse", localization_hints });
    expect(tell(three, "normal")).toEqual({ summary_normal: "N", localization_hints });
    expect(tell(three, "detailed")).toEqual({ summary_normal: "N", summary_detailed: "D", verbosity: "detailed", localization_hints });
  });

  it("is the next best where it is missing, and never nothing", () => {
    expect(tell({ summary_normal: "N" }, "terse")).toEqual({ summary_normal: "N" });
    expect(tell({ summary_detailed: "D" }, "terse")).toEqual({ summary_detailed: "D", verbosity: "detailed" });
    expect(tell({ summary_terse: "T", summary_detailed: "D" }, "normal")).toEqual({ summary_terse: "T", verbosity: "terse" });
    expect(tell({ summary_terse: "T", verbosity: "terse" }, "detailed")).toEqual({ summary_terse: "T", verbosity: "terse" });
  });

  it("changes nothing in an event without summaries", () => {
    expect(readSummaryVariants({ chunk: "x", summary_count: 3, summary_of_it: "x" })).toBeUndefined();
  });
});

describe("the language of what is told", () => {
  const spoken = {
    summary_normal: "Reading.",
    summary_normal_de: "Ich lese.",
    summary_terse_de: "Lese.",
    summary_normal_pt_BR: "Lendo.",
    localization_hints: { primary_language: "en-US", text_direction: "ltr", script: "Latn", fallback_chain: ["pt-BR"] },
  };

  it("is the first that the subscriber prefers and the event has", () => {
    expect(tell(spoken, "normal", ["fr", "de-AT", "en"])).toEqual({
      summary_normal: "Ich lese.",
      localization_hints: { primary_language: "de", text_direction: "auto", fallback_chain: ["pt-BR"] },
    });
    expect(tell(spoken, "terse", ["de"])).toMatchObject({ summary_terse: "Lese.", summary_normal: "Ich lese.", verbosity: "terse" });
    expect(tell(spoken, "normal", ["en", "de"])).toEqual({ summary_normal: "Reading.", localization_hints: spoken.localization_hints });
  });

  it("is the producer's fallback when it has none of them, and else its own: an event is never left out", () => {
    expect(tell(spoken, "normal", ["ja"])).toMatchObject({ summary_normal: "Lendo.", localization_hints: { primary_language: "pt-BR" } });
    expect(tell({ ...spoken, localization_hints: { primary_language: "en-US" } }, "normal", ["ja"])).toMatchObject({
      summary_normal: "Reading.",
    });
  });

  it("is found among the variants in our extension too", () => {
    const event = {
      summary_normal: "Reading.",
      extensions: { earshot: { variants: { de: { summary_normal: "Ich lese.", action: "x" } } } },
    };
    expect(tell(event, "normal", ["de"])).toMatchObject({ summary_normal: "Ich lese.", localization_hints: { primary_language: "de" } });
  });

  it("is not said to be that of other words for people, which stay as they are", () => {
    const others: JsonObject[] = [
      { action: "Delete it.", consequence: "It is gone." },
      { question: "Which?" },
      { reason: "Too hard." },
      { remediation_hint: "Try again." },
      { progress: { description: "Reading." } },
    ];
    for (const words of others) {
      expect(tell({ ...spoken, ...words }, "normal", ["de"])).toEqual({
        ...words,
        summary_normal: "Ich lese.",
        localization_hints: spoken.localization_hints,
      });
    }
  });

  it("takes hostile members as they are", () => {
    const event = JSON.parse(
      '{"summary_normal":"N","summary_terse":5,"summary_normal_":"x","__proto__":{"a":1},"extensions":{"earshot":{"variants":[3]}}}',
    ) as JsonObject;
    expect(JSON.parse(JSON.stringify(tell(event, "terse", ["__proto__", "de"])))).toMatchObject({ summary_normal: "N" });
  });
});
