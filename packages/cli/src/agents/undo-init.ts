import { type CommandIo, EXIT } from "@earshot/terminal/io";
import { carryOutRemoval, inRemovalOrder, planRemoval, type RemovalPlan, removalLines } from "./carry-out.ts";
import { type Installation, installPlaceFor, namedCards, possibleTargets, readScope } from "./installation.ts";
import type { InstallTarget } from "./plan.ts";
import { Record } from "./record.ts";

export interface UndoOptions {
  readonly names: readonly string[];
  readonly scope: string | undefined;
  readonly isDry: boolean;
}

/** `earshot init --undo`: removes Earshot's hooks from the agents' settings. */
export async function undoInit({ names, scope, isDry }: UndoOptions, io: CommandIo, installation: Installation): Promise<number> {
  const removals = planRemovals(installation, {
    ...(names.length === 0 ? {} : { cards: namedCards(names) }),
    ...(scope === undefined ? {} : { scopes: [readScope(scope)] }),
  });
  if (removals.length === 0) {
    io.out("No agent's settings contain entries of Earshot.\n");
    return EXIT.ok;
  }
  printRemovals(removals, io);
  if (isDry) io.out("Nothing was removed.\n");
  else carryOutRemovals(removals, installation);
  return removals.some(({ plan }) => plan.kind === "refused") ? EXIT.found : EXIT.ok;
}

export interface InstallRemoval {
  readonly target: InstallTarget;
  readonly plan: RemovalPlan;
}

export function planRemovals(installation: Installation, options: Parameters<typeof possibleTargets>[2] = {}): readonly InstallRemoval[] {
  const record = new Record(installPlaceFor(installation, "user").earshotHome);
  return inRemovalOrder(possibleTargets(installation, record, options))
    .map((target) => ({ target, plan: planRemoval(target, record) }))
    .filter(({ target, plan }) => record.find(target.path) !== undefined || (plan.kind !== "refused" && plan.kind !== "nothing"));
}

export function printRemovals(removals: readonly InstallRemoval[], io: CommandIo): void {
  for (const [agent, group] of Map.groupBy(removals, ({ target }) => target.card.name)) {
    io.out(`${agent}\n`);
    for (const { target, plan } of group) io.out(removalLines(target.path, plan));
  }
}

export function carryOutRemovals(removals: readonly InstallRemoval[], installation: Installation): void {
  const record = new Record(installPlaceFor(installation, "user").earshotHome);
  for (const { target, plan } of removals) if (plan.kind !== "refused") carryOutRemoval(target, plan, record);
}
