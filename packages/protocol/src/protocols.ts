import { AAEP } from "./aaep/aaep.ts";
import { AEP } from "./aep/aep.ts";
import { AOP } from "./aop/aop.ts";
import type { JsonObject } from "./json.ts";
import type { Protocol } from "./protocol.ts";
import type { ProtocolName, Rule } from "./rule.ts";

/** The registry. Adding or dropping a protocol takes a folder and a line here. */
export const PROTOCOLS: Readonly<Record<ProtocolName, Protocol>> = { aaep: AAEP, aep: AEP, aop: AOP };

const ALL: readonly Protocol[] = [AAEP, AEP, AOP];
/** Below this score, member names prove nothing. */
const POSSIBLE = 20;

/**
 * Detects an object's protocol from its member names, so a broken event is still judged by the right rules. `previous` is the stream's
 * last protocol and breaks ties.
 */
export function recogniseProtocol(value: JsonObject, previous?: Protocol): Protocol | undefined {
  // Each protocol has one member that the others lack; an object with exactly one of them needs no further check.
  const aaep = (value["@context"] ?? null) !== null;
  const aep = (value["aep_version"] ?? null) !== null;
  const aop = (value["spec"] ?? null) !== null;
  if (aaep ? !aep && !aop : aep !== aop) return aaep ? AAEP : aep ? AEP : AOP;
  let best: Protocol | undefined;
  let bestScore = POSSIBLE - 1;
  for (const protocol of ALL) {
    const score = protocol.recognise(value) + (protocol === previous ? 10 : 0);
    if (score > bestScore) {
      best = protocol;
      bestScore = score;
    }
  }
  return best;
}

export function isProtocolName(name: string): name is ProtocolName {
  return Object.hasOwn(PROTOCOLS, name);
}

export function ruleOf(id: string): Rule | undefined {
  const name = id.split("/", 1)[0];
  return name === "aaep" || name === "aep" || name === "aop" ? PROTOCOLS[name].rules[id] : undefined;
}
