import type { SessionTable } from "./session-table.ts";
import type { Reading } from "./session-view.ts";
import type { SessionView, Tree } from "./views.ts";

const MOST_NODES = 500;
const MOST_GENERATIONS = 1000;

/** The whole tree a session belongs to. What was said may go in circles: a circle is opened at its first session. */
export function readTree(key: number, sessions: SessionTable, reading: Reading): Tree {
  const nodes: (SessionView & { readonly depth: number })[] = [];
  const seen = new Set<number>();
  const waiting: { readonly key: number; readonly depth: number }[] = [{ key: rootOf(key, sessions), depth: 0 }];
  let isCut = false;
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (next === undefined || seen.has(next.key)) continue;
    if (nodes.length >= MOST_NODES) {
      isCut = true;
      break;
    }
    const view = sessions.get(next.key, reading);
    if (view === undefined) continue;
    seen.add(next.key);
    nodes.push({ ...view, depth: next.depth });
    const children = sessions.childrenOf(next.key, MOST_NODES + 1);
    if (children.length > MOST_NODES) isCut = true;
    for (const child of children.slice(0, MOST_NODES).reverse()) waiting.push({ key: child, depth: next.depth + 1 });
  }
  return { nodes, cut: isCut };
}

function rootOf(key: number, sessions: SessionTable): number {
  const way: number[] = [];
  const met = new Set<number>();
  for (let at: number | undefined = key; at !== undefined && way.length < MOST_GENERATIONS; at = sessions.parentOf(at)) {
    if (met.has(at)) return Math.min(...way.slice(way.indexOf(at)));
    met.add(at);
    way.push(at);
  }
  return way.at(-1) ?? key;
}
