import { type Agent, type AgentOptions, createAgent } from "../agent.ts";
import { own } from "../plain/own.ts";
import { toOptionalText } from "../plain/text.ts";
import { createBrowserPlatform } from "./browser-platform.ts";

export interface AopOptions extends AgentOptions {
  /** Base address of the receiver. Default: the page's origin, because a hub rejects pages of other origins. */
  readonly url?: string | undefined;
}

/** Creates an agent that speaks AOP. One per page suffices for any number of sessions. */
export function aop(options: AopOptions): Agent {
  const url = toOptionalText(own(options).url);
  return createAgent(options, createBrowserPlatform(url));
}
