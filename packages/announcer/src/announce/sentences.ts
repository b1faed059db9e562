import { endsInAbbreviation, findEnds, segmentersFor } from "@earshot/aaep/speaking";

/** Where a text that is still being written can be cut. */
export interface Cut {
  /** What is complete. */
  readonly done: string;
  readonly rest: string;
}

/** Up to the last end of a sentence or paragraph that is certain. */
export function cutAtSentence(text: string, language = "en"): Cut {
  const { sentence, paragraph } = findEnds("", text, language);
  const end = Math.max(0, sentence, paragraph);
  return { done: text.slice(0, end), rest: text.slice(end) };
}

/** A text as its sentences, none of them empty. */
export function toSentences(text: string, language = "en"): readonly string[] {
  const sentences: string[] = [];
  let from = 0;
  for (const { index } of segmentersFor(language).sentence.segment(text)) {
    const sentence = text.slice(from, index);
    if (sentence.trim() === "" || endsInAbbreviation(sentence, text.slice(index), language)) continue;
    sentences.push(sentence.trim());
    from = index;
  }
  const last = text.slice(from).trim();
  return last === "" ? sentences : [...sentences, last];
}
