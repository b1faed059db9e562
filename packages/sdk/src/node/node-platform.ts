import type { Platform } from "../delivery/platform.ts";
import { DiskSpool } from "./disk-spool.ts";
import { type Environment, findCandidates, homeOf, namedUrl, spoolFolder } from "./home.ts";
import { watchProcess } from "./process-end.ts";
import { createRequest } from "./request.ts";

export interface NodePlatformOptions {
  readonly url: string | undefined;
  readonly spoolBytes: number | undefined;
  readonly env: Environment;
}

const SPOOL_BYTES = 32 * 1024 * 1024;

export function createNodePlatform({ url, spoolBytes = SPOOL_BYTES, env }: NodePlatformOptions): Platform {
  const home = homeOf(env);
  const named = namedUrl(env, url);
  return {
    request: createRequest(),
    candidates: () => findCandidates(home, named),
    spool: new DiskSpool({ folder: spoolFolder(home, named), maxBytes: spoolBytes }),
    watch: watchProcess,
  };
}
