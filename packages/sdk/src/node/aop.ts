import { type AopAgent, type AopAgentOptions, createAopAgent } from "../agent.ts";
import type { Platform } from "../delivery/platform.ts";
import { ownOptions } from "../plain/own.ts";
import { toAmount, toOptionalText } from "../plain/text.ts";
import { DiskSpool } from "./disk-spool.ts";
import { type Environment, findCandidates, namedUrl, sharedHomeOf, spoolFolder } from "./home.ts";
import { watchProcess } from "./process-end.ts";
import { createRequest } from "./request.ts";

export interface AopOptions extends AopAgentOptions {
  /**
   * Base address of the receiver, an Earshot hub or any AOP collector. Default: `EARSHOT_URL`, this user's hub, or http://localhost:4317.
   */
  readonly url?: string | undefined;
  /** Maximum bytes on disk while no hub runs. 0: nothing is written. */
  readonly spoolBytes?: number | undefined;
}

/** Creates an agent that speaks AOP. One per process suffices for any number of sessions. */
export function aop(options: AopOptions): AopAgent {
  const { url, spoolBytes } = ownOptions(options);
  return createAopAgent(options, createNodePlatform({ url: toOptionalText(url), spoolBytes: toAmount(spoolBytes), env: process.env }));
}

interface NodePlatformOptions {
  readonly url: string | undefined;
  readonly spoolBytes: number | undefined;
  readonly env: Environment;
}

const SPOOL_BYTES = 32 * 1024 * 1024;

function createNodePlatform({ url, spoolBytes = SPOOL_BYTES, env }: NodePlatformOptions): Platform {
  const home = sharedHomeOf(env);
  const named = namedUrl(env, url);
  return {
    request: createRequest(),
    candidates: () => findCandidates(home, named),
    spool: new DiskSpool({ folder: spoolFolder(home, named), maxBytes: spoolBytes }),
    watch: watchProcess,
  };
}
