import { parseArgs } from "node:util";
import { carryOutRemoval, inRemovalOrder, planRemoval, type RemovalPlan } from "../agents/carry-out.ts";
import { type Installation, namedAdapters, placeFor, possibleTargets, readScope, thisInstallation } from "../agents/installation.ts";
import type { Target } from "../agents/plan.ts";
import { removalLines } from "../agents/plan-lines.ts";
import { Record } from "../agents/record.ts";
import { EXIT, type Io } from "../io.ts";

export const REMOVE_HELP = `Usage: earshot remove [--agent NAME]... [--scope user|project] [--dry-run]

Takes Earshot's hooks out of the coding agents' settings. A file that nobody else has changed since is put back byte for byte; from
any other, only Earshot's entries go. What was recorded stays, and so does the hub: \`earshot uninstall\` removes those.

  --agent NAME   only this agent; may be given several times
  --scope        only the settings of this user, or only those of projects
  --dry-run      only shows what would be removed
`;

export async function remove(argv: readonly string[], io: Io, installation: Installation = thisInstallation()): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      agent: { type: "string", multiple: true, default: [] },
      scope: { type: "string" },
      "dry-run": { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) {
    io.out(REMOVE_HELP);
    return EXIT.ok;
  }
  const names = [...values.agent, ...positionals];
  const removals = planRemovals(installation, {
    ...(names.length === 0 ? {} : { adapters: namedAdapters(names) }),
    ...(values.scope === undefined ? {} : { scopes: [readScope(values.scope)] }),
  });
  if (removals.length === 0) {
    io.out("Nothing of Earshot's is in any agent's settings.\n");
    return EXIT.ok;
  }
  tellRemovals(removals, io);
  if (values["dry-run"]) io.out("Nothing was removed.\n");
  else carryOutRemovals(removals, installation);
  return removals.some(({ plan }) => plan.kind === "refused") ? EXIT.found : EXIT.ok;
}

export interface Removal {
  readonly target: Target;
  readonly plan: RemovalPlan;
}

export function planRemovals(installation: Installation, options: Parameters<typeof possibleTargets>[2] = {}): readonly Removal[] {
  const record = new Record(placeFor(installation, "user").earshotHome);
  return inRemovalOrder(possibleTargets(installation, record, options))
    .map((target) => ({ target, plan: planRemoval(target, record) }))
    .filter(({ target, plan }) => record.find(target.path) !== undefined || (plan.kind !== "refused" && plan.kind !== "nothing"));
}

export function tellRemovals(removals: readonly Removal[], io: Io): void {
  for (const [agent, group] of Map.groupBy(removals, ({ target }) => target.adapter.name)) {
    io.out(`${agent}\n`);
    for (const { target, plan } of group) io.out(removalLines(target.path, plan));
  }
}

export function carryOutRemovals(removals: readonly Removal[], installation: Installation): void {
  const record = new Record(placeFor(installation, "user").earshotHome);
  for (const { target, plan } of removals) if (plan.kind !== "refused") carryOutRemoval(target, plan, record);
}
