import { type Agent, type AgentOptions, createAgent } from "../agent.ts";
import { own } from "../plain/own.ts";
import { toOptionalText } from "../plain/text.ts";
import { createBrowserPlatform } from "./browser-platform.ts";

export interface AopOptions extends AgentOptions {
  /** Base address of the receiver. Otherwise the origin of the page: a hub answers no page of another origin. */
  readonly url?: string | undefined;
}

/** An agent that speaks AOP. One per page is enough, for any number of sessions. */
export function aop(options: AopOptions): Agent {
  const url = toOptionalText(own(options).url);
  return createAgent(options, createBrowserPlatform(url));
}
