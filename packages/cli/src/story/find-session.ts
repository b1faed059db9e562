import type { Listed, SessionView } from "@earshot/hub";
import { EarshotError } from "@earshot/protocol/problem";
import { usage } from "../usage.ts";
import { protocolLabel } from "./phrases.ts";
import type { ViewReader } from "./view-reader.ts";

export interface SessionHints {
  readonly protocol?: string | undefined;
  readonly source?: string | undefined;
}

/** How many sessions are looked through for one that begins so. */
const LOOKED_THROUGH = 2000;
const LISTED = 8;

/**
 * The session that a person means: by its id, by its key, or by the beginning of an id that no other one shares, among those
 * heard last. Several sources may use the same id: then they are listed, and nothing is guessed.
 */
export async function findSession(views: ViewReader, name: string, hints: SessionHints = {}): Promise<SessionView> {
  if (name === "") throw usage("The name of the session is empty.", "`earshot sessions` lists them.");
  const isMeant = ({ protocol, source }: SessionView) =>
    (hints.protocol === undefined || protocol === hints.protocol) && (hints.source === undefined || source === hints.source);
  const { items } = await views.read<Listed<SessionView>>("/api/sessions", { id: name, limit: 100 });
  const exact = items.filter(isMeant);
  if (exact.length > 0) return theOne(exact, `is called ${JSON.stringify(name)}`);
  if (/^\d{1,15}$/.test(name)) {
    const byKey = await orNothing(views.read<SessionView>(`/api/sessions/${name}`));
    if (byKey !== undefined) return byKey;
  }
  const beginning: SessionView[] = [];
  for await (const page of views.list<SessionView>("/api/sessions", { limit: LOOKED_THROUGH })) {
    beginning.push(...page.filter((session) => session.id.startsWith(name) && isMeant(session)));
  }
  if (beginning.length > 0) return theOne(beginning, `begins with ${JSON.stringify(name)}`);
  const message = `No session ${JSON.stringify(name.slice(0, 80))} was heard${items.length > 0 ? " from there" : ""}.`;
  throw new EarshotError({
    code: "NOT_FOUND",
    message,
    hint: "`earshot sessions` lists those that were, `earshot search WORDS` finds more.",
  });
}

function theOne(found: readonly SessionView[], what: string): SessionView {
  const [first, second] = found;
  if (first !== undefined && second === undefined) return first;
  const list = found
    .slice(0, LISTED)
    .map(({ id, protocol, source, key }) => `${id} (${protocolLabel(protocol)} from ${source}, key ${key})`);
  const more = found.length > LISTED ? `; and ${found.length - LISTED} more` : "";
  throw usage(
    `More than one session ${what}: ${list.join("; ")}${more}.`,
    "Give more of the id, add --protocol or --source, or name it by its key.",
  );
}

async function orNothing<Value>(asked: Promise<Value>): Promise<Value | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (EarshotError.is(error) && error.problem.code === "NOT_FOUND") return undefined;
    throw error;
  }
}
