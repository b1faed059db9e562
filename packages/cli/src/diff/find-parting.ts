import type { Comparison, LanePair } from "./comparison.ts";

type Parting = NonNullable<Comparison["parting"]>;

/**
 * Where two runs first do something else. A session that was started before its parent parts ways comes before that; what one says and
 * gets in other words is no parting.
 */
export function findParting(lanes: readonly LanePair[]): Parting | undefined {
  const found: (Parting | undefined)[] = [];
  const children = new Map<number, number[]>();
  const roots: number[] = [];
  lanes.forEach(({ parent }, index) => {
    const known = parent === undefined ? roots : children.get(parent);
    if (known !== undefined) known.push(index);
    else if (parent !== undefined) children.set(parent, [index]);
  });
  // Children stand behind their parents: from the end, each is known before it is asked for.
  for (let index = lanes.length - 1; index >= 0; index--) {
    const pair = lanes[index];
    if (pair === undefined) continue;
    const own = pair.rows.findIndex(({ is }) => is !== "alike" && is !== "details");
    const earlier = (children.get(index) ?? []).find(
      (child) => found[child] !== undefined && (own < 0 || isBefore(pair, lanes[child], own)),
    );
    found[index] = earlier === undefined ? (own < 0 ? undefined : { lane: index, row: own }) : found[earlier];
  }
  for (const root of roots) if (found[root] !== undefined) return found[root];
  return undefined;
}

/** Whether the child was started before that row of its parent. A session that one run alone has is told by the step that starts it. */
function isBefore({ rows }: LanePair, child: LanePair | undefined, row: number): boolean {
  if (child?.a === undefined || child.b === undefined) return false;
  const { a, b } = rows[row] ?? {};
  const [startA, startB] = [child.a.parent?.step ?? 0, child.b.parent?.step ?? 0];
  return (a === undefined || startA < a) && (b === undefined || startB < b);
}
