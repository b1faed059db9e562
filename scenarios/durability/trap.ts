import { writeSync } from "node:fs";
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";

/** Points at which a hub can be suspended to be killed exactly there. */
export const POINTS = [
  "before commit",
  "after commit",
  "before tombstone",
  "between two cuts",
  "before seal",
  "between seal and its file",
  "in a migration",
] as const;
export type Point = (typeof POINTS)[number];

/** SQL statements that mark those points; `nth` skips the first ones so that there is data to lose. */
interface Mark {
  readonly sql: RegExp;
  readonly when: "before" | "after";
  readonly nth: number;
}

const MARKS: Readonly<Record<Exclude<Point, "in a migration">, Mark>> = {
  "before commit": { sql: /^COMMIT$/, when: "before", nth: 20 },
  "after commit": { sql: /^COMMIT$/, when: "after", nth: 20 },
  "before tombstone": { sql: /^INSERT INTO tombstone /, when: "after", nth: 1 },
  "between two cuts": { sql: /^DELETE FROM entry WHERE position/, when: "after", nth: 3 },
  "before seal": { sql: /^INSERT INTO seal /, when: "before", nth: 2 },
  "between seal and its file": { sql: /^INSERT INTO seal /, when: "after", nth: 2 },
};

/** The line a hub prints at the point. */
export function arrivalOf(point: Point): string {
  return `standing still: ${point}`;
}

/** Suspends the process for good, including pending answers. */
export function standStill(point: Point): void {
  writeSync(1, `${arrivalOf(point)}\n`);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

/** The same database, suspended at the point. */
export function trap(db: DatabaseSync, point: Exclude<Point, "in a migration">): DatabaseSync {
  const mark = MARKS[point];
  let count = 0;
  const run = <Result>(sql: string, work: () => Result): Result => {
    const isThere = mark.sql.test(sql) && ++count === mark.nth;
    if (isThere && mark.when === "before") standStill(point);
    const result = work();
    if (isThere && mark.when === "after") standStill(point);
    return result;
  };
  return intercept(db, {
    prepare: (sql: string) => {
      const statement = db.prepare(sql);
      if (!mark.sql.test(sql)) return statement;
      const runs = (...values: SQLInputValue[]) => run(sql, () => statement.run(...values));
      return intercept<StatementSync>(statement, { run: runs as StatementSync["run"] });
    },
    exec: (sql: string) => run(sql, () => db.exec(sql)),
  });
}

/** An object with some methods replaced. The others run on the original, as native methods require. */
export function intercept<Target extends object>(target: Target, replaced: Partial<Target>): Target {
  return new Proxy(target, {
    get(_proxied, name) {
      if (Object.hasOwn(replaced, name)) return Reflect.get(replaced, name) as unknown;
      const value: unknown = Reflect.get(target, name, target);
      // Not a bound function: V8 rejects those as `Symbol.asyncDispose`.
      return typeof value === "function" ? (...values: unknown[]) => Reflect.apply(value, target, values) as unknown : value;
    },
  });
}
