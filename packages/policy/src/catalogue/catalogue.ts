import { AGENT_PROGRAMS } from "@earshot/protocol/coding-agents";
import agents from "./agents.json" with { type: "json" };
import cloud from "./cloud.json" with { type: "json" };
import code from "./code.json" with { type: "json" };
import databases from "./databases.json" with { type: "json" };
import files from "./files.json" with { type: "json" };
import git from "./git.json" with { type: "json" };
import harmless from "./harmless.json" with { type: "json" };
import { joinLines } from "./names.ts";
import network from "./network.json" with { type: "json" };
import packages from "./packages.json" with { type: "json" };
import system from "./system.json" with { type: "json" };
import words from "./words.json" with { type: "json" };

/**
 * One form of a command that has an effect, with an example that has the effect and a similar one that has not. With the effect
 * `harmless` it does no harm; with `runs-own-code` it may also start what its words say, as the project declares it.
 *
 * A form is the program, then what must hold of its words: `git push [-f --force] ![-n --dry-run]`.
 *
 * | part | holds when |
 * |---|---|
 * | `a\|b` at the beginning | the program has one of these names; `*` is any |
 * | `a\|b*` | the next operand, or option, is one of these words; `*` stands for any letters, `**` alone for any operands |
 * | `/a\|b/` | some word, wherever it stands, is one of these |
 * | `[-a --all]` | one of these options is there; letters also in a cluster, long names also cut short or with a value |
 * | `[-X]=delete\|put` | the option has one of these values |
 * | `![-n]` | none of these options is there, or it is taken back: `--dry-run=false`, `--no-dry-run` |
 * | `<kept broad>` | a file it changes is of one of these kinds: see `PathKind` |
 * | `~name`, `!~name` | this pattern of patterns.ts fits the arguments, or does not |
 * | `{several}` | this condition of effects/conditions.ts holds; after a colon stands its argument |
 * | `%NAME` | stands for the words of this name in words.json |
 */
export type CatalogueRow = readonly [form: string, example: string, counterexample: string];

/** Rows by their effect. */
type Rows = Readonly<Record<string, readonly CatalogueRow[]>>;

const TABLES = [files, git, packages, databases, cloud, system, network, code, agents, harmless] as unknown as readonly Rows[];

/** Editors that are not agents themselves, although an agent runs in them. */
const EDITORS: readonly string[] = ["code", "code-insiders"];

function expandWords(form: string): string {
  return form.replaceAll(/%([A-Z_]+)/g, (_, name: string) => {
    if (name === "AGENTS") return [...AGENT_PROGRAMS.filter((one) => !EDITORS.includes(one)), words.OTHER_AGENTS].join("|");
    const found: string | readonly string[] = words[name as keyof typeof words];
    return joinLines(found, name === "DOWNLOADERS" || name === "DECODERS" ? "," : "|");
  });
}

/** Every row of the catalogue with its effect. */
export const EFFECT_CATALOGUE: readonly (readonly [effect: string, row: CatalogueRow])[] = TABLES.flatMap((table) =>
  Object.entries(table).flatMap(([effect, rows]) =>
    rows.map(([form, example, counterexample]) => [effect, [expandWords(form), example, counterexample]] as const),
  ),
);
