import type { Finding } from "../finding.ts";
import type { AaepRuleId } from "./rules.ts";

export function unknownTokenFinding(token: string): Finding {
  return tokenFinding("aaep/reply-token-known", `No question with the token ${shown(token)} was asked before.`);
}

export function reusedTokenFinding(token: string, since: number): Finding {
  return { ...tokenFinding("aaep/reply-token-unique", `The token ${shown(token)} was used before.`), since };
}

function tokenFinding(rule: AaepRuleId, message: string): Finding {
  return { rule, message, pointer: "/reply_token" };
}

function shown(token: string): string {
  return JSON.stringify(token.slice(0, 80));
}
