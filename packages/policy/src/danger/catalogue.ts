import { CLOUD_DANGERS } from "./catalogue/cloud.ts";
import { CODE_DANGERS } from "./catalogue/code.ts";
import { CONTAINER_DANGERS } from "./catalogue/containers.ts";
import { DATABASE_DANGERS } from "./catalogue/databases.ts";
import { DISK_DANGERS } from "./catalogue/disks.ts";
import { EARSHOT_DANGERS } from "./catalogue/earshot.ts";
import { FILE_DANGERS } from "./catalogue/files.ts";
import { GIT_DANGERS } from "./catalogue/git.ts";
import { PACKAGE_DANGERS } from "./catalogue/packages.ts";
import { SYSTEM_DANGERS } from "./catalogue/system.ts";
import type { Danger } from "./danger.ts";

/** Everything known to do harm, in the order in which it is told. */
export const DANGERS: readonly Danger[] = [
  ...FILE_DANGERS,
  ...DISK_DANGERS,
  ...GIT_DANGERS,
  ...PACKAGE_DANGERS,
  ...DATABASE_DANGERS,
  ...CLOUD_DANGERS,
  ...CONTAINER_DANGERS,
  ...SYSTEM_DANGERS,
  ...CODE_DANGERS,
  ...EARSHOT_DANGERS,
];
