import { isObject, type JsonObject, type JsonValue, type ProtocolName } from "@earshot/protocol";
import type { RedactionMark } from "../ledger/ledger.ts";
import { redactChunk } from "./redact-chunks.ts";
import type { RedactedJson } from "./redact-json.ts";
import { rewriteJsonStrings } from "./redact-strings.ts";

/** A session's unfinished texts and their ends; oldest first. Only in memory. */
export type OpenTexts = Map<string, string>;

/** The used part of a reading. */
export interface ChunkReading {
  readonly protocol: ProtocolName;
  /** The canonical type name. */
  readonly type: string;
  readonly value: JsonValue;
}

/** Beyond this number in one session, the oldest end is forgotten. */
const MAX_OPEN_TEXTS = 16;
const MAX_KEY_LENGTH = 120;

/** A string of an event that is part of a longer text. */
interface Chunk {
  readonly pointer: string;
  /** The text it belongs to. */
  readonly key: string;
  readonly isLast: boolean;
}

/** Whether an event type concerns texts in parts. */
export function concernsChunks(type: string): boolean {
  return type === OUTPUT || type === DELTA || ENDS_TEXTS.has(type);
}

/** Masks secrets in an event that are only recognizable together with earlier ones. Undefined if there are none. */
export function redactChunkEvent(open: OpenTexts, reading: ChunkReading, text: string): RedactedJson | undefined {
  const { protocol, type, value } = reading;
  if (!isObject(value)) return undefined;
  if (protocol === "aep" && ENDS_TEXTS.has(type)) forgetAgent(open, agentOf(value));
  const chunks = CHUNKS[protocol]?.[type]?.(value) ?? [];
  const marks: RedactionMark[] = [];
  const rewrites = new Map<string, string>();
  for (const { pointer, key, isLast } of chunks) {
    const said = stringAt(value, pointer);
    if (said === undefined) continue;
    const redacted = redactChunk(open.get(key) ?? "", said);
    open.delete(key);
    if (!isLast) open.set(key, redacted.tail);
    for (const oldest of open.keys()) {
      if (open.size <= MAX_OPEN_TEXTS) break;
      open.delete(oldest);
    }
    for (const mark of redacted.marks) marks.push({ pointer, ...mark });
    if (redacted.text !== said) rewrites.set(pointer, redacted.text);
  }
  if (rewrites.size === 0) return undefined;
  const rewritten = rewriteJsonStrings(text, value, { value: (said, pointer) => rewrites.get(pointer) ?? said, key: (said) => said });
  return rewritten === undefined ? undefined : { ...rewritten, marks };
}

const OUTPUT = "agent.output.streaming";
const DELTA = "model.delta";

type ChunkReader = (value: JsonObject) => readonly Chunk[];

/** Where each protocol has parts of texts. AOP only sends whole thoughts. */
const CHUNKS: Readonly<Partial<Record<ProtocolName, Readonly<Record<string, ChunkReader>>>>> = {
  aaep: {
    [OUTPUT]: (value) => [
      {
        pointer: "/chunk",
        key: keyOf(isObject(value["producer"]) ? value["producer"]["agent_id"] : undefined, value["output_id"]),
        isLast: value["complete"] === true,
      },
    ],
  },
  aep: {
    [DELTA]: (value) => {
      const { content, extensions } = value;
      if (!Array.isArray(content)) return [];
      // The draft puts the stream's name into `extensions` without specifying the member.
      const stream = isObject(extensions) ? (extensions["x-stream-id"] ?? extensions["x-stream"] ?? extensions["x-message-id"]) : undefined;
      return content.map((part, index) => ({
        pointer: `/content/${index}/text`,
        key: keyOf(agentOf(value), isObject(part) ? part["type"] : undefined, stream),
        isLast: false,
      }));
    },
  },
};

/** A delta does not mark the last part; these events start another text. */
const ENDS_TEXTS: ReadonlySet<string> = new Set([
  "model.response",
  "prompt.submitted",
  "agent.stop",
  "subagent.stop",
  "session.start",
  "session.end",
]);

function agentOf(value: JsonObject): JsonValue | undefined {
  return isObject(value["agent"]) ? value["agent"]["slug"] : undefined;
}

function keyOf(...names: readonly (JsonValue | undefined)[]): string {
  return names
    .map((name) => (typeof name === "string" ? name : ""))
    .join(" ")
    .slice(0, MAX_KEY_LENGTH);
}

function stringAt(value: JsonObject, pointer: string): string | undefined {
  let member: unknown = value;
  for (const name of pointer.slice(1).split("/")) {
    if (Array.isArray(member)) member = member[Number(name)];
    else member = isObject(member) ? member[name] : undefined;
  }
  return typeof member === "string" ? member : undefined;
}

function forgetAgent(open: OpenTexts, agent: JsonValue | undefined): void {
  const prefix = keyOf(agent, "");
  for (const key of open.keys()) if (key.startsWith(prefix)) open.delete(key);
}
