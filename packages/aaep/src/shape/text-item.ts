import { countCodePoints } from "@earshot/protocol/code-points";
import type { Insight } from "./insight.ts";
import type { Stream } from "./item.ts";
import { HOLD_MS, LEVELS, type Level, PAUSE_MS, SHAPE_LIMITS } from "./limits.ts";
import type { Chunk, TextNode } from "./text-node.ts";

/** One chunk in a merged text. */
interface Member {
  readonly position: number;
  readonly at: number;
  readonly chunk: Chunk;
  /** How much of its text went out before. */
  readonly skip: number;
  /** Where its text begins in the merged one: negative when its beginning was cut off. */
  start: number;
}

/** What is cut off a text to go out. */
export interface Cut {
  readonly text: string;
  /** In the unit that the producer counts in. */
  readonly position: number;
  readonly isComplete: boolean;
  /** How coarse a boundary it ends at. */
  readonly level: Level;
  readonly last: number;
  /** It is one chunk, all of it and nothing else. */
  readonly isWhole: boolean;
}

/** Streaming output that waits: chunks of one output, merged until their text ends at a boundary. */
export class TextItem {
  readonly type = "text";
  readonly lane: string;
  readonly stream: Stream;
  readonly isAside = false;
  /** The latest chunk: what goes out is as new as this. */
  insight: Insight;
  /** Something else followed in the session, or the text is as long as it may get: it waits for nothing more. */
  isEnded = false;
  isComplete = false;
  #text = "";
  readonly #members: Member[] = [];
  #lastAt = 0;
  #node: TextNode;
  #word = 0;
  #sentence = 0;
  #paragraph = 0;

  constructor(insight: Insight, stream: Stream) {
    this.insight = insight;
    this.lane = insight.lane;
    this.stream = stream;
    this.#node = stream.node;
  }

  get first(): number {
    return this.#members[0]?.position ?? this.insight.heard.position;
  }

  get since(): number {
    return this.#members[0]?.at ?? this.#lastAt;
  }

  get length(): number {
    return this.#text.length;
  }

  hasRoomFor(chunk: Chunk): boolean {
    return this.#text.length + chunk.text.length <= SHAPE_LIMITS.mergedText;
  }

  append(insight: Insight, chunk: Chunk, node: TextNode, at: number): void {
    const start = this.#text.length;
    this.#members.push({ position: insight.heard.position, at, chunk, skip: 0, start });
    this.#text += chunk.text;
    this.insight = insight;
    this.#node = node;
    this.#lastAt = at;
    this.#word = Math.max(this.#word, start + node.word);
    this.#sentence = Math.max(this.#sentence, start + node.sentence);
    this.#paragraph = Math.max(this.#paragraph, start + node.paragraph);
    if (chunk.isComplete) this.isComplete = true;
  }

  /** When it may go out, for all that it waits for a boundary of this level. */
  openAt(level: Level): number {
    if (this.isEnded || this.isComplete || this.#endOf(level) > 0) return 0;
    const longest = this.since + HOLD_MS[level];
    return this.#node.looksDone && level <= LEVELS.sentence ? Math.min(longest, this.#lastAt + PAUSE_MS) : longest;
  }

  /** Takes off what goes out; what is left waits on. */
  cut(level: Level, at: number): Cut {
    const end = this.#whereToCut(level, at);
    const first = this.#members[0];
    const isAll = end === this.#text.length;
    const reached = this.#levelAt(end);
    const text = this.#text.slice(0, end);
    const isWhole = isAll && this.#members.length === 1 && first?.start === 0;
    const position = first === undefined ? 0 : this.#positionAt(first);
    let last = this.first;
    let gone = 0;
    for (const member of this.#members) {
      if (member.start >= end && !isAll) break;
      last = member.position;
      if (member.start + member.chunk.text.length <= end) gone++;
    }
    this.#members.splice(0, isAll ? this.#members.length : gone);
    this.#text = this.#text.slice(end);
    for (const [index, member] of this.#members.entries()) {
      const start = member.start - end;
      // What is left waits anew.
      this.#members[index] = { ...member, start, skip: Math.max(0, -start), at: index === 0 ? at : member.at };
    }
    this.#word = Math.max(0, this.#word - end);
    this.#sentence = Math.max(0, this.#sentence - end);
    this.#paragraph = Math.max(0, this.#paragraph - end);
    return { text, position, isComplete: this.isComplete && isAll, level: reached, last, isWhole };
  }

  get isEmpty(): boolean {
    return this.#members.length === 0;
  }

  #endOf(level: Level): number {
    if (level === LEVELS.none) return this.#text.length;
    if (level === LEVELS.word) return Math.max(this.#word, this.#sentence, this.#paragraph);
    if (level === LEVELS.sentence) return Math.max(this.#sentence, this.#paragraph);
    return level === LEVELS.paragraph ? this.#paragraph : 0;
  }

  #whereToCut(level: Level, at: number): number {
    if (this.isEnded || this.isComplete) return this.#text.length;
    const wanted = this.#endOf(level);
    if (wanted > 0) return wanted;
    if (this.#node.looksDone && level <= LEVELS.sentence && at >= this.#lastAt + PAUSE_MS) return this.#text.length;
    // It waited long enough: the best that there is.
    return this.#paragraph || this.#sentence || this.#word || this.#text.length;
  }

  #levelAt(end: number): Level {
    if (end === this.#text.length && this.isComplete) return LEVELS.completion;
    if (end === this.#paragraph) return LEVELS.paragraph;
    if (end === this.#sentence || (end === this.#text.length && this.#node.looksDone)) return LEVELS.sentence;
    return end === this.#word ? LEVELS.word : LEVELS.none;
  }

  #positionAt({ chunk, skip }: Member): number {
    if (skip === 0) return chunk.position;
    return chunk.position + (this.#node.units === 2 ? skip : countCodePoints(chunk.text.slice(0, skip)));
  }
}
