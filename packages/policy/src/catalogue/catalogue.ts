import { AGENTS } from "./agents.ts";
import { CLOUD } from "./cloud.ts";
import { CODE } from "./code.ts";
import { DATABASES } from "./databases.ts";
import { FILES } from "./files.ts";
import { GIT } from "./git.ts";
import { HARMLESS } from "./harmless.ts";
import { NETWORK } from "./network.ts";
import { PACKAGES } from "./packages.ts";
import type { Row, Rows } from "./row.ts";
import { SYSTEM } from "./system.ts";

const TABLES: readonly Rows[] = [FILES, GIT, PACKAGES, DATABASES, CLOUD, SYSTEM, NETWORK, CODE, AGENTS, HARMLESS];

/** Every row of the catalogue, with the effect that it has. */
export const CATALOGUE: readonly (readonly [effect: string, row: Row])[] = TABLES.flatMap((table) =>
  Object.entries(table).flatMap(([effect, rows]) => rows.map((row) => [effect, row] as const)),
);
