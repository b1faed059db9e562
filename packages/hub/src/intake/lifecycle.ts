import { toFlag } from "@earshot/judge";
import { type JsonObject, PROTOCOLS, type Problem, type ProtocolName, type Reading, readJson } from "@earshot/protocol";
import type { Judgement, Lifecycle, Placing, Said, SessionState, Source } from "../ledger/ledger.ts";
import type { Flag } from "../verdict.ts";
import { type CaptureLevel, reduce } from "./capture.ts";
import { type ChunkState, createChunkState, redactChunkEvent } from "./redact-chunk-events.ts";
import type { Redacted } from "./redact-json.ts";

export interface LifecycleOptions {
  /** Refuses what breaks a sequence, instead of keeping it with a flag. */
  readonly strict: boolean;
  readonly redacts: (source: Source) => boolean;
  readonly captures: (source: Source) => CaptureLevel;
}

/** A session as the hub remembers it: its protocol's own state, and secrets that may go on in the next chunk of output. */
interface HubState {
  life: object;
  chunks: ChunkState | null;
}

const NO_FLAGS: readonly Flag[] = Object.freeze([]);
const AS_IT_IS: Judgement = Object.freeze({ flags: NO_FLAGS, ended: false });
/** Types that carry a piece of a longer text. */
const CHUNKS: ReadonlySet<string> = new Set(["agent.output.streaming", "model.delta"]);
const WITHOUT_LIMIT = { maxDepth: Number.MAX_SAFE_INTEGER, maxCharacters: Number.MAX_SAFE_INTEGER };

/** How the hub judges: the protocols' rules, then what of it may be kept. */
export function createLifecycle({ strict, redacts, captures }: LifecycleOptions): Lifecycle {
  return {
    open: (protocol) => ({ life: PROTOCOLS[protocol].live.open(), chunks: null }) satisfies HubState,
    read,
    hear(state: SessionState, said: Said, place: Placing): Judgement {
      const own = state as HubState;
      const before = strict ? structuredClone(own) : undefined;
      const { live } = PROTOCOLS[said.source.protocol];
      const found = live.hear(own.life, said.reading, place.position, place);
      const flags = found.length === 0 ? NO_FLAGS : found.map(({ finding, at }) => toFlag(finding, at, place.position));
      const refuse = before === undefined ? undefined : breach(flags);
      if (refuse !== undefined) {
        Object.assign(own, before); // what is refused was not heard
        return { flags, refuse, ended: false };
      }
      const kept = keep(own, said, redacts(said.source), captures(said.source));
      if (flags === NO_FLAGS && kept === undefined) return AS_IT_IS;
      return { flags, ended: live.hasEnded(own.life), ...kept };
    },
  };
}

/** The first thing wrong with this event, as far as it is an error. */
function breach(flags: readonly Flag[]): Problem | undefined {
  const broken = flags.find((flag) => flag.severity === "error" && flag.at === undefined);
  if (broken === undefined) return undefined;
  const { severity: _severity, since: _since, at: _at, ...problem } = broken;
  return problem;
}

/** What is stored when it is not what was said: more of it is secret than it shows alone, or less is to be kept. */
function keep(state: HubState, said: Said, redact: boolean, level: CaptureLevel): Pick<Judgement, "text" | "redactions"> | undefined {
  const masked = redact ? maskChunk(state, said) : undefined;
  if (level === "full") return masked === undefined ? undefined : { text: masked.text, redactions: masked.marks };
  const { reading, text } = said;
  const reduced = reduce(masked?.text ?? text, masked?.value ?? reading.value, level, reading.protocol);
  if (reduced === undefined && masked === undefined) return undefined;
  return { text: reduced?.text ?? masked?.text ?? text, redactions: masked?.marks ?? [] };
}

function maskChunk(state: HubState, { reading, text, redactions }: Said): Redacted | undefined {
  if (state.chunks === null && !CHUNKS.has(reading.type)) return undefined;
  state.chunks ??= createChunkState();
  const masked = redactChunkEvent(state.chunks, reading, text, redactions);
  if (state.chunks.open.length === 0) state.chunks = null;
  return masked;
}

function read(protocol: ProtocolName, text: string): Reading {
  const json = readJson(text, WITHOUT_LIMIT, () => 0);
  if (!json.ok) throw new Error("A stored text cannot be read again.");
  const facts = json.facts;
  facts.sizeBytes = Buffer.byteLength(text);
  return PROTOCOLS[protocol].read(json.value as JsonObject, facts);
}
