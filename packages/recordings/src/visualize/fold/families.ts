import type { Axis, Section, SubagentSpan, TraceMoment } from "../trace.ts";
import { type AxisGap, layAxis, silentInBoth } from "./axis.ts";
import { whyNoTime } from "./clock.ts";
import type { SectionFold } from "./section-fold.ts";

export interface ArrangedSections {
  readonly sections: readonly Section[];
  /** Index in `sections` of each fold, in input order. */
  readonly indexes: readonly number[];
  readonly notes: readonly string[];
}

/** Orders children below their parents and gives each family one axis. */
export function arrangeSections(folds: readonly SectionFold[]): ArrangedSections {
  const parents = parentsOf(folds);
  const sections: Section[] = [];
  const indexes: number[] = folds.map(() => -1);
  const notes = new Set<string>();
  const visit = (fold: number, depth: number, axis: Axis): void => {
    const parent = parents[fold];
    const index = sections.length;
    indexes[fold] = index;
    const section = folds[fold]?.section({ index, depth, parent: parent === undefined ? undefined : indexes[parent], axis });
    if (section === undefined) return;
    sections.push(section);
    folds.forEach((_child, child) => {
      if (parents[child] === fold) visit(child, depth + 1, axis);
    });
  };
  folds.forEach((_fold, root) => {
    if (parents[root] !== undefined) return;
    const family = folds.filter((_one, member) => rootOf(parents, member) === root);
    const { axis, note } = axisOf(family);
    if (note !== undefined) notes.add(note);
    visit(root, 0, axis);
  });
  return { sections: sections.map((section) => withChildren(section, sections)), indexes, notes: [...notes] };
}

/** Returns each fold's parent, without cycles: no fold is its own ancestor. */
function parentsOf(folds: readonly SectionFold[]): readonly (number | undefined)[] {
  const parents: (number | undefined)[] = folds.map(() => undefined);
  folds.forEach((fold, index) => {
    const named = fold.parentSession;
    const first = folds.findIndex(({ session, protocol }) => session === fold.session && protocol === fold.protocol);
    const wanted =
      first !== index && fold.session !== ""
        ? first
        : named === undefined
          ? -1
          : folds.findIndex((one) => one !== fold && (one.session === named || one.conversation === named));
    if (wanted < 0 || rootPath(parents, wanted).includes(index)) return;
    parents[index] = wanted;
  });
  return parents;
}

function rootPath(parents: readonly (number | undefined)[], from: number): readonly number[] {
  const path: number[] = [];
  for (let at: number | undefined = from; at !== undefined && !path.includes(at); at = parents[at]) path.push(at);
  return path;
}

function rootOf(parents: readonly (number | undefined)[], member: number): number {
  return rootPath(parents, member).at(-1) ?? member;
}

function axisOf(family: readonly SectionFold[]): { readonly axis: Axis; readonly note: string | undefined } {
  const why = whyNoTime(family.map(({ clock }) => clock.facts()));
  const kind = why === undefined ? "time" : "order";
  const events = family.reduce((sum, fold) => sum + fold.entries, 0);
  const silent = family.map(({ clock }) => (kind === "time" ? clock.timeGaps : clock.orderGaps).silent());
  const gaps = silent.reduce<readonly AxisGap[]>(silentInBoth, [{ from: -Infinity, to: Infinity }]);
  const from = gaps[0]?.to ?? 0;
  const to = gaps.at(-1)?.from ?? from;
  const note =
    why === "backwards"
      ? "Times that go back cannot be drawn along a clock: where they do, events stand in the order of the recording."
      : undefined;
  return { axis: layAxis(kind, { from, to: Math.max(from, to) }, gaps.slice(1, -1), events), note };
}

/** Links children to their own sections, including children that the parent's events do not mention. */
function withChildren(section: Section, sections: readonly Section[]): Section {
  const { spans } = section.subagents;
  if (spans === undefined) return section;
  const children = sections.filter(({ parent }) => parent === section.index);
  const told = spans.map((span): SubagentSpan => {
    const own = children.find(({ session, agent }) => span.child !== undefined && (session === span.child || agent === span.child));
    if (own === undefined) return span;
    const ended = span.open && own.outcome !== undefined ? { to: later(span.from, own.last), open: false, outcome: own.outcome } : {};
    return { ...span, ...ended, section: own.index };
  });
  const untold = children.filter(({ index }) => !told.some((span) => span.section === index));
  const all = [...told, ...untold.map(toSpan)].map((span, index) => ({ ...span, row: Math.min(index, 7) }));
  if (untold.length === 0) return { ...section, subagents: { ...section.subagents, spans: told } };
  return { ...section, subagents: { spans: all, count: all.length, atOnce: mostAtOnce(all) } };
}

function toSpan({ agent, agentName, session, index, first, last, outcome }: Section): SubagentSpan {
  return {
    from: first,
    to: last,
    open: outcome === undefined,
    row: 0,
    name: agentName ?? (agent === "" ? session : agent),
    child: session,
    section: index,
    ...(outcome === undefined ? {} : { outcome }),
  };
}

function later(one: TraceMoment, other: TraceMoment): TraceMoment {
  return (other.ms ?? other.entry) >= (one.ms ?? one.entry) ? other : one;
}

function mostAtOnce(spans: readonly SubagentSpan[]): number {
  return Math.max(0, ...spans.map(({ from }) => spans.filter((one) => one.from.entry <= from.entry && one.to.entry >= from.entry).length));
}
