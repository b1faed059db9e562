import { type JsonObject, PROTOCOLS, type Problem, type ProtocolName, type Reading, readJson } from "@earshot/protocol";
import type { Judgement, Lifecycle, Placing, RedactionMark, Said, SessionState, Source } from "../ledger/ledger.ts";
import { toFlag } from "../ledger/notes.ts";
import type { Flag } from "../verdict.ts";
import { type CaptureLevel, reduce } from "./capture.ts";
import { type ChunkCarries, openChunkCarries, redactChunkEvent } from "./redact-chunks.ts";

export interface LifecycleOptions {
  /** Refuses what breaks a sequence, instead of keeping it with a flag. */
  readonly strict: boolean;
  readonly redacts: (source: Source) => boolean;
  readonly captures: (source: Source) => CaptureLevel;
}

/** A session as the hub remembers it: its protocol's own state, and secrets that may go on in the next chunk of output. */
interface HubState {
  readonly life: object;
  chunks: ChunkCarries | null;
}

const NO_FLAGS: readonly Flag[] = Object.freeze([]);
const AS_IT_IS: Judgement = Object.freeze({ flags: NO_FLAGS, ended: false });
const WITHOUT_LIMIT = { maxDepth: Number.MAX_SAFE_INTEGER, maxCharacters: Number.MAX_SAFE_INTEGER };

/** How the hub judges: the protocols' rules, then what of it may be kept. */
export function createLifecycle({ strict, redacts, captures }: LifecycleOptions): Lifecycle {
  return {
    open: (protocol) => ({ life: PROTOCOLS[protocol].live.open(), chunks: null }) satisfies HubState,
    read,
    hear(state: SessionState, said: Said, place: Placing): Judgement {
      const own = state as HubState;
      const { live } = PROTOCOLS[said.source.protocol];
      const found = live.hear(own.life, said.reading, place.position, place);
      const flags = found.length === 0 ? NO_FLAGS : found.map(({ finding, at }) => toFlag(finding, at, place.position));
      const refuse = strict ? breach(flags) : undefined;
      if (refuse !== undefined) return { flags, refuse, ended: false };
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

function keep(state: HubState, { reading, text }: Said, redact: boolean, level: CaptureLevel) {
  let kept: { text: string; value: JsonObject; marks: readonly RedactionMark[] } | undefined;
  if (redact && isChunk(reading)) {
    state.chunks ??= openChunkCarries();
    kept = redactChunkEvent(state.chunks, reading, text);
  }
  if (level !== "full") {
    const reduced = reduce(kept?.text ?? text, kept?.value ?? reading.value, level, reading.protocol);
    if (reduced !== undefined) return { text: reduced.text, redactions: kept?.marks ?? [] };
  }
  return kept === undefined ? undefined : { text: kept.text, redactions: kept.marks };
}

function isChunk({ type }: Reading): boolean {
  return type === "agent.output.streaming" || type === "model.delta";
}

function read(protocol: ProtocolName, text: string): Reading {
  const json = readJson(text, WITHOUT_LIMIT, () => 0);
  if (!json.ok) throw new Error("A stored text cannot be read again.");
  const facts = json.facts;
  facts.sizeBytes = Buffer.byteLength(text);
  return PROTOCOLS[protocol].read(json.value as JsonObject, facts);
}
