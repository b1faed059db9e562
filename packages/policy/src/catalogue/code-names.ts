import rows from "./code-names.json" with { type: "json" };
import { namesLike, oneWordOf } from "./names.ts";

type CodeEffect = "deletes" | "deletes-here" | "runs" | "dynamic" | "writes" | "moves" | "network" | "sends" | "reads";

const PATTERNS = new Map(rows.map(({ effect, names }) => [effect, oneWordOf(names, "i")]));

/** Whether a name in code of any language means an effect. `deletes-here`: common words that count only if files can be reached. */
export function meansEffect(name: string, effect: CodeEffect): boolean {
  return PATTERNS.get(effect)?.test(name) === true;
}

/** Names that show that code can reach files, processes or a database. */
export const CAPABLE_NAMES =
  /\b(?:os|shelljs|shutil|pathlib|Path|fs|node:fs|fs-extra|fs\/promises|Deno|Bun|File|FileUtils|Dir|Files?|FileManager|IO|Pathname|Filesystem|java\.io|java\.nio|babashka\.fs|directory|db|objects|ActiveRecord|Model|prisma|knex|sequelize|redis|mongo\w*|sqlite3?|psycopg2?|cursor|Storage|DB|Schema|User|Order|Account)\b/;

/** Modules that reach nothing outside the program. */
export const HARMLESS_MODULES = namesLike("harmless modules");

/** Members of more capable modules that only read. */
export const LOOKING_MEMBERS = namesLike("looking members", "i");

/** Words without an effect of their own, in the smaller languages. */
export const PLAIN_WORDS = namesLike("plain words of code");
