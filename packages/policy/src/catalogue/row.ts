/**
 * One form of a command that has an effect, with an example that has the effect and a similar one that has not.
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
 * | `<kept broad>` | a file it changes is of one of these kinds: see `TargetKind` |
 * | `~name`, `!~name` | this pattern of patterns.ts fits the arguments, or does not |
 * | `{several}` | this condition of effects/conditions.ts holds; after a colon stands its argument |
 */
export type Row = readonly [form: string, example: string, counterexample: string];

/** Rows by the effect they have. */
export type Rows = Readonly<Record<string, readonly Row[]>>;

/** With one of these options a program only prints what it would do. */
export const DRY = "![--dry-run --dryrun]";
/** The same, for programs whose `-n` means that. */
export const DRY_OR_N = "![-n --dry-run]";
