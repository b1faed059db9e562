import type { Asked } from "@earshot/policy";
import { isObject, type JsonObject, type JsonValue } from "@earshot/protocol";
import type { Entry, Ledger } from "../ledger/ledger.ts";
import { momentOf } from "./ask-join.ts";
import { putToRules } from "./put-to-rules.ts";

/** Something recorded, as it was put to the rules. Secrets are masked in it. */
export interface RecordedAsk {
  readonly asked: Asked;
  readonly source: string;
  readonly session: string;
}

/** What a request, or the entry at a position, asked; undefined where that is nothing that a rule could speak about. */
export async function findRecorded(
  ledger: Pick<Ledger, "read" | "requests">,
  wanted: { readonly request: string } | { readonly position: number },
): Promise<RecordedAsk | undefined> {
  const [request] =
    "request" in wanted ? await ledger.requests({ ids: [wanted.request], limit: 1 }) : await requestAt(ledger, wanted.position);
  const position = "position" in wanted ? wanted.position : request?.position;
  if (position === undefined) return undefined;
  const [entry] = (await ledger.read({ after: position - 1, limit: 1 })).entries;
  if (entry?.position !== position || entry.kind !== "event") return undefined;
  const asked = putToRules(entry.type, readEvent(entry), request !== undefined && momentOf(request) === "permission");
  return asked === undefined ? undefined : { asked, source: entry.source, session: entry.session };
}

async function requestAt(ledger: Pick<Ledger, "requests">, position: number) {
  const [next] = await ledger.requests({ after: position - 1, limit: 1 });
  return next?.position === position ? [next] : [];
}

function readEvent({ text }: Entry): JsonObject {
  const value = JSON.parse(text === "" ? "{}" : text) as JsonValue;
  return isObject(value) ? value : {};
}
