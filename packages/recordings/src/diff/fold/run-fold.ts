import type { ProtocolName } from "@earshot/protocol";
import type { Activity } from "@earshot/protocol/activities";
import type { RecordedRun, RunLane } from "../step.ts";
import { SharedTexts } from "./draft-step.ts";
import { type ExcludedParts, LaneFold, type RunShare } from "./lane-fold.ts";
import { OpenRunQuestions } from "./questions.ts";
import { SumsFold } from "./sums-fold.ts";

/** Limits on the compared steps and sessions of one run, to bound memory for recordings of any length. */
export const MAX_STEPS = 200_000;
const MAX_LANES = 20_000;

/** Folds a run into its lanes, one per session, while it is read. */
export class RunFold {
  readonly #folds = new Map<string, LaneFold>();
  readonly #sums = new SumsFold();
  readonly #share: RunShare;
  readonly #protocols = new Set<ProtocolName>();
  #steps = 0;
  #dropped = 0;
  #events = 0;

  constructor() {
    const takeStep = () => {
      if (this.#steps < MAX_STEPS) return ++this.#steps > 0;
      this.#dropped++;
      return false;
    };
    this.#share = { holding: new SharedTexts(), questions: new OpenRunQuestions(), takeStep };
  }

  /** Handles all activities of one event or message. */
  handle(activities: readonly Activity[]): void {
    const [first] = activities;
    if (first === undefined) return;
    this.#events++;
    this.#protocols.add(first.protocol);
    for (const activity of activities) this.#sums.handle(activity);
    if (first.session === "") {
      // A reply names its question and a response names its call. A handshake belongs to no run.
      for (const activity of activities) this.#share.questions.handle(activity);
      return;
    }
    const lane = this.#laneOf(first);
    for (const activity of activities) lane?.handle(activity);
  }

  finish(name: string, unread: number, unwanted: ExcludedParts): RecordedRun {
    const folds = [...this.#folds.values()];
    const lanes = inOrder(folds, unwanted);
    return {
      name,
      protocols: [...this.#protocols],
      events: this.#events,
      lanes,
      sums: this.#sums.finish(lanes),
      unread,
      dropped: this.#dropped,
    };
  }

  #laneOf({ session, protocol }: Activity): LaneFold | undefined {
    const name = `${protocol} ${session}`;
    const known = this.#folds.get(name);
    if (known !== undefined) return known;
    if (this.#folds.size >= MAX_LANES) {
      this.#dropped++;
      return undefined;
    }
    const lane = new LaneFold(session, protocol, this.#share);
    this.#folds.set(name, lane);
    return lane;
  }
}

/** Orders parents before their children. An unknown or cyclic parent is ignored. */
function inOrder(folds: readonly LaneFold[], unwanted: ExcludedParts): readonly RunLane[] {
  const byName = new Map<string, LaneFold>();
  for (const fold of folds) for (const name of [fold.conversation, fold.session]) if (name !== undefined) byName.set(name, fold);
  const children = new Map<LaneFold | undefined, LaneFold[]>();
  const parents = new Map<LaneFold, LaneFold>();
  for (const fold of folds) for (const child of fold.children.keys()) adopt(parents, byName.get(child), fold);
  for (const fold of folds) if (fold.parent !== undefined) adopt(parents, fold, byName.get(fold.parent));
  for (const fold of folds) {
    const parent = parents.get(fold);
    children.set(parent, [...(children.get(parent) ?? []), fold]);
  }
  const lanes: RunLane[] = [];
  const waiting: { readonly fold: LaneFold; readonly parent: RunLane["parent"] }[] = (children.get(undefined) ?? [])
    .map((fold) => ({ fold, parent: undefined }))
    .reverse();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { fold, parent } = next;
    const lane = lanes.push(fold.finish(unwanted, parent)) - 1;
    for (const child of (children.get(fold) ?? []).reverse()) {
      waiting.push({ fold: child, parent: { lane, step: fold.children.get(child.session) ?? fold.steps.length } });
    }
  }
  return lanes;
}

function adopt(parents: Map<LaneFold, LaneFold>, child: LaneFold | undefined, parent: LaneFold | undefined): void {
  if (child === undefined || parent === undefined || parents.has(child)) return;
  for (let above: LaneFold | undefined = parent; above !== undefined; above = parents.get(above)) if (above === child) return;
  parents.set(child, parent);
}
