import { EarshotError } from "@earshot/protocol";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Ledger } from "../ledger/ledger.ts";
import type { SessionView, Views } from "../views/views.ts";
import {
  ALERTS_PARAMETERS,
  asked,
  CALL_CURSOR,
  COSTS_PARAMETERS,
  readAlertsQuery,
  readCostsQuery,
  readSearchQuery,
  readSessionsQuery,
  readStoryPart,
  SEARCH_PARAMETERS,
  SESSIONS_PARAMETERS,
  STORY_PARAMETERS,
  ViewsParameters,
} from "./views-query.ts";

export interface ViewsPorts {
  readonly ledger: Pick<Ledger, "head">;
  readonly views: Views;
}

type KeyRequest = FastifyRequest<{ Params: { key: string } }>;

/** How long a reader waits for what was acknowledged before it asked; after that it gets what is there, and is told so. */
const CAUGHT_UP_MS = 2000;
/** How long one waits who names the position that must be in the answer. */
const WAIT_MS = 10_000;

const reads = (summary: string) => ({ config: { access: "viewer", summary } }) as const;

/** What happened: sessions, calls, costs, alerts, full text. Each answer is a page. */
export function registerViews(app: FastifyInstance, { ledger, views }: ViewsPorts): void {
  /** Answers when the views show what was said before the question, and says by how much they are behind when they do not. */
  const answer = async <Value extends object>(given: ViewsParameters, read: () => Promise<Value>): Promise<Value & { behind?: number }> => {
    const head = await waitFor(given, { ledger, views });
    const value = await read();
    const behind = head - views.position;
    return behind > 0 ? { ...value, behind } : value;
  };

  app.get("/api/sessions", reads("sessions, the one heard last first"), async (request) => {
    const given = new ViewsParameters(request.url, SESSIONS_PARAMETERS);
    const id = given.text("id");
    if (id === undefined) {
      const query = readSessionsQuery(given);
      return answer(given, () => views.sessions(query));
    }
    const limit = given.limit();
    const protocol = given.protocol();
    return answer(given, async () => ({ items: (await views.find(id, protocol)).slice(0, limit) }));
  });

  app.get("/api/sessions/:key", reads("one session"), async (request: KeyRequest) => {
    const given = new ViewsParameters(request.url, []);
    const key = keyOf(request);
    return answer(given, () => theSession(views, key));
  });

  app.get("/api/sessions/:key/story", reads("what happened in a session, in its order"), async (request: KeyRequest) => {
    const given = new ViewsParameters(request.url, STORY_PARAMETERS);
    const query = { session: keyOf(request), ...readStoryPart(given) };
    return answer(given, async () => {
      await theSession(views, query.session);
      return views.story(query);
    });
  });

  app.get("/api/sessions/:key/calls", reads("the calls of a session"), async (request: KeyRequest) => {
    const given = new ViewsParameters(request.url, ["after", "limit"]);
    const query = { session: keyOf(request), limit: given.limit(), ...asked("after", given.cursor(CALL_CURSOR)) };
    return answer(given, async () => {
      await theSession(views, query.session);
      return views.calls(query);
    });
  });

  app.get("/api/sessions/:key/tree", reads("the tree of sessions that one belongs to"), async (request: KeyRequest) => {
    const given = new ViewsParameters(request.url, []);
    const key = keyOf(request);
    return answer(given, async () => {
      await theSession(views, key);
      return views.tree(key);
    });
  });

  app.get("/api/sessions/:key/grade", reads("how a session keeps the rules of its protocol"), async (request: KeyRequest) => {
    const given = new ViewsParameters(request.url, []);
    const key = keyOf(request);
    return answer(given, async () => (await views.grade(key)) ?? unknownSession(key));
  });

  app.get("/api/costs", reads("costs and tokens, as they were supplied"), async (request) => {
    const given = new ViewsParameters(request.url, COSTS_PARAMETERS);
    const query = readCostsQuery(given);
    return answer(given, () => views.costs(query));
  });

  app.get("/api/alerts", reads("alerts, newest first"), async (request) => {
    const given = new ViewsParameters(request.url, ALERTS_PARAMETERS);
    const query = readAlertsQuery(given);
    return answer(given, () => views.alerts(query));
  });

  app.get("/api/search", reads("full text, newest first"), async (request) => {
    const given = new ViewsParameters(request.url, SEARCH_PARAMETERS);
    const query = readSearchQuery(given);
    return answer(given, () => views.search(query));
  });
}

/** Gives the position that the answer should show. */
async function waitFor(given: ViewsParameters, { ledger, views }: ViewsPorts): Promise<number> {
  const wanted = given.number("wait");
  const head = await ledger.head();
  if (wanted === undefined) {
    await views.caughtUp(head, AbortSignal.timeout(CAUGHT_UP_MS)).catch(() => {}); // what is there is shown, and by how much it is behind
    return head;
  }
  try {
    await views.caughtUp(wanted, AbortSignal.timeout(WAIT_MS));
  } catch (error) {
    if (EarshotError.is(error)) throw error;
    const message = `Position ${wanted} is not in the views yet; they have come to ${views.position} of ${head}.`;
    throw new EarshotError({ code: "VIEWS_UNAVAILABLE", message, hint: "Ask again, or without `wait`." }, { cause: error });
  }
  return wanted;
}

async function theSession(views: Views, key: number): Promise<SessionView> {
  return (await views.session(key)) ?? unknownSession(key);
}

function keyOf({ params }: KeyRequest): number {
  const key = /^\d{1,15}$/.test(params.key) ? Number(params.key) : 0;
  if (key > 0) return key;
  const hint = "The `key` of a session, as the list gives it; `/api/sessions?id=…` finds it by its id.";
  throw new EarshotError({ code: "WRONG_QUERY", message: "The key of a session is a whole number.", hint });
}

function unknownSession(key: number): never {
  const hint = "`/api/sessions` lists those that are there.";
  throw new EarshotError({ code: "NOT_FOUND", message: `There is no session with the key ${key}.`, hint });
}
