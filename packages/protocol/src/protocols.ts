import { AAEP } from "./aaep/aaep.ts";
import { AEP } from "./aep/aep.ts";
import { AOP } from "./aop/aop.ts";
import type { JsonObject } from "./json.ts";
import type { Protocol } from "./protocol.ts";
import type { ProtocolName, Rule } from "./rule.ts";

/** The registry: adding or dropping a protocol is a folder and a line here. */
export const PROTOCOLS: Readonly<Record<ProtocolName, Protocol>> = { aaep: AAEP, aep: AEP, aop: AOP };

const ALL: readonly Protocol[] = [AAEP, AEP, AOP];

/** Enough member names to be sure at once; below that the best of the three is taken. */
const SURE = 60;
const POSSIBLE = 20;

/**
 * Which protocol an object is meant to be in, told from its member names, so that a broken event is still judged by
 * the right rules. `previous` is what the stream spoke last: it settles doubt, and makes the usual case fast.
 */
export function recogniseProtocol(value: JsonObject, previous?: Protocol): Protocol | undefined {
  if (previous !== undefined && previous.recognise(value) >= SURE) return previous;
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

export function ruleOf(id: string): Rule | undefined {
  const name = id.split("/", 1)[0];
  return name === "aaep" || name === "aep" || name === "aop" ? PROTOCOLS[name].rules[id] : undefined;
}
