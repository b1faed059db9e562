import type { CommandEffects } from "../effects/command-effects.ts";
import { hasOption } from "../effects/has-option.ts";
import type { Touched } from "../effects/touched.ts";
import { isInside } from "../paths.ts";
import { HOLE, joinWords, type SimpleCommand, WILD } from "../shell/shell-command.ts";
import { operandsOf, withoutGlobalOptions } from "../shell/subcommand.ts";
import { DANGERS } from "./catalogue.ts";
import type { Danger, DangerForm } from "./danger.ts";
import { type TargetContext, targetKind } from "./target.ts";

type Indexed = readonly (readonly [Danger, DangerForm])[];

const every: Indexed = DANGERS.flatMap((danger) => danger.forms.map((form) => [danger, form] as const));
const byProgram: ReadonlyMap<string, Indexed> = indexByProgram();
const byCode = every.filter(([, form]) => form.programs === undefined && form.code !== undefined);
const byPath = every.filter(([, form]) => form.path !== undefined);
const byWhole = every.filter(([, form]) => form.whole !== undefined);

/** What is known to do harm in one simple command. */
export function commandDangers(command: SimpleCommand, effects: CommandEffects, context: TargetContext): readonly Danger[] {
  const { name, code } = command;
  const found = new Set<Danger>();
  const forms = byProgram.get(generic(name)) ?? byProgram.get(name);
  if (forms !== undefined) {
    const words = withoutGlobalOptions(name, command.words);
    const looked: Looked = { command, words, operands: operandsOf(name, words), text: joinWords(words.slice(1)), effects, context };
    for (const [danger, form] of forms) if (!found.has(danger) && fits(looked, form)) found.add(danger);
  }
  if (code !== undefined) for (const [danger, form] of byCode) if (finds(form.code, code.text)) found.add(danger);
  for (const touched of effects.touched) for (const danger of pathDangers(touched, context)) found.add(danger);
  return found.size === 0 ? NONE : [...found];
}

/** A command, seen in all the ways in which forms look at it. */
interface Looked {
  readonly command: SimpleCommand;
  readonly words: SimpleCommand["words"];
  readonly operands: readonly string[];
  readonly text: string;
  readonly effects: CommandEffects;
  readonly context: TargetContext;
}

const NONE: readonly Danger[] = [];

/** What is known to do harm when a file is changed, by whatever tool. */
export function pathDangers({ access, path, shape }: Touched, { home }: TargetContext): readonly Danger[] {
  if (access === "read" || access === undefined || shape?.startsWith(HOLE) === true) return NONE;
  const known = shape === undefined ? path : shape.slice(0, firstUnknown(shape));
  const fromHome = home !== undefined && isInside(known, home) ? `~${known.slice(home.length)}` : known;
  return byPath.filter(([, { path: pattern }]) => pattern?.test(fromHome) === true).map(([danger]) => danger);
}

/** What is known to do harm as a whole, and cannot be seen in any one of its commands. */
export function wholeDangers(text: string): readonly Danger[] {
  const fitting = ({ needs, whole }: DangerForm) => (needs === undefined || text.includes(needs)) && whole?.test(text) === true;
  return byWhole.filter(([, form]) => fitting(form)).map(([danger]) => danger);
}

function fits({ command, words, operands, text, effects, context }: Looked, form: DangerForm): boolean {
  if (form.words !== undefined && !beginsWith(operands, form.words)) return false;
  if (form.fed !== undefined && !isFed(command, form.fed)) return false;
  if (form.options !== undefined && !hasOption(words, form.options)) return false;
  if (form.unless !== undefined && hasOption(words, form.unless)) return false;
  if (form.text !== undefined && !finds(form.text, text)) return false;
  if (form.code !== undefined && (command.code === undefined || !finds(form.code, command.code.text))) return false;
  if (form.targets === undefined) return true;
  const { targets } = form;
  // What is only read does not count: the source of a copy.
  return effects.touched.some((touched) => touched.access !== "read" && targets.includes(targetKind(touched, context)));
}

/** Nobody reads through so much, and what is hidden in it counts as found. */
const MOST_CHARACTERS = 8192;

function finds(pattern: RegExp | undefined, text: string): boolean {
  return pattern !== undefined && (text.length > MOST_CHARACTERS || pattern.test(text));
}

function beginsWith(operands: readonly string[], wanted: readonly (readonly string[])[]): boolean {
  return wanted.every((choices, index) => choices.includes(operands[index]?.toLowerCase() ?? ""));
}

/** What it runs comes in through a pipe, and nothing else is named that it would run. */
function isFed({ input, words }: SimpleCommand, sources: readonly string[]): boolean {
  if (input?.kind !== "pipe") return false;
  const script = words.slice(1).find(({ text }) => !text.startsWith("-"));
  return script === undefined && input.from.some((name) => sources.includes(name));
}

/** `python3.12` is `python3`, `mkfs.ext4` is what it is. */
function generic(name: string): string {
  if (name.startsWith("python")) return name.replace(/(?:\.\d+)+$/, "");
  return name.startsWith("mkfs.") ? "mkfs" : name;
}

function firstUnknown(shape: string): number {
  const at = [...shape].findIndex((character) => character === HOLE || character === WILD);
  return at < 0 ? shape.length : at;
}

function indexByProgram(): ReadonlyMap<string, Indexed> {
  const index = new Map<string, [Danger, DangerForm][]>();
  for (const [danger, form] of every) {
    for (const name of form.programs ?? []) {
      const forms = index.get(name) ?? [];
      forms.push([danger, form]);
      index.set(name, forms);
    }
  }
  return index;
}
