import type { Ledger } from "../ledger/ledger.ts";
import type { Request } from "../request.ts";

const PAGE = 200;
/** How far back is looked for what was answered shortly before the hub was started. */
const LAST = 500;

/** What a source asks, and nobody has answered. */
export async function openRequestsOf(ledger: Pick<Ledger, "requests">, source: string): Promise<readonly Request[]> {
  const found: Request[] = [];
  for (let after = 0; ; ) {
    const page = await ledger.requests({ state: "open", after, limit: PAGE });
    found.push(...page.filter((one) => isOf(one, source)));
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return found;
    after = last.position;
  }
}

/** What was decided, and may not have been told: whoever asked still waits for it. */
export async function decidedRequestsOf(ledger: Pick<Ledger, "requests">, source: string, now: number): Promise<readonly Request[]> {
  const newest = await ledger.requests({ before: Number.MAX_SAFE_INTEGER, limit: LAST });
  return newest.filter((one) => isOf(one, source) && one.state !== "open" && one.deadlineAt !== null && one.deadlineAt > now).toReversed();
}

function isOf({ protocol, source }: Request, name: string): boolean {
  return protocol === "aaep" && source === name;
}
