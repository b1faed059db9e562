import { createHmac } from "node:crypto";

/**
 * The token by which subscribers answer a request over AAEP: 128 bits that only this hub can make. The token that the agent
 * chose stays with the hub: two agents may have chosen the same one, and what an agent made up need not be hard to guess.
 * Made from the request's id, so that it is the same after a restart.
 */
export function replyTokenOf(requestId: string, secret: string): string {
  return `rpl_${createHmac("sha256", secret).update(`aaep reply ${requestId}`).digest("hex").slice(0, 32)}`;
}
