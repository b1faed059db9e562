import type { AgentCard } from "@earshot/agents";
import { isObject } from "@earshot/protocol/json";
import { foreignEntries, readRoot } from "../edit/edit-json.ts";
import { eventsAt, isOwn, TOKEN_VARIABLE } from "../entries.ts";
import type { InstallTarget } from "../plan.ts";
import type { Record } from "../record.ts";
import { hookMomentOf } from "../registrations.ts";
import { readSettingsText } from "../settings-file.ts";
import { type DoctorFinding, fineFinding, noteFinding, troubleFinding } from "./finding.ts";

/** Whether a registration is still present, and what else is in the file. `wanted` lists its acceptable forms. */
export function checkRegistration(target: InstallTarget, record: Record, wanted: readonly InstallTarget[]): readonly DoctorFinding[] {
  const { card, path } = target;
  const { name, slug } = card;
  const again = `earshot init --agent ${slug}`;
  const known = record.find(path);
  const now = readSettingsText(path);
  if (!now.ok)
    return known === undefined
      ? []
      : [
          troubleFinding(
            "settings-unreadable",
            `${path} cannot be read: ${now.why}.`,
            "Fix the file, then run `earshot doctor` again.",
            name,
          ),
        ];
  const { text } = now;
  if (text === null || !target.part.isTouched(text)) {
    return known === undefined
      ? []
      : [
          troubleFinding(
            "settings-edited",
            `Earshot's hooks are gone from ${path}.`,
            `${again} puts them back; \`earshot init --undo --agent ${slug}\` forgets them.`,
            name,
          ),
        ];
  }
  const isAsWanted = wanted.some(({ part }) => part.isIn(text));
  return [
    isAsWanted
      ? fineFinding("settings", `${path} has Earshot's hooks.`, name)
      : troubleFinding(
          "settings-edited",
          `Earshot's hooks in ${path} are not as this version writes them: edited, or from another version.`,
          `${again} puts them right.`,
          name,
        ),
    ...checkSwitches(card, path, text),
    ...checkOthers(card, path, text),
    ...(known?.http === true
      ? [
          noteFinding(
            "over-http",
            `Some hooks go over HTTP (${path}): their events are lost while the hub is down, and another program on its port would receive them. The agent needs ${TOKEN_VARIABLE} in its environment.`,
            name,
            again,
          ),
        ]
      : []),
  ];
}

/** Agent settings that disable all hooks. */
export function checkSwitches(card: AgentCard, path: string, text: string): readonly DoctorFinding[] {
  const root = path.endsWith(".json") ? readRoot(text) : undefined;
  const off = ["disableAllHooks", "allowManagedHooksOnly"].filter((name) => root?.[name] === true);
  const config = root?.["hooksConfig"];
  if (isObject(config) && (config["enabled"] === false || (Array.isArray(config["disabled"]) && config["disabled"].includes("earshot"))))
    off.push("hooksConfig");
  const begins = card.slug === "codex" && text.startsWith("\uFEFF");
  return [
    ...off.map((name) => troubleFinding("hooks-off", `${path} switches hooks off with ${name}.`, `Take ${name} out of it.`, card.name)),
    ...(begins
      ? [
          troubleFinding(
            "byte-order-mark",
            `${path} begins with a byte-order mark, and Codex does not read such a file.`,
            "Save it as UTF-8 without one.",
            card.name,
          ),
        ]
      : []),
  ];
}

/** Other hooks that can refuse, allow or change the same actions and may contradict Earshot. */
function checkOthers(card: AgentCard, path: string, text: string): readonly DoctorFinding[] {
  const format = [card.user, card.project].find((file) => file?.format.kind === "json")?.format;
  if (format?.kind !== "json" || !path.endsWith(".json")) return [];
  const others = foreignEntries(text, eventsAt(format, readRoot(text)), isOwn).filter(({ at }) =>
    ["before_action", "permission"].includes(hookMomentOf(card, at.at(-1) ?? "")),
  );
  if (others.length === 0) return [];
  const hooks = [...new Set(others.map(({ at }) => at.at(-1)))].join(", ");
  return [
    noteFinding(
      "other-hooks",
      `${others.length} other hook${others.length === 1 ? "" : "s"} in ${path} can also decide at ${hooks}. The strictest answer counts in most agents; a change of the input by one of them is not what you were shown.`,
      card.name,
    ),
  ];
}

/** An agent registered twice: its events are sent twice and counted once. */
export function checkTwice(targets: readonly InstallTarget[]): readonly DoctorFinding[] {
  const inUse = targets.filter(({ path, part }) => {
    const now = readSettingsText(path);
    return now.ok && now.text !== null && part.isTouched(now.text);
  });
  return [...Map.groupBy(inUse, ({ card }) => card)].flatMap(([card, group]) => {
    const folders = new Set(group.filter(({ path }) => !/earshot-hook\.|plugin\.json$/.test(path)).map(({ path }) => path));
    const isTwice = card.user !== undefined && card.project !== undefined && folders.size > 1 && card.user.format.kind !== "scripts";
    return isTwice
      ? [
          noteFinding(
            "registered-twice",
            `It is registered twice: ${[...folders].join(", ")}. Each hook runs twice, and is counted once.`,
            card.name,
            `earshot init --undo --agent ${card.slug} --scope project`,
          ),
        ]
      : [];
  });
}
