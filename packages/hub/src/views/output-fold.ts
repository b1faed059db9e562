import type { Activity } from "@earshot/protocol/activities";
import { countCodePoints } from "@earshot/protocol/code-points";
import type { OutputView } from "./api.ts";
import { shorten } from "./bounded.ts";

/** An output assembled from pieces in any order: a plain JSON value of bounded size. */
export interface OutputFold {
  readonly outputId: string | null;
  /** Position of the first piece that arrived. */
  readonly position: number;
  /** Sorted by start, in code points; adjacent pieces are merged. */
  pieces: [start: number, text: string, end: number][];
  complete: boolean;
  /** Total length, known once the last piece has arrived. */
  length: number | null;
  cut: boolean;
  contentType: string | null;
  language: string | null;
}

type Chunk = Extract<Activity, { kind: "output.chunk" }>;

/** Maximum text kept here; the ledger has all of it. */
const MAX_TEXT = 32_768;
const MAX_PIECES = 256;
const MAX_NAME = 256;

export function openOutputFold(outputId: string | null, position: number): OutputFold {
  return {
    outputId: outputId === null ? null : shorten(outputId, MAX_NAME),
    position,
    pieces: [],
    complete: false,
    length: null,
    cut: false,
    contentType: null,
    language: null,
  };
}

export function foldChunk(output: OutputFold, { text, position, last, contentType, language }: Chunk): void {
  const start = position ?? output.pieces.at(-1)?.[2] ?? 0;
  const end = start + countCodePoints(text);
  if (last) {
    output.complete = true;
    output.length = end;
  }
  if (contentType !== undefined) output.contentType ??= shorten(contentType, MAX_NAME);
  if (language !== undefined) output.language ??= shorten(language, MAX_NAME);
  if (text !== "") insert(output, start, text, end);
}

export function toOutputView({ outputId, pieces, complete, length, cut, contentType, language }: OutputFold): OutputView {
  const first = pieces[0];
  const isWhole = pieces.length <= 1 && (first === undefined || first[0] === 0) && (length === null || length <= (first?.[2] ?? 0));
  return {
    ...(outputId === null ? {} : { outputId }),
    text: `${first !== undefined && first[0] > 0 ? "…" : ""}${pieces.map(([, text]) => text).join("…")}`,
    complete,
    gaps: !isWhole && !cut,
    cut,
    ...(contentType === null ? {} : { contentType }),
    ...(language === null ? {} : { language }),
  };
}

function insert(output: OutputFold, start: number, text: string, end: number): void {
  const { pieces } = output;
  const kept = pieces.reduce((sum, piece) => sum + piece[1].length, 0);
  if (kept + text.length > MAX_TEXT || pieces.length >= MAX_PIECES) {
    output.cut = true;
    return;
  }
  const last = pieces.at(-1);
  if (last !== undefined && last[2] === start) {
    last[1] += text;
    last[2] = end;
    return;
  }
  // The first piece at a place stays.
  if (pieces.some(([from, , to]) => start < to && end > from)) return;
  const index = pieces.findIndex(([from]) => from >= end);
  pieces.splice(index < 0 ? pieces.length : index, 0, [start, text, end]);
  join(output);
}

function join(output: OutputFold): void {
  const joined: OutputFold["pieces"] = [];
  for (const piece of output.pieces) {
    const before = joined.at(-1);
    if (before !== undefined && before[2] === piece[0]) {
      before[1] += piece[1];
      before[2] = piece[2];
    } else joined.push(piece);
  }
  output.pieces = joined;
}
