import { isObject } from "@earshot/protocol/json";
import type { Adapter } from "../adapter.ts";
import { foreignEntries, readRoot } from "../edit/edit-json.ts";
import { eventsAt, isOwn, TOKEN_VARIABLE } from "../entries.ts";
import type { Target } from "../plan.ts";
import type { Record } from "../record.ts";
import { momentOf } from "../registrations.ts";
import { readSettings } from "../settings-file.ts";
import { type Finding, fine, note, trouble } from "./finding.ts";

/** Whether what was registered is still there, and what stands beside it. `wanted` is how it may look. */
export function checkFile(target: Target, record: Record, wanted: readonly Target[]): readonly Finding[] {
  const { adapter, path } = target;
  const { name, slug } = adapter;
  const again = `earshot init --agent ${slug}`;
  const known = record.find(path);
  const now = readSettings(path);
  if (!now.ok)
    return known === undefined
      ? []
      : [trouble("settings-unreadable", `${path} cannot be read: ${now.why}.`, "Put it right, then `earshot doctor` again.", name)];
  const { text } = now;
  if (text === null || !target.part.isTouched(text)) {
    return known === undefined
      ? []
      : [
          trouble(
            "settings-edited",
            `Earshot's hooks are gone from ${path}.`,
            `${again} puts them back; \`earshot remove --agent ${slug}\` forgets them.`,
            name,
          ),
        ];
  }
  const isAsWanted = wanted.some(({ part }) => part.isIn(text));
  return [
    isAsWanted
      ? fine("settings", `${path} has Earshot's hooks.`, name)
      : trouble(
          "settings-edited",
          `Earshot's hooks in ${path} are not as this version writes them: edited, or from another version.`,
          `${again} puts them right.`,
          name,
        ),
    ...checkSwitches(adapter, path, text),
    ...checkOthers(adapter, path, text),
    ...(known?.http === true
      ? [
          note(
            "over-http",
            `Some hooks go over HTTP (${path}): nothing of them is kept while the hub is down, and whoever else listens on its port would hear them. The agent needs ${TOKEN_VARIABLE} in its environment.`,
            name,
            again,
          ),
        ]
      : []),
  ];
}

/** Switches of the agents with which all hooks are off. */
function checkSwitches(adapter: Adapter, path: string, text: string): readonly Finding[] {
  const root = path.endsWith(".json") ? readRoot(text) : undefined;
  const off = ["disableAllHooks", "allowManagedHooksOnly"].filter((name) => root?.[name] === true);
  const config = root?.["hooksConfig"];
  if (isObject(config) && (config["enabled"] === false || (Array.isArray(config["disabled"]) && config["disabled"].includes("earshot"))))
    off.push("hooksConfig");
  const begins = adapter.slug === "codex" && text.startsWith("\uFEFF");
  return [
    ...off.map((name) => trouble("hooks-off", `${path} switches hooks off with ${name}.`, `Take ${name} out of it.`, adapter.name)),
    ...(begins
      ? [
          trouble(
            "byte-order-mark",
            `${path} begins with a byte-order mark, and Codex does not read such a file.`,
            "Save it as UTF-8 without one.",
            adapter.name,
          ),
        ]
      : []),
  ];
}

/** Others that can refuse, allow or change the same things: what they say and what Earshot says may differ. */
function checkOthers(adapter: Adapter, path: string, text: string): readonly Finding[] {
  const format = [adapter.user, adapter.project].find((file) => file?.format.kind === "json")?.format;
  if (format?.kind !== "json" || !path.endsWith(".json")) return [];
  const others = foreignEntries(text, eventsAt(format, readRoot(text)), isOwn).filter(({ at }) =>
    ["before_action", "permission"].includes(momentOf(adapter, at.at(-1) ?? "")),
  );
  if (others.length === 0) return [];
  const hooks = [...new Set(others.map(({ at }) => at.at(-1)))].join(", ");
  return [
    note(
      "other-hooks",
      `${others.length} other hook${others.length === 1 ? "" : "s"} in ${path} can decide at ${hooks}, too. The strictest answer counts in most agents; a change of the input by one of them is not what you were shown.`,
      adapter.name,
    ),
  ];
}

/** The same agent, told twice: what happens is sent twice, and counted once. */
export function checkTwice(targets: readonly Target[]): readonly Finding[] {
  const inUse = targets.filter(({ path, part }) => {
    const now = readSettings(path);
    return now.ok && now.text !== null && part.isTouched(now.text);
  });
  return [...Map.groupBy(inUse, ({ adapter }) => adapter)].flatMap(([adapter, group]) => {
    const folders = new Set(group.filter(({ path }) => !/earshot-hook\.|plugin\.json$/.test(path)).map(({ path }) => path));
    const isTwice =
      adapter.user !== undefined && adapter.project !== undefined && folders.size > 1 && adapter.user.format.kind !== "scripts";
    return isTwice
      ? [
          note(
            "registered-twice",
            `It is registered twice: ${[...folders].join(", ")}. Each hook runs twice, and is counted once.`,
            adapter.name,
            `earshot remove --agent ${adapter.slug} --scope project`,
          ),
        ]
      : [];
  });
}
