import { crc32 } from "node:zlib";
import type { SplitterSink } from "@earshot/hub/splitters";
import {
  hashContent,
  hashKey,
  isObject,
  JSON_LIMITS,
  type JsonObject,
  type Protocol,
  RecentMap,
  readJson,
  recogniseProtocol,
  unwrapStream,
} from "@earshot/protocol";
import { readActivities } from "@earshot/protocol/activities";
import type { ExcludedParts } from "./fold/lane-fold.ts";
import { RunFold } from "./fold/run-fold.ts";
import type { RecordedRun } from "./step.ts";

/** Number of remembered ids, for counting a redelivered event once. */
const MAX_IDS = 250_000;

/** Receives the texts of a recording and folds their activities. Texts that are not events are counted. */
export class RunReader implements SplitterSink {
  readonly #fold = new RunFold();
  readonly #ids = new RecentMap<number, number>(MAX_IDS);
  #previous: Protocol | undefined;
  #heard = 0;
  #unread = 0;

  handle(text: string): void {
    const read = readJson(text, JSON_LIMITS, hashBytes);
    if (!read.ok || !isObject(read.value)) {
      this.#unread++;
      return;
    }
    const value = unwrapStream(read.value);
    if (value === undefined) return; // a frame of a collector's stream that carries no event
    const protocol = recogniseProtocol(value, this.#previous);
    if (protocol === undefined) {
      this.#unread++;
      return;
    }
    this.#previous = protocol;
    this.#hearObject(protocol, value, value === read.value ? read.facts : { ...read.facts, bodyHash: hashContent(value) | 0 });
  }

  refuse(): void {
    this.#unread++;
  }

  /** Undefined if the recording contains no event. */
  end(name: string, unwanted: ExcludedParts): RecordedRun | undefined {
    return this.#heard === 0 ? undefined : this.#fold.finish(name, this.#unread, unwanted);
  }

  #hearObject(protocol: Protocol, value: JsonObject, facts: Parameters<Protocol["read"]>[1]): void {
    const reading = protocol.read(value, facts);
    this.#heard++;
    const { live, name } = protocol;
    const { sessionId, agentId = "", type, kind } = reading;
    const session = live.session(reading) ?? sessionId ?? "";
    const sequence = live.sequence(reading);
    const identity = live.identity(reading) ?? (sequence === null ? undefined : `${session}\n${agentId}\n${sequence}`);
    if (identity !== undefined && kind === "event" && this.#isKnown(`${name} ${identity}`, facts.bodyHash)) return;
    this.#fold.handle(readActivities(name, value, { session, agent: agentId, type, kind }));
  }

  /** A different event with the same id is still folded: reporting the duplicate id is not the task of a comparison. */
  #isKnown(identity: string, body: number): boolean {
    return this.#ids.add(hashKey(identity), body) === body;
  }
}

/** Equal for a redelivered event, which has the same bytes. */
function hashBytes(_value: unknown, text: string): number {
  return crc32(text) | 0;
}
