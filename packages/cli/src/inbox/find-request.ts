import type { RequestView } from "@earshot/hub";
import { EarshotError } from "@earshot/protocol/problem";
import type { HubAccess } from "../hub-client.ts";
import { usage } from "../usage.ts";
import { getRequest, listLast, listOpen } from "./request-client.ts";
import { whatItWantsInShort } from "./what-it-wants.ts";

const WHOLE = /^req_[0-9a-f]{24}$/;
const FEWEST = 3;

/** The request that a unique beginning of an id names: among those that wait, otherwise among the last that ended. */
export async function findRequest(hub: HubAccess, given: string): Promise<RequestView> {
  const id = given.startsWith("req_") ? given : `req_${given}`;
  if (WHOLE.test(id)) return getRequest(hub, id);
  if (!/^req_[0-9a-f]*$/.test(id) || id.length < "req_".length + FEWEST) {
    throw usage(
      `${JSON.stringify(given)} names no request.`,
      "Give the id that `earshot inbox --once` shows, or at least its first three characters.",
    );
  }
  return choose(given, id, await listOpen(hub)) ?? choose(given, id, await listLast(hub)) ?? missing(given);
}

function choose(given: string, id: string, requests: readonly RequestView[]): RequestView | undefined {
  const found = requests.filter((one) => one.id.startsWith(id));
  const [first, ...others] = found;
  if (others.length === 0) return first;
  const which = found.slice(0, 5).map((one) => `${one.id.replace(/^req_/, "")}: ${whatItWantsInShort(one.card.asked)}`);
  throw usage(`${found.length} requests begin with ${JSON.stringify(given)}.`, `Give more of the id. ${which.join("; ")}.`);
}

function missing(given: string): never {
  throw new EarshotError({
    code: "NOT_FOUND",
    message: `There is no request ${JSON.stringify(given)}.`,
    hint: "`earshot inbox --once` shows those that wait.",
  });
}
