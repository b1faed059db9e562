import { type AopAgent, type AopAgentOptions, createAopAgent } from "../agent.ts";
import { ownOptions } from "../plain/own.ts";
import { toOptionalText } from "../plain/text.ts";
import { createBrowserPlatform } from "./browser-platform.ts";

export interface AopOptions extends AopAgentOptions {
  /** Base address of the receiver. Default: the page's origin, because a hub rejects pages of other origins. */
  readonly url?: string | undefined;
}

/** Creates an agent that speaks AOP. One per page suffices for any number of sessions. */
export function aop(options: AopOptions): AopAgent {
  const url = toOptionalText(ownOptions(options).url);
  return createAopAgent(options, createBrowserPlatform(url));
}
