import { toFlag } from "@earshot/judge";
import { type JsonObject, PROTOCOLS, type Problem, type ProtocolName, type ProtocolReading, readJson } from "@earshot/protocol";
import type { EntryPlacing, EventLifecycle, JudgedPart, Judgement, OpaqueSessionState } from "../ledger/ledger.ts";
import type { Flag } from "../verdict.ts";

export interface LifecycleOptions {
  /** Refuse events that break a sequence, instead of storing them with a flag. */
  readonly strict: boolean;
}

/** A session's state in the hub. */
interface HubState {
  /** The protocol's own state. */
  life: object;
}

const WITHOUT_FLAGS: Judgement = Object.freeze({ flags: Object.freeze([]) });
const WITHOUT_LIMIT = { maxDepth: Number.MAX_SAFE_INTEGER, maxCharacters: Number.MAX_SAFE_INTEGER };

/** The hub's judging, by the protocols' rules. */
export function createLifecycle({ strict }: LifecycleOptions): EventLifecycle {
  return {
    open: (protocol) => ({ life: PROTOCOLS[protocol].live.open() }) satisfies HubState,
    read,
    handle(state: OpaqueSessionState, { source, reading }: JudgedPart, place: EntryPlacing): Judgement {
      const own = state as HubState;
      const before = strict ? structuredClone(own) : undefined;
      const found = PROTOCOLS[source.protocol].live.handle(own.life, reading, place.position, place);
      if (found.length === 0) return WITHOUT_FLAGS;
      const flags = found.map(({ finding, at }) => toFlag(finding, at, place.position));
      const refuse = before === undefined ? undefined : breach(flags);
      if (refuse === undefined) return { flags };
      Object.assign(own, before); // what is refused was not heard
      return { flags, refuse };
    },
  };
}

/** The first error of this event. */
function breach(flags: readonly Flag[]): Problem | undefined {
  const broken = flags.find((flag) => flag.severity === "error" && flag.at === undefined);
  if (broken === undefined) return undefined;
  const { severity: _severity, since: _since, at: _at, ...problem } = broken;
  return problem;
}

function read(protocol: ProtocolName, text: string): ProtocolReading {
  const json = readJson(text, WITHOUT_LIMIT, () => 0);
  if (!json.ok) throw new Error("A stored text cannot be read again.");
  const facts = json.facts;
  facts.sizeBytes = Buffer.byteLength(text);
  return PROTOCOLS[protocol].read(json.value as JsonObject, facts);
}
