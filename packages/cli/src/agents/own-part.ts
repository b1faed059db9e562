import type { AgentCard, SettingsFormat } from "@earshot/agents";
import { addToJson, ownEntries, readRoot, removeFromJson, sameEntries } from "./edit/edit-json.ts";
import { addToToml, ownToml, removeFromToml } from "./edit/edit-toml.ts";
import { addToYaml, ownYaml, removeFromYaml } from "./edit/edit-yaml.ts";
import type { Edited } from "./edit/text-style.ts";
import { eventsAt, isOwn, jsonEntries, type RegisteredCallOf, tomlTables, yamlEntries } from "./entries.ts";
import { runsLauncher } from "./hook-command.ts";
import type { Registration } from "./registrations.ts";

/** Adds, finds and removes Earshot's part of a file of one format. */
export interface OwnPart {
  /** For a text without Earshot's part. */
  add(text: string): Edited;
  remove(text: string): Edited;
  /** Whether a text contains exactly this part. */
  isIn(text: string): boolean;
  /** Whether a text contains any part of Earshot's. */
  isTouched(text: string): boolean;
  /** Whether only Earshot's own scaffolding is left, so that a file it created can be deleted. */
  isEmpty(text: string): boolean;
}

export interface PartOptions {
  readonly registrations: readonly Registration[];
  readonly callOf: RegisteredCallOf;
}

/** For files shared with others. */
export function sharedPart(
  card: AgentCard,
  format: Exclude<SettingsFormat, { kind: "scripts" | "plugin" }>,
  options: PartOptions,
): OwnPart {
  if (format.kind === "toml") {
    const wanted = () => addToToml("", format.list, tomlTables(options.registrations, options.callOf));
    return {
      add: (text) => addToToml(text, format.list, tomlTables(options.registrations, options.callOf)),
      remove: removeFromToml,
      isIn: (text) => {
        const fresh = wanted();
        return fresh.ok && ownToml(text) === ownToml(fresh.text);
      },
      isTouched: (text) => ownToml(text) !== undefined,
      isEmpty: (text) => text.trim() === "",
    };
  }
  if (format.kind === "yaml") {
    const lines = (text: string) =>
      new Set(
        ownYaml(text)
          ?.split("\n")
          .map((line) => line.trim()) ?? [],
      );
    return {
      add: (text) => addToYaml(text, format.key, yamlEntries(options.registrations, options.callOf)),
      remove: removeFromYaml,
      isIn: (text) => {
        const fresh = addToYaml("", format.key, yamlEntries(options.registrations, options.callOf));
        if (!fresh.ok) return false;
        const [wanted, own] = [fresh.text, text].map((one) => new Set([...lines(one)].filter((line) => line.startsWith("- "))));
        return wanted !== undefined && own !== undefined && wanted.size === own.size && [...wanted].every((line) => own.has(line));
      },
      isTouched: (text) => ownYaml(text) !== undefined,
      isEmpty: (text) => text.trim() === "",
    };
  }
  const at = (text: string) => eventsAt(format, readRoot(text));
  const entries = (text: string) => jsonEntries(card, format, { ...options, at: at(text) });
  return {
    add: (text) => addToJson(text, { members: format.members, entries: entries(text) }),
    remove: (text) => removeFromJson(text, at(text), isOwn),
    isIn: (text) => sameEntries(ownEntries(text, at(text), isOwn) ?? [], entries(text)),
    isTouched: (text) => (ownEntries(text, at(text), isOwn) ?? []).length > 0,
    isEmpty: (text) => {
      const root = readRoot(text);
      return root !== undefined && Object.entries(root).every(([key, value]) => format.members[key] === value);
    },
  };
}

/** For a file that is entirely Earshot's. */
export function wholePart(content: string): OwnPart {
  return {
    add: (text) => (text === "" ? { ok: true, text: content } : { ok: false, why: "there is a file of that name that is not Earshot's" }),
    remove: (text) => ({ ok: true, text: runsLauncher(text) ? "" : text }),
    isIn: (text) => text === content,
    isTouched: runsLauncher,
    isEmpty: (text) => text === "",
  };
}
