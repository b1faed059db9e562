import { endsInAbbreviation, findTextBoundaries, segmentersFor } from "@earshot/aaep/speaking";
import { countSpokenWords, cutToWords, MARKUP_START, type MarkupPlace, type Phrases, type Segment, toSpokenPart } from "@earshot/narrate";
import type { Activity } from "@earshot/protocol/activities";
import type { AnnouncerSettings } from "./settings.ts";
import type { ActivitySpeaker } from "./speaker.ts";

type Chunk = Extract<Activity, { kind: "output.chunk" }>;

/** Words per announcement; then other items follow. */
const WORDS_AT_ONCE = 50;
/** Maximum waiting words; the rest is counted and announced as left out. */
const WORDS_WAITING = 150;
const LONGEST_SENTENCE = 80;
/** Without a sentence end, this much is taken as one. */
const HELD_CHARACTERS = 4000;
/** After this pause, an unfinished sentence is announced. */
const UNFINISHED_MS = 10_000;

interface Sentence {
  readonly text: string;
  readonly language: string | undefined;
  readonly words: number;
}

/** One streamed output: takes parts, returns sentences. */
export class OutputBuffer {
  readonly id: string | undefined;
  readonly speaker: ActivitySpeaker;
  #held: { text: string; readonly language: string | undefined }[] = [];
  #heldChunks = 0;
  /** The last part declared no boundary, so it waits for a real one. */
  #endsAnywhere = false;
  #heldAt = 0;
  #place: MarkupPlace = MARKUP_START;
  #waiting: Sentence[] = [];
  #waitingWords = 0;
  #leftOut = 0;
  #unreadable: { readonly type: string; characters: number } | undefined;
  isComplete = false;

  constructor(id: string | undefined, speaker: ActivitySpeaker) {
    this.id = id;
    this.speaker = speaker;
  }

  isOf(chunk: Chunk): boolean {
    return this.id === chunk.outputId && this.speaker.agent === chunk.agent;
  }

