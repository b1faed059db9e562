import { closeSync, openSync, readSync, statSync } from "node:fs";
import type { Readable } from "node:stream";
import { EarshotError, type Problem } from "@earshot/protocol";
import type { CommandIo } from "@earshot/terminal/io";
import { plainText } from "@earshot/terminal/plain-text";
import { readRecording } from "../check/recording.ts";
import { CollectorDatabase, isSqliteFile } from "./collector-database.ts";
import { type ImportPiece, ImportSender, type SendCounts, type SenderOptions, toSingleLine } from "./sender.ts";

/** The result of one file. */
export interface ImportResult extends SendCounts {
  readonly file: string;
  readonly kind: "collector database" | "recording";
  events: number;
  damaged: number;
  readonly problems: { readonly place: string; readonly message: string; readonly code?: string }[];
  /** Why the rest was not read. */
  stopped?: string;
}

export interface ImportOptions {
  /** Without a URL, the files are only read and counted. */
  readonly url?: string;
  readonly stdin: Readable;
  readonly onProgress: (result: ImportResult, done: number) => void;
  readonly onWait: SenderOptions["onWait"];
}

/** Number of problems listed per file; the others are counted. */
export const PROBLEMS_NAMED = 1000;

/** Imports one file of either kind, recognized by its first bytes rather than its name. */
export async function importFile(file: string, options: ImportOptions): Promise<ImportResult> {
  const kind = file !== "-" && isSqliteFile(headOf(file)) ? "collector database" : "recording";
  const result: ImportResult = { file, kind, events: 0, damaged: 0, stored: 0, known: 0, refused: 0, flagged: 0, problems: [] };
  const name = (place: string, message: string, code?: Problem["code"]) => {
    if (result.problems.length < PROBLEMS_NAMED) result.problems.push({ place, message, ...(code === undefined ? {} : { code }) });
  };
  const { url, onWait } = options;
  const onRefused = (place: string, { code, message }: Problem) => name(place, message, code);
  const sender = url === undefined ? undefined : new ImportSender({ url, onRefused, onWait });
  const hear = (piece: ImportPiece) => {
    result.events++;
    if ("text" in piece) return sender?.add(piece);
    result.damaged++;
    name(piece.place, piece.damaged);
  };
  const flush = async () => {
    await sender?.send();
    Object.assign(result, sender?.counts);
  };
  const work: Work = { handle: hear, flush, isFull: () => sender?.isFull === true, report: (done) => options.onProgress(result, done) };
  try {
    if (kind === "collector database") await readDatabase(file, work);
    else await readLines(file === "-" ? options.stdin : file, work);
  } catch (error) {
    // An unreadable file does not stop the import of others; a missing hub does.
    if (!EarshotError.is(error) || error.problem.code !== "FILE_UNREADABLE") throw error;
    result.stopped = error.problem.message;
  }
  await flush();
  return result;
}

interface Work {
  readonly handle: (piece: ImportPiece) => void;
  readonly flush: () => Promise<void>;
  readonly isFull: () => boolean;
  /** Reports progress from 0 to 1. */
  readonly report: (done: number) => void;
}

async function readDatabase(file: string, { handle: hear, flush, report: tell }: Work): Promise<void> {
  using database = new CollectorDatabase(file);
  for (let after = 0; after < database.last; ) {
    const page = database.page(after);
    const last = page.at(-1);
    if (last === undefined) return;
    for (const piece of page) hear("text" in piece ? { ...piece, text: toSingleLine(piece.text) } : piece);
    after = last.ordinal;
    await flush();
    tell(after / database.last);
  }
}

async function readLines(source: string | Readable, { handle: hear, flush, isFull, report: tell }: Work): Promise<void> {
  const total = typeof source === "string" ? (statSync(source, { throwIfNoEntry: false })?.size ?? 0) : 0;
  let read = 0;
  const sink = {
    handle: (text: string, line: number) => {
      hear({ place: `line ${line}`, ordinal: line, ...checked(text) });
    },
    refuse: (problem: Problem, line: number) => hear({ place: `line ${line}`, ordinal: line, damaged: problem.message }),
  };
  const progress = (bytes: number) => {
    read = bytes;
  };
  await readRecording(source, sink, progress, () => {
    tell(total === 0 ? 0 : Math.min(1, read / total));
    return isFull() ? flush() : undefined;
  });
}

/** Invalid JSON is reported here with its line and not sent; the hub would only store it as refused. */
function checked(text: string): { readonly text: string } | { readonly damaged: string } {
  try {
    JSON.parse(text);
  } catch {
    return { damaged: "it is no JSON" };
  }
  return { text: asItWasSent(toSingleLine(text)) };
}

function headOf(file: string): Buffer {
  try {
    const descriptor = openSync(file, "r");
    try {
      const head = Buffer.alloc(16);
      return head.subarray(0, readSync(descriptor, head, 0, head.length, 0));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return Buffer.alloc(0); // told when it is read
  }
}

/** The members of a line in an AOP collector's export, in its order. */
const MEMBERS = "spec,session_id,parent_session_id,agent_id,agent_version,sequence,timestamp,type,payload";
const NULL_VERSION = '"agent_version":null,';

/**
 * A collector exports `null` for a missing version. Without it, the line equals the original event and the database row, so importing
 * both stores the event once.
 */
function asItWasSent(text: string): string {
  if (!text.includes(NULL_VERSION)) return text;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || Object.keys(value).join(",") !== MEMBERS) return text;
    if (!("agent_version" in value) || value.agent_version !== null) return text;
    return JSON.stringify({ ...value, agent_version: undefined });
  } catch {
    return text; // the hub says what is wrong with it
  }
}

export interface ImportProgress {
  readonly onProgress: (result: ImportResult, done: number) => void;
  readonly onWait: (why: string) => void;
  /** Called after each file. */
  readonly end: () => void;
}

const TERMINAL_EVERY_MS = 200;
const LOG_EVERY_MS = 10_000;

/** One rewritten line on a terminal; occasional lines in a log. */
export function createImportProgress(io: CommandIo): ImportProgress {
  const onTerminal = io.terminal.err;
  const every = onTerminal ? TERMINAL_EVERY_MS : LOG_EVERY_MS;
  let toldAt = performance.now();
  let isShown = false;
  const tell = (text: string) => {
    toldAt = performance.now();
    isShown = onTerminal;
    io.err(onTerminal ? `\r\u001b[K${text}` : `${text}\n`);
  };
  return {
    onProgress({ file, events, stored, known }, done) {
      if (performance.now() - toldAt < every) return;
      const percent = done > 0 ? `${Math.floor(done * 100)} %, ` : "";
      tell(`${plainText(file)}: ${percent}${events.toLocaleString("en")} read, ${(stored + known).toLocaleString("en")} in the ledger`);
    },
    onWait: (why) => tell(`Waiting: ${plainText(why)}`),
    end() {
      if (isShown) io.err("\r\u001b[K");
      isShown = false;
    },
  };
}
