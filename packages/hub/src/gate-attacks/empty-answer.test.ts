import { describe, expect, it } from "vitest";
import { checkAnswer } from "../requests/answer-fits.ts";
import type { CardField, RequestCardData } from "../requests/card.ts";

const FIELD: CardField = { name: "why", text: "Why?", kind: "text", isOpen: true, isRequired: true };

function card(more: Partial<RequestCardData["asked"]>): RequestCardData {
  const asked = { kind: "clarification", title: "", facts: {}, said: [], risk: "unknown", irreversible: false, ...more };
  return { version: 1, asked, terms: { answers: ["respond", "deny"] } } as unknown as RequestCardData;
}

describe("an answer in words that are blank", () => {
  it.each(["", " ", "\n\t "])("%j is never sent", (response) => {
    for (const asked of [{}, { responds: ["freetext" as const] }, { fields: [FIELD] }]) {
      expect(() => checkAnswer({ word: "respond", response }, card(asked), undefined)).toThrow();
      expect(() => checkAnswer({ word: "respond", response: "yes" }, card(asked), undefined)).not.toThrow();
    }
    expect(() => checkAnswer({ word: "respond", response: { why: response } }, card({ fields: [FIELD] }), undefined)).toThrow();
  });
});
