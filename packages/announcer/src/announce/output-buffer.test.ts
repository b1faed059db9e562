import { describe, expect, test } from "vitest";
import { sampleActivity } from "../../../narrate/src/testing/acts.ts";
import { ENGLISH_PHRASES } from "../../../narrate/src/words/english-phrases.ts";
import { OutputBuffer } from "./output-buffer.ts";

type Load = "low" | "medium" | "high";

/** Feeds parts and lists what could be announced after each. */
function said(
  pieces: readonly { text: string; boundary?: string; last?: boolean; language?: string; contentType?: string }[],
  load: Load = "medium",
) {
  const buffer = new OutputBuffer(undefined, { agent: "codex" });
  return pieces.map((piece, index) => {
    const chunk = sampleActivity("output.chunk", { last: false, ...piece });
    if (chunk.kind === "output.chunk") buffer.handle(chunk, index, { load, phrases: ENGLISH_PHRASES });
    return buffer.take(ENGLISH_PHRASES).map(({ text }) => text);
  });
}

describe("the boundary of a piece", () => {
  test("`none` is never told alone, also where it looks like a sentence: it waits for a real one", () => {
    expect(
      said([
        { text: "Hello. ", boundary: "none" },
        { text: "You the", boundary: "none" },
        { text: "re.", boundary: "sentence" },
      ]),
    ).toEqual([[], [], ["Hello. You there."]]);
  });

  test("`none` ends with the output", () => {
    expect(
      said([
        { text: "Hel", boundary: "none" },
        { text: "lo", boundary: "none", last: true },
      ]),
    ).toEqual([[], ["Hello"]]);
  });

  test("`sentence` is told at once", () => {
    expect(
      said([
        { text: "It is 3", boundary: "word" },
        { text: ".5 now.", boundary: "sentence" },
      ]),
    ).toEqual([[], ["It is 3.5 now."]]);
  });

  test("of a word is told at high load only", () => {
    expect(
      said(
        [
          { text: "Hello ", boundary: "word" },
          { text: "there ", boundary: "word" },
        ],
        "high",
      ),
    ).toEqual([["Hello"], ["there"]]);
    expect(
      said([
        { text: "Hello ", boundary: "word" },
        { text: "there ", boundary: "word" },
      ]),
    ).toEqual([[], []]);
  });

  test("is found where nobody names it; abbreviations and decimals end nothing", () => {
    expect(
      said([
        { text: "See e.g. Dr. Who, No. 7. " },
        { text: "It costs 3." },
        { text: "50 now. Or" },
        { text: " not" },
        { text: "", last: true },
      ]),
    ).toEqual([[], ["See e.g. Dr. Who, No. 7."], ["It costs 3.50 now."], [], ["Or not"]]);
  });

  test("is found in Japanese", () => {
    expect(said([{ text: "終わりました。次は", language: "ja" }])).toEqual([["終わりました。"]]);
  });

  test("does not matter at low load: the whole is told at its end", () => {
    expect(
      said(
        [
          { text: "One. ", boundary: "sentence" },
          { text: "Two.", boundary: "sentence", last: true },
        ],
        "low",
      ),
    ).toEqual([[], ["One. Two."]]);
  });
});

test("each language has its own voice, also within a sentence", () => {
  const buffer = new OutputBuffer(undefined, { agent: "codex" });
  const pieces = [
    sampleActivity("output.chunk", { text: "She said: ", last: false, language: "en" }),
    sampleActivity("output.chunk", { text: "Guten Tag. ", last: false, language: "de" }),
    sampleActivity("output.chunk", { text: "Then she left.", last: true, language: "en" }),
  ];
  for (const chunk of pieces) if (chunk.kind === "output.chunk") buffer.handle(chunk, 0, { load: "medium", phrases: ENGLISH_PHRASES });
  expect(buffer.take(ENGLISH_PHRASES)).toEqual([
    { text: "She said:", language: "en" },
    { text: "Guten Tag.", language: "de" },
    { text: "Then she left.", language: "en" },
  ]);
});

test("half a sentence is told after a while, but never one that ends anywhere", () => {
  const buffer = new OutputBuffer(undefined, { agent: "codex" });
  const hear = (text: string, boundary: string | undefined, at: number) => {
    const chunk = sampleActivity("output.chunk", { text, last: false, ...(boundary === undefined ? {} : { boundary }) });
    if (chunk.kind === "output.chunk") buffer.handle(chunk, at, { load: "medium", phrases: ENGLISH_PHRASES });
  };
  hear("I am th", "none", 0);
  expect(buffer.unfinishedAt).toBeUndefined();
  hear("inking", undefined, 1000);
  expect(buffer.unfinishedAt).toBe(11_000);
  buffer.releaseUnfinished(10_999, ENGLISH_PHRASES);
  expect(buffer.hasWords).toBe(false);
  buffer.releaseUnfinished(11_000, ENGLISH_PHRASES);
  expect(buffer.take(ENGLISH_PHRASES)).toEqual([{ text: "I am thinking" }]);
});

test("a long answer is told in parts; what is too much is counted", () => {
  const buffer = new OutputBuffer(undefined, { agent: "codex" });
  const text = Array.from({ length: 100 }, (_, index) => `Sentence number ${index} has six words. `).join("");
  const chunk = sampleActivity("output.chunk", { text, last: true });
  if (chunk.kind === "output.chunk") buffer.handle(chunk, 0, { load: "medium", phrases: ENGLISH_PHRASES });
  const parts: string[] = [];
  while (buffer.hasWords) parts.push(...buffer.take(ENGLISH_PHRASES).map((segment) => segment.text));
  expect(parts.length).toBe(5);
  expect(parts[0]?.split(" ").length).toBeLessThanOrEqual(50);
  expect(parts.at(-1)).toBe("450 words left out.");
});

test("code and other content is named, not read", () => {
  expect(
    said([
      { text: "Do this:\n```sh\nrm -rf /tmp/x\n", boundary: "none" },
      { text: "```\nThen wait.", last: true },
    ]),
  ).toEqual([[], ["Do this: Code, 1 line. Then wait."]]);
  expect(said([{ text: '{"a":1}', contentType: "application/json", last: true }])).toEqual([
    ["Content of type application/json, 7 characters."],
  ]);
});

test("without any boundary it does not grow for ever", () => {
  const buffer = new OutputBuffer(undefined, { agent: "codex" });
  for (let index = 0; index < 2000; index++) {
    const chunk = sampleActivity("output.chunk", { text: "word ", last: false, boundary: "none" });
    if (chunk.kind === "output.chunk") buffer.handle(chunk, index, { load: "medium", phrases: ENGLISH_PHRASES });
  }
  expect(buffer.hasWords).toBe(true);
  expect(buffer.waitingWords).toBeLessThanOrEqual(150);
});