  handle(chunk: Chunk, at: number, { load, phrases }: { readonly load: AnnouncerSettings["load"]; readonly phrases: Phrases }): void {
    if (this.isComplete) return;
    const type = chunk.contentType;
    if (type !== undefined && !READABLE.has(type)) {
      this.#unreadable = { type, characters: (this.#unreadable?.characters ?? 0) + chunk.text.length };
    } else if (chunk.text !== "") this.#hold(chunk.text, chunk.language, at);
    this.#endsAnywhere = chunk.boundary === "none";
    if (chunk.last) this.complete(phrases);
    else if (this.#held.length > 0) this.#release(chunk.boundary, load, phrases);
  }

  /** The output is complete. */
  complete(phrases: Phrases): void {
    if (this.isComplete) return;
    this.#releaseAll(phrases);
    const { codeLines } = this.#place;
    if (codeLines !== undefined) this.#queue(phrases.code(codeLines), phrases.language);
    if (this.#unreadable !== undefined) {
      this.#queue(phrases.content(this.#unreadable.type, this.#unreadable.characters), phrases.language);
    }
    this.isComplete = true;
  }

  /** Drops the rest of the output. */
  abandon(): void {
    this.#held = [];
    this.#waiting = [];
    this.#waitingWords = 0;
    this.#leftOut = 0;
    this.isComplete = true;
  }

  get waitingWords(): number {
    return this.#waitingWords;
  }

  get hasWords(): boolean {
    return this.#waiting.length > 0;
  }

  /** When an unfinished sentence is announced anyway; undefined when there is none or it must not be. */
  get unfinishedAt(): number | undefined {
    return this.#held.length === 0 || this.#endsAnywhere ? undefined : this.#heldAt + UNFINISHED_MS;
  }

  releaseUnfinished(at: number, phrases: Phrases): void {
    if (this.unfinishedAt !== undefined && this.unfinishedAt <= at) this.#releaseAll(phrases);
  }

  /** The sentences that fit into one announcement. */
  take(phrases: Phrases): readonly Segment[] {
    const segments: Segment[] = [];
    let words = 0;
    while (this.#waiting.length > 0) {
      const next = this.#waiting[0];
      if (next === undefined || (words > 0 && words + next.words > WORDS_AT_ONCE)) break;
      this.#waiting.shift();
      this.#waitingWords -= next.words;
      words += next.words;
      append(segments, next);
    }
    if (this.#waiting.length === 0 && this.#leftOut > 0) {
      append(segments, { text: phrases.leftOut(this.#leftOut), language: phrases.language });
      this.#leftOut = 0;
    }
    return segments;
  }

  #hold(text: string, language: string | undefined, at: number): void {
    const last = this.#held.at(-1);
    this.#heldChunks++;
    this.#heldAt = at;
    if (last !== undefined && last.language === language) last.text += text;
    else this.#held.push({ text, language });
  }

  #release(boundary: string | undefined, load: AnnouncerSettings["load"], phrases: Phrases): void {
    const characters = this.#held.reduce((sum, { text }) => sum + text.length, 0);
    if (characters > HELD_CHARACTERS && this.#heldChunks > 1) this.#releaseAll(phrases);
    else if (boundary === "none" || load === "low") return;
    else if (boundary === "sentence" || boundary === "paragraph" || boundary === "completion") this.#releaseAll(phrases);
    else if (load === "high" && boundary === "word") this.#releaseAll(phrases);
    else this.#releaseSentences(phrases);
  }

  /** A sentence may begin in one language and end in another; it is announced when complete. */
  #releaseSentences(phrases: Phrases): void {
    const last = this.#held.at(-1);
    if (last === undefined) return;
    const { done, rest } = cutAtSentence(last.text, last.language);
    if (done === "") return;
    last.text = done;
    this.#releaseAll(phrases);
    if (rest !== "") {
      this.#held.push({ text: rest, language: last.language });
      this.#heldChunks = 1;
    }
  }

  #releaseAll(phrases: Phrases): void {
    for (const { text, language } of this.#held) {
      const [spoken, place] = toSpokenPart(text, this.#place, phrases);
      this.#place = place;
      for (const sentence of toSentences(spoken, language)) this.#queue(sentence, language);
    }
    this.#held = [];
    this.#heldChunks = 0;
  }

  #queue(text: string, language: string | undefined): void {
    const { text: kept, left } = cutToWords(text, LONGEST_SENTENCE);
    const words = countSpokenWords(kept);
    if (words === 0) return;
    if (this.#waitingWords + words > WORDS_WAITING || this.#leftOut > 0) {
      this.#leftOut += words + left;
      return;
    }
    this.#waiting.push({ text: kept, language, words });
    this.#waitingWords += words;
    this.#leftOut += left;
  }
}

/** Content types that are read out; others are only named. */
const READABLE: ReadonlySet<string> = new Set(["text/plain", "text/markdown"]);

function append(segments: Segment[], { text, language }: { readonly text: string; readonly language: string | undefined }): void {
  const last = segments.at(-1);
  if (last !== undefined && last.language === language) segments[segments.length - 1] = { ...last, text: `${last.text} ${text}` };
  else segments.push(language === undefined ? { text } : { text, language });
}

/** A split of a text that is still being written. */
interface Cut {
  /** The complete part. */
  readonly done: string;
  readonly rest: string;
}

/** Splits at the last certain end of a sentence or paragraph. */
function cutAtSentence(text: string, language = "en"): Cut {
  const { sentence, paragraph } = findTextBoundaries("", text, language);
  const end = Math.max(0, sentence, paragraph);
  return { done: text.slice(0, end), rest: text.slice(end) };
}

/** The sentences of a text, none empty. */
function toSentences(text: string, language = "en"): readonly string[] {
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
