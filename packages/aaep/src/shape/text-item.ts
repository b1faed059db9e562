import { countCodePoints } from "@earshot/protocol/code-points";
import type { EventFacts } from "./event-facts.ts";
import type { StreamState } from "./item.ts";
import { BOUNDARY_HOLD_MS, BOUNDARY_LEVELS, type BoundaryLevel, FINISHED_TEXT_PAUSE_MS, SHAPE_LIMITS } from "./limits.ts";
import type { OutputChunk, TextNode } from "./text-node.ts";

/** One chunk of a merged text. */
interface Member {
  readonly position: number;
  readonly at: number;
  readonly chunk: OutputChunk;
  /** How much of its text was sent. */
  readonly skip: number;
  /** Where its text begins in the merged one: negative if its beginning was sent. */
  start: number;
}

/** The part of a text to send. */
export interface TextCut {
  readonly text: string;
  /** In the producer's unit. */
  readonly position: number;
  readonly isComplete: boolean;
  /** The level of the boundary at its end. */
  readonly level: BoundaryLevel;
  readonly last: number;
  /** Exactly one whole chunk. */
  readonly isWhole: boolean;
}

/** Waiting output: chunks of one output, merged until their text ends at a boundary. */
export class TextItem {
  readonly type = "text";
  readonly lane: string;
  readonly stream: StreamState;
  readonly isAside = false;
  /** The latest chunk, which determines the time of the sent text. */
  insight: EventFacts;
  /** Another event of the session followed, or the maximum length is reached: it does not wait any longer. */
  isEnded = false;
  isComplete = false;
  #text = "";
  readonly #members: Member[] = [];
  #lastAt = 0;
  #node: TextNode;
  #word = 0;
  #sentence = 0;
  #paragraph = 0;

  constructor(insight: EventFacts, stream: StreamState) {
    this.insight = insight;
    this.lane = insight.lane;
    this.stream = stream;
    this.#node = stream.node;
  }

  get first(): number {
    return this.#members[0]?.position ?? this.insight.source.position;
  }

  get since(): number {
    return this.#members[0]?.at ?? this.#lastAt;
  }

  get length(): number {
    return this.#text.length;
  }

  hasRoomFor(chunk: OutputChunk): boolean {
    return this.#text.length + chunk.text.length <= SHAPE_LIMITS.mergedText;
  }

  append(insight: EventFacts, chunk: OutputChunk, node: TextNode, at: number): void {
    const start = this.#text.length;
    this.#members.push({ position: insight.source.position, at, chunk, skip: 0, start });
    this.#text += chunk.text;
    this.insight = insight;
    this.#node = node;
    this.#lastAt = at;
    this.#word = Math.max(this.#word, start + node.word);
    this.#sentence = Math.max(this.#sentence, start + node.sentence);
    this.#paragraph = Math.max(this.#paragraph, start + node.paragraph);
    if (chunk.isComplete) this.isComplete = true;
  }

  /** When it may be sent, given the boundary level it waits for. */
  openAt(level: BoundaryLevel): number {
    if (this.isEnded || this.isComplete || this.#endOf(level) > 0) return 0;
    const longest = this.since + BOUNDARY_HOLD_MS[level];
    return this.#node.looksDone && level <= BOUNDARY_LEVELS.sentence ? Math.min(longest, this.#lastAt + FINISHED_TEXT_PAUSE_MS) : longest;
  }

  /** Removes the part to send; the rest keeps waiting. */
  cut(level: BoundaryLevel, at: number): TextCut {
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
      // The rest waits anew.
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

  #endOf(level: BoundaryLevel): number {
    if (level === BOUNDARY_LEVELS.none) return this.#text.length;
    if (level === BOUNDARY_LEVELS.word) return Math.max(this.#word, this.#sentence, this.#paragraph);
    if (level === BOUNDARY_LEVELS.sentence) return Math.max(this.#sentence, this.#paragraph);
    return level === BOUNDARY_LEVELS.paragraph ? this.#paragraph : 0;
  }

  #whereToCut(level: BoundaryLevel, at: number): number {
    if (this.isEnded || this.isComplete) return this.#text.length;
    const wanted = this.#endOf(level);
    if (wanted > 0) return wanted;
    if (this.#node.looksDone && level <= BOUNDARY_LEVELS.sentence && at >= this.#lastAt + FINISHED_TEXT_PAUSE_MS) return this.#text.length;
    // It waited long enough: uses the best available boundary.
    return this.#paragraph || this.#sentence || this.#word || this.#text.length;
  }

  #levelAt(end: number): BoundaryLevel {
    if (end === this.#text.length && this.isComplete) return BOUNDARY_LEVELS.completion;
    if (end === this.#paragraph) return BOUNDARY_LEVELS.paragraph;
    if (end === this.#sentence || (end === this.#text.length && this.#node.looksDone)) return BOUNDARY_LEVELS.sentence;
    return end === this.#word ? BOUNDARY_LEVELS.word : BOUNDARY_LEVELS.none;
  }

  #positionAt({ chunk, skip }: Member): number {
    if (skip === 0) return chunk.position;
    return chunk.position + (this.#node.units === 2 ? skip : countCodePoints(chunk.text.slice(0, skip)));
  }
}
