import { EFFECT_CATALOGUE } from "../catalogue/catalogue.ts";
import { valuedOptions } from "../shell/options.ts";
import type { ShellWord, SimpleCommand } from "../shell/shell-command.ts";
import { type CommandEffects, operandsOf } from "./command-effects.ts";
import { type CommandForm, compileForm, firstWords, hasForm, type SeenWords, toSeenWords } from "./command-form.ts";
import { ROW_CONDITIONS } from "./conditions.ts";
import type { CodeReading } from "./read-code.ts";
import { pathKindOf, type TargetContext } from "./target.ts";

/** Effects of harmless rows. With the second, the program may also start what its words name. */
export const HARMLESS_EFFECT = "harmless";
export const OWN_CODE_EFFECT = "runs-own-code";

interface IndexedRow {
  readonly effect: string;
  readonly isHarmless: boolean;
  readonly text: string;
  /** Compiled on first use, because a hook needs only a few rows. */
  form?: CommandForm;
}

/** The rows of one program, by a word that must occur in the command. */
interface ProgramRows {
  readonly byWord: Map<string, IndexedRow[]>;
  readonly always: IndexedRow[];
}

const byProgram = new Map<string, ProgramRows>();
for (const [effect, [form]] of EFFECT_CATALOGUE) {
  const [programs = "", ...rest] = form.split(" ");
  const row = { effect, isHarmless: effect === HARMLESS_EFFECT || effect === OWN_CODE_EFFECT, text: rest.join(" ") };
  const words = firstWords(row.text);
  for (const name of programs.toLowerCase().split("|")) {
    const rows = byProgram.get(name) ?? { byWord: new Map<string, IndexedRow[]>(), always: [] };
    byProgram.set(name, rows);
    if (words === undefined) rows.always.push(row);
    else for (const word of words) rows.byWord.set(word, [...(rows.byWord.get(word) ?? []), row]);
  }
}
const forAll = byProgram.get("*")?.always ?? [];
/** Rows for all programs that require nothing but one condition. */
const always = forAll
  .filter(({ isHarmless }) => !isHarmless)
  .map(({ effect, text }) => ({ effect, holds: ROW_CONDITIONS[text.slice(1, -1)] ?? (() => false) }));

/** Whether the catalogue has rows for a program. */
export function isInCatalogue(name: string): boolean {
  return byProgram.has(genericName(name));
}

/** `python3.12` is `python3`, `mkfs.ext4` is `mkfs`. */
function genericName(name: string): string {
  if (name.startsWith("python")) return name.replace(/^(python\d*)(?:\.\d+)+$/, "$1");
  return name.startsWith("mkfs.") ? "mkfs" : name;
}

const MAX_WORDS = 24;

/** A command with every view of it that rows need. */
export class ExaminedCommand {
  readonly command: SimpleCommand;
  readonly words: readonly ShellWord[];
  readonly context: TargetContext;
  readonly effects: CommandEffects;
  readonly code: CodeReading | undefined;
  /** Something was fetched by an earlier command of the same text. */
  readonly afterFetch: boolean;
  readonly #seen: SeenWords;
  readonly #rows: readonly IndexedRow[];
  readonly #listed = new Map<string, boolean>();
  #operands: readonly ShellWord[] | undefined;

  constructor(command: SimpleCommand, context: TargetContext, found: Pick<ExaminedCommand, "effects" | "code" | "afterFetch">) {
    this.command = command;
    this.words = command.words;
    this.context = context;
    this.effects = found.effects;
    this.code = found.code;
    this.afterFetch = found.afterFetch;
    this.#seen = toSeenWords(command.words, valuedOptions(command.name));
    this.#rows = rowsFor(command);
  }

  get args(): string {
    return this.#seen.args;
  }

  get operands(): readonly ShellWord[] {
    this.#operands ??= operandsOf(this.words);
    return this.#operands;
  }

  /** Ids of the dangers found by rows. */
  dangers(): string[] {
    const found: string[] = [];
    for (const row of this.#rows) if (!row.isHarmless && !found.includes(row.effect) && this.#fits(row)) found.push(row.effect);
    for (const { effect, holds } of always) if (holds(this, "") && !found.includes(effect)) found.push(effect);
    return found;
  }

  /** Whether a row marks the command as harmless; with OWN_CODE, whether it may start what its words name. */
  isListed(effect: typeof HARMLESS_EFFECT | typeof OWN_CODE_EFFECT): boolean {
    const fits = (row: IndexedRow) => row.effect === effect && this.#fits(row);
    const isListed = this.#listed.get(effect) ?? (this.#rows.some(fits) || (effect === HARMLESS_EFFECT && forAll.some(fits)));
    this.#listed.set(effect, isListed);
    return isListed;
  }

  isListedHarmless(): boolean {
    return this.isListed(HARMLESS_EFFECT) || this.isListed(OWN_CODE_EFFECT);
  }

  #fits(row: IndexedRow): boolean {
    row.form ??= compileForm(row.text);
    const { targets, conditions } = row.form;
    if (!hasForm(this.#seen, row.form, row.isHarmless)) return false;
    // Files that are only read, such as the source of a copy, do not count.
    const hits = ({ touched }: CommandEffects) =>
      touched.some((one) => one.access !== "read" && targets?.has(pathKindOf(one, this.context)));
    if (targets !== undefined && !hits(this.effects)) return false;
    return conditions.every(({ name, value }) => ROW_CONDITIONS[name]?.(this, value) === true);
  }
}

/** The rows that could match: those without a first word, and those whose first word occurs in the command. */
function rowsFor({ name, words }: SimpleCommand): readonly IndexedRow[] {
  const rows = byProgram.get(name) ?? byProgram.get(genericName(name));
  if (rows === undefined) return [];
  const found = new Set(rows.always);
  for (const { text } of words.slice(1, MAX_WORDS))
    for (const row of rows.byWord.get(text) ?? rows.byWord.get(text.toLowerCase()) ?? []) found.add(row);
  return [...found];
}
