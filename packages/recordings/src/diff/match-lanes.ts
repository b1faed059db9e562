import { measureLikeness, normaliseName, wordHashesOf } from "./normalise.ts";
import { facetOf, type RunLane } from "./step.ts";

/** Two sessions that do the same work, or one without a counterpart, by index. */
export interface MatchedLanes {
  readonly a?: number;
  readonly b?: number;
  /** Index of the parents' match. */
  readonly parent?: number;
  readonly depth: number;
}

/** Minimum similarity of matched sessions. */
const MIN_SCORE = 0.3;
/** Above this number of combinations, sessions are matched by name and task instead of by comparing all pairs. */
const MAX_COMPARED = 40_000;

/** A session's agent and task. */
interface Role {
  readonly index: number;
  readonly agent: string;
  readonly protocol: string;
  readonly task: string;
  readonly words: Uint32Array;
}

/** Matches sessions from the roots down: by agent, by task, and by order among the children of one parent. */
export function matchLanes(a: readonly RunLane[], b: readonly RunLane[]): readonly MatchedLanes[] {
  const [rolesA, rolesB] = [a.map(toRole), b.map(toRole)];
  const [childrenA, childrenB] = [childrenOf(a), childrenOf(b)];
  const matches: MatchedLanes[] = [];
  const waiting: Omit<MatchedLanes, "depth">[][] = [];
  const lookAt = (parent: number | undefined, parentA: number | undefined, parentB: number | undefined, isRoot: boolean) => {
    const those = (children: ReadonlyMap<number, readonly number[]>, roles: readonly Role[], above: number | undefined) =>
      above === undefined && !isRoot ? [] : (children.get(above ?? ROOT) ?? []).flatMap((index) => roles[index] ?? []);
    const found = matchGroup(those(childrenA, rolesA, parentA), those(childrenB, rolesB, parentB));
    waiting.push(found.map((match) => ({ ...match, ...(parent === undefined ? {} : { parent }) })).reverse());
  };
  lookAt(undefined, undefined, undefined, true);
  while (waiting.length > 0) {
    const next = waiting.at(-1)?.pop();
    if (next === undefined) {
      waiting.pop();
      continue;
    }
    const depth = next.parent === undefined ? 0 : (matches[next.parent]?.depth ?? 0) + 1;
    const place = matches.push({ ...next, depth }) - 1;
    lookAt(place, next.a, next.b, false);
  }
  return matches;
}

const ROOT = -1;

function childrenOf(lanes: readonly RunLane[]): ReadonlyMap<number, readonly number[]> {
  const children = new Map<number, number[]>();
  lanes.forEach(({ parent }, index) => {
    const above = parent?.lane ?? ROOT;
    const known = children.get(above);
    if (known === undefined) children.set(above, [index]);
    else known.push(index);
  });
  return children;
}

function toRole({ agent, protocol, steps }: RunLane, index: number): Role {
  const first = steps.find(({ kind }) => kind === "task");
  const task = first === undefined ? undefined : facetOf(first, "task");
  return { index, agent: normaliseName(agent), protocol, task: task?.same ?? "", words: wordHashesOf(task?.text ?? "") };
}

type Match = { readonly a?: number; readonly b?: number };

/** Matches the children of one parent, in the order of A. Sessions that only B has keep their position in B. */
function matchGroup(a: readonly Role[], b: readonly Role[]): readonly Match[] {
  const partners = a.length * b.length <= MAX_COMPARED ? byLikeness(a, b) : byRole(a, b);
  const taken = new Set(partners.values());
  const [freeA, freeB] = [a.filter((role) => !partners.has(role)), b.filter((role) => !taken.has(role))];
  const [lastA, lastB] = [freeA[0], freeB[0]];
  // If one unmatched session remains on each side, the two are paired: an agent with another name may do the same task.
  if (freeA.length === 1 && freeB.length === 1 && lastA !== undefined && lastB !== undefined) partners.set(lastA, lastB);
  return merge(a, b, partners);
}

function merge(a: readonly Role[], b: readonly Role[], partners: ReadonlyMap<Role, Role>): readonly Match[] {
  const paired = new Set(partners.values());
  const places = new Map(b.map((role, place) => [role, place]));
  const matches: Match[] = [];
  let next = 0;
  const tellOnlyB = (until: number) => {
    for (; next < until; next++) {
      const role = b[next];
      if (role !== undefined && !paired.has(role)) matches.push({ b: role.index });
    }
  };
  for (const role of a) {
    const partner = partners.get(role);
    if (partner !== undefined) tellOnlyB(places.get(partner) ?? 0);
    matches.push(partner === undefined ? { a: role.index } : { a: role.index, b: partner.index });
  }
  tellOnlyB(b.length);
  return matches;
}

function byLikeness(a: readonly Role[], b: readonly Role[]): Map<Role, Role> {
  const candidates = a.flatMap((one, rankA) =>
    b.map((other, rankB) => ({ one, other, score: scoreOf(one, other, Math.abs(rankA - rankB)), rankA, rankB })),
  );
  candidates.sort((x, y) => y.score - x.score || x.rankA - y.rankA || x.rankB - y.rankB);
  const partners = new Map<Role, Role>();
  const taken = new Set<Role>();
  for (const { one, other, score } of candidates) {
    if (score < MIN_SCORE || partners.has(one) || taken.has(other)) continue;
    partners.set(one, other);
    taken.add(other);
  }
  return partners;
}

function scoreOf(one: Role, other: Role, apart: number): number {
  const task = one.task === "" || other.task === "" ? 0 : one.task === other.task ? 1 : 0.9 * measureLikeness(one.words, other.words);
  return (one.agent === other.agent ? 0.5 : 0) + 0.35 * task + (one.protocol === other.protocol ? 0.05 : 0) + 0.1 / (1 + apart);
}

/** Pairs each session with the first free one of the same agent and task, then of the same agent. */
function byRole(a: readonly Role[], b: readonly Role[]): Map<Role, Role> {
  const partners = new Map<Role, Role>();
  const taken = new Set<Role>();
  for (const nameOf of [(role: Role) => `${role.agent}\n${role.task}`, (role: Role) => role.agent]) {
    const free = Map.groupBy(
      b.filter((role) => !taken.has(role)),
      nameOf,
    );
    for (const queue of free.values()) queue.reverse();
    for (const role of a) {
      const partner = partners.has(role) ? undefined : free.get(nameOf(role))?.pop();
      if (partner === undefined) continue;
      partners.set(role, partner);
      taken.add(partner);
    }
  }
  return partners;
}
