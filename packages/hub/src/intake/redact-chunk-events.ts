import { isObject, type JsonObject, type JsonValue, type ProtocolName } from "@earshot/protocol";
import type { RedactionMark } from "../ledger/ledger.ts";
import { type ChunkCarry, redactChunk } from "./redact-chunks.ts";
import type { Redacted } from "./redact-json.ts";
import { rewriteStrings } from "./redact-strings.ts";

/** The texts of a session that come in pieces, and how each of them ended. Plain JSON, changed in place, oldest first. */
export interface ChunkState {
  readonly open: OpenText[];
}

interface OpenText {
  readonly key: string;
  readonly carry: ChunkCarry;
}

/** What is needed of a reading. */
export interface ChunkReading {
  readonly protocol: ProtocolName;
  /** The canonical name of the type. */
  readonly type: string;
  readonly value: JsonValue;
}

/** Whoever streams more texts at once in one session loses the thread of the oldest. */
const MOST_OPEN = 16;
const LONGEST_KEY = 120;

export function createChunkState(): ChunkState {
  return { open: [] };
}

/** A string of an event that is a piece of a longer text. */
interface Chunk {
  readonly pointer: string;
  /** Which text it is a piece of. */
  readonly key: string;
  readonly isLast: boolean;
}

/**
 * Masks what is secret in an event only because of what was said before it. Undefined when nothing is. `earlier` are the
 * marks that the event has already: they tell of which shape a secret is that was masked up to the end of its piece.
 */
export function redactChunkEvent(
  state: ChunkState,
  reading: ChunkReading,
  text: string,
  earlier: readonly RedactionMark[] = [],
): Redacted | undefined {
  const { protocol, type, value } = reading;
  if (!isObject(value)) return undefined;
  if (protocol === "aep" && ENDS_TEXTS.has(type)) forgetAgent(state, agentOf(value));
  const chunks = CHUNKS[protocol]?.[type]?.(value) ?? [];
  if (chunks.length === 0) return undefined;
  const marks: RedactionMark[] = [];
  const rewrites = new Map<string, string>();
  for (const { pointer, key, isLast } of chunks) {
    const said = stringAt(value, pointer);
    if (said === undefined) continue;
    const endsIn = earlier.findLast((mark) => mark.pointer === pointer)?.shape;
    const redacted = redactChunk(take(state, key), said, endsIn);
    if (redacted.carry !== undefined && !isLast) put(state, key, redacted.carry);
    for (const mark of redacted.marks) marks.push({ pointer, ...mark });
    if (redacted.text !== said) rewrites.set(pointer, redacted.text);
  }
  if (rewrites.size === 0) return undefined;
  const rewritten = rewriteStrings(text, value, { value: (said, pointer) => rewrites.get(pointer) ?? said, key: (said) => said });
  return rewritten === undefined ? undefined : { ...rewritten, marks };
}

type ChunkReader = (value: JsonObject) => readonly Chunk[];

/** Where each protocol has pieces of texts. AOP tells whole thoughts only. */
const CHUNKS: Readonly<Partial<Record<ProtocolName, Readonly<Record<string, ChunkReader>>>>> = {
  aaep: {
    "agent.output.streaming": (value) => [
      {
        pointer: "/chunk",
        key: keyOf(isObject(value["producer"]) ? value["producer"]["agent_id"] : undefined, value["output_id"]),
        isLast: value["complete"] === true,
      },
    ],
  },
  aep: {
    "model.delta": (value) => {
      const { content, extensions } = value;
      if (!Array.isArray(content)) return [];
      // The draft says that the name of the stream is in `extensions`, and not under which name.
      const stream = isObject(extensions) ? (extensions["x-stream-id"] ?? extensions["x-stream"] ?? extensions["x-message-id"]) : undefined;
      return content.map((part, index) => ({
        pointer: `/content/${index}/text`,
        key: keyOf(agentOf(value), isObject(part) ? part["type"] : undefined, stream),
        isLast: false,
      }));
    },
  },
};

/** A delta does not say that it is the last one, but after these the agent begins another text. */
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
    .slice(0, LONGEST_KEY);
}

function stringAt(value: JsonObject, pointer: string): string | undefined {
  let member: unknown = value;
  for (const name of pointer.slice(1).split("/")) {
    if (Array.isArray(member)) member = member[Number(name)];
    else member = isObject(member) ? member[name] : undefined;
  }
  return typeof member === "string" ? member : undefined;
}

function take(state: ChunkState, key: string): ChunkCarry | undefined {
  const index = state.open.findIndex((one) => one.key === key);
  return index < 0 ? undefined : state.open.splice(index, 1)[0]?.carry;
}

function put(state: ChunkState, key: string, carry: ChunkCarry): void {
  state.open.push({ key, carry });
  if (state.open.length > MOST_OPEN) state.open.shift();
}

function forgetAgent(state: ChunkState, agent: JsonValue | undefined): void {
  const prefix = keyOf(agent, "");
  for (let index = state.open.length - 1; index >= 0; index--)
    if (state.open[index]?.key.startsWith(prefix) === true) state.open.splice(index, 1);
}
