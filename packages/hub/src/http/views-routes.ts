import { EarshotError } from "@earshot/protocol";
import type { FastifyInstance } from "fastify";
import Type, { type TSchema } from "typebox";
import { naturalNumber, positiveInteger, textOf } from "../api-schema.ts";
import type { Ledger } from "../ledger/ledger.ts";
import {
  ALERT_TYPES,
  alertSchema,
  COST_GROUPS,
  callViewSchema,
  costTableSchema,
  courseSchema,
  gradeSchema,
  type Listed,
  laneSchema,
  listedSchema,
  SESSION_STATUSES,
  type SessionStatus,
  type SessionView,
  searchHitSchema,
  sessionViewSchema,
  storyPageSchema,
  treeSchema,
} from "../views/api.ts";
import { SEARCH_FIELDS } from "../views/search/search-texts.ts";
import type { SessionsQuery, Views, ViewsStoryQuery } from "../views/views.ts";
import { defineRoute } from "./validation.ts";

interface ViewsSource {
  readonly ledger: Pick<Ledger, "head">;
  readonly views: Views;
  /** Whether the session has an open request: the hub knows a hook's request before any event shows it. */
  readonly isWaiting: (session: { readonly protocol: string; readonly source: string; readonly session: string }) => boolean;
}

/** How long a reader waits for the views to include acknowledged events; after that it gets what is there, with `behind`. */
const CAUGHT_UP_MS = 2000;
/** How long a reader waits for a position it names. */
const WAIT_MS = 10_000;

const maybe = Type.Optional;
const someOf = <const Word extends string>(words: readonly Word[], description: string) =>
  maybe(Type.Array(Type.Enum(words), { description }));
const text = (description: string) => textOf(1000, { description });
const cursor = (pattern: string) => maybe(textOf(1000, { pattern, description: "the `next` of another answer, as it is" }));
const pair = cursor("^-?\\d{1,17}_\\d{1,17}$");
const time = (description: string) => maybe(naturalNumber({ description: `${description}, in milliseconds since 1970` }));
const day = maybe(
  Type.String({ pattern: "^\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])$", description: "a day, written as 2026-11-15" }),
);
const limit = positiveInteger({ maximum: 200, default: 50, description: "the length of the page, at most 200" });
const session = maybe(positiveInteger({ description: "the `key` of a session" }));
const KEY_HELP = "the `key` of a session; `/api/sessions?id=…` finds it by its id";

/** Unknown parameters are refused, because a misspelled filter must not show everything. */
const query = <Members extends Readonly<Record<string, TSchema>>>(members: Members) =>
  Type.Object(
    { ...members, wait: maybe(naturalNumber({ description: "a position that must be in the answer" })) },
    { additionalProperties: false },
  );

const params = Type.Object({ key: positiveInteger({ description: KEY_HELP }) });
const waitQuery = query({});
const pageQuery = query({ after: cursor("^\\d{1,16}_"), limit });
const sessionsQuery = query({
  id: maybe(text("the id of a session; several sources may use the same one")),
  status: someOf(SESSION_STATUSES, "statuses, separated by commas"),
  protocol: someOf(["aaep", "aep", "aop"], "protocols, separated by commas"),
  agent: maybe(text("the agent that was stored first")),
  since: time("stored since"),
  text: maybe(text("occurs in the agent, folder, goal, model or id, in any case")),
  roots: maybe(Type.Enum(["true", "false"], { description: "true: only sessions without a parent" })),
  after: pair,
  limit,
});
const courseQuery = query({ buckets: positiveInteger({ maximum: 400, default: 200, description: "the number of parts, at most 400" }) });
const lanesQuery = query({ since: naturalNumber({ description: "by the agents' clocks, in milliseconds since 1970" }), limit });
const storyQuery = query({
  after: pair,
  from: maybe(naturalNumber({ description: "a position at which the page begins" })),
  last: maybe(positiveInteger({ maximum: 200, description: "so many items from the end of the story" })),
  before: maybe(naturalNumber({ description: "a position before which the page ends" })),
  limit,
});
const costsQuery = query({
  by: Type.Enum(COST_GROUPS, { default: "session", description: "what costs are grouped by" }),
  session,
  from: day,
  to: day,
  limit,
});
const alertsQuery = query({ session, type: someOf(ALERT_TYPES, "kinds of alerts, separated by commas"), after: pair, limit });
const searchQuery = query({
  text: text("words, or a phrase in quotes"),
  session,
  agent: maybe(text("an agent")),
  type: maybe(text("a type of events")),
  field: maybe(Type.Enum(SEARCH_FIELDS, { description: "only in texts of this kind" })),
  since: time("stored since"),
  until: time("stored until"),
  order: maybe(Type.Enum(["newest", "relevance"], { description: "newest first, or the best of the newest matches" })),
  after: cursor("."),
  limit,
});

/** An answer, with the number of entries the views do not include yet. */
const answered = <Members extends Readonly<Record<string, TSchema>>>({ properties }: { readonly properties: Members }) =>
  Type.Object({ ...properties, behind: maybe(naturalNumber({ description: "entries that are stored and not in the answer yet" })) });
const reads = <Members extends Readonly<Record<string, TSchema>>, Request extends object>(
  summary: string,
  answer: { readonly properties: Members },
  request: Request,
) => defineRoute("viewer", summary, { ...request, response: { 200: answered(answer) } });

/** Sessions, calls, costs, alerts and search. Each answer is a page. */
export function registerViews(app: FastifyInstance, ports: ViewsSource): void {
  const { views } = ports;

  app.get(
    "/api/sessions",
    reads("sessions, newest activity first", listedSchema(sessionViewSchema), { querystring: sessionsQuery }),
    async ({ query: given }) => {
      const { wait, id, roots, ...filter } = given;
      if (id === undefined)
        return answer(ports, wait, () => listSessions(ports, { ...filter, ...(roots === "true" ? { roots: true } : {}) }));
      return answer(ports, wait, async () => {
        const found = (await views.find(id)).filter(({ protocol }) => filter.protocol?.includes(protocol) ?? true);
        return { items: found.slice(0, filter.limit).map((session) => withWaiting(ports, session)) };
      });
    },
  );

  registerSession(app, ports);

  app.get(
    "/api/lanes",
    reads("what sessions did since a time, newest activity first", listedSchema(laneSchema), { querystring: lanesQuery }),
    async ({ query: { wait, ...given } }) =>
      answer(ports, wait, async () => {
        const { items, ...rest } = await views.lanes(given);
        return { ...rest, items: items.map((lane) => ({ ...lane, session: withWaiting(ports, lane.session) })) };
      }),
  );

  app.get(
    "/api/costs",
    reads("costs and tokens, as they were supplied", costTableSchema, { querystring: costsQuery }),
    async ({ query: { wait, ...given } }) => answer(ports, wait, () => views.costs(given)),
  );

  app.get(
    "/api/alerts",
    reads("alerts, newest first", listedSchema(alertSchema), { querystring: alertsQuery }),
    async ({ query: { wait, ...given } }) => answer(ports, wait, () => views.alerts(given)),
  );

  app.get(
    "/api/search",
    reads("full text, newest first", listedSchema(searchHitSchema), { querystring: searchQuery }),
    async ({ query: { wait, ...given } }) => answer(ports, wait, () => views.search(given)),
  );
}

function registerSession(app: FastifyInstance, ports: ViewsSource): void {
  const { views } = ports;

  app.get(
    "/api/sessions/:key",
    reads("one session", sessionViewSchema, { params, querystring: waitQuery }),
    async ({ params: { key }, query: { wait } }) => answer(ports, wait, async () => withWaiting(ports, await theSession(views, key))),
  );

  app.get(
    "/api/sessions/:key/story",
    reads("what happened in a session, in its order", storyPageSchema, { params, querystring: storyQuery }),
    async ({ params: { key }, query: { wait, ...given } }) => {
      const part = readStoryPart(given);
      return answer(ports, wait, async () => {
        await theSession(views, key);
        return views.story({ session: key, ...part });
      });
    },
  );

  app.get(
    "/api/sessions/:key/calls",
    reads("the calls of a session", listedSchema(callViewSchema), { params, querystring: pageQuery }),
    async ({ params: { key }, query: { wait, ...page } }) =>
      answer(ports, wait, async () => {
        await theSession(views, key);
        return views.calls({ session: key, ...page });
      }),
  );

  app.get(
    "/api/sessions/:key/course",
    reads("all of a session over time, in equal parts", courseSchema, { params, querystring: courseQuery }),
    async ({ params: { key }, query: { wait, buckets } }) =>
      answer(ports, wait, async () => (await views.course({ session: key, buckets })) ?? unknownSession(key)),
  );

  app.get(
    "/api/sessions/:key/tree",
    reads("the tree of sessions that one belongs to", treeSchema, { params, querystring: waitQuery }),
    async ({ params: { key }, query: { wait } }) =>
      answer(ports, wait, async () => {
        await theSession(views, key);
        const { nodes, cut } = await views.tree(key);
        return { nodes: nodes.map((node) => withWaiting(ports, node)), cut };
      }),
  );

  app.get(
    "/api/sessions/:key/grade",
    reads("how a session keeps the rules of its protocol", gradeSchema, { params, querystring: waitQuery }),
    async ({ params: { key }, query: { wait } }) => answer(ports, wait, async () => (await views.grade(key)) ?? unknownSession(key)),
  );
}

/** Answers when the views include everything stored before the request; otherwise `behind` is the number of missing entries. */
async function answer<Value extends object>(
  ports: ViewsSource,
  wait: number | undefined,
  read: () => Promise<Value>,
): Promise<Value & { readonly behind?: number }> {
  const head = await waitFor(wait, ports);
  const value = await read();
  const behind = head - ports.views.position;
  return behind > 0 ? { ...value, behind } : value;
}

interface StoryPart extends Pick<ViewsStoryQuery, "limit" | "after" | "from"> {
  readonly last?: number;
  readonly before?: number;
}

/** The part of a story: from its start, from a position, or the last items before a position or the end. */
function readStoryPart({ last, before, limit, ...forwards }: StoryPart): Omit<ViewsStoryQuery, "session"> {
  if (last === undefined && before === undefined) return { ...forwards, limit };
  const name = last === undefined ? "before" : "last";
  const [other] = Object.keys(forwards);
  if (other !== undefined) {
    const hint = "It reads backwards from the end; leave one of them out.";
    throw new EarshotError({ code: "WRONG_QUERY", message: `\`${name}\` cannot be given together with \`${other}\`.`, hint });
  }
  return { limit: last ?? limit, before: before ?? "end" };
}

/** Waits a while until the views include what is stored by now, and returns the newest position; `behind` says what is missing. */
export async function catchUp(ledger: Pick<Ledger, "head">, views: Pick<Views, "caughtUp">): Promise<number> {
  const head = await ledger.head();
  await views.caughtUp(head, AbortSignal.timeout(CAUGHT_UP_MS)).catch(() => {});
  return head;
}

/** Returns the position the answer should include. */
async function waitFor(wanted: number | undefined, { ledger, views }: ViewsSource): Promise<number> {
  if (wanted === undefined) return catchUp(ledger, views);
  try {
    await views.caughtUp(wanted, AbortSignal.timeout(WAIT_MS));
  } catch (error) {
    if (EarshotError.is(error)) throw error;
    const message = `Position ${wanted} is not in the views yet; they have come to ${views.position} of ${await ledger.head()}.`;
    throw new EarshotError({ code: "VIEWS_UNAVAILABLE", message, hint: "Ask again, or without `wait`." }, { cause: error });
  }
  return wanted;
}

const AT_WORK: readonly SessionStatus[] = ["running", "idle", "stalled"];

/** A session with an open hook request is waiting, whatever its events say. */
function withWaiting<Session extends SessionView>({ isWaiting }: ViewsSource, session: Session): Session {
  const { protocol, source, id, status } = session;
  return AT_WORK.includes(status) && isWaiting({ protocol, source, session: id }) ? { ...session, status: "waiting" } : session;
}

async function listSessions(ports: ViewsSource, { status, ...query }: SessionsQuery): Promise<Listed<SessionView>> {
  if (status === undefined) {
    const page = await ports.views.sessions(query);
    return { ...page, items: page.items.map((session) => withWaiting(ports, session)) };
  }
  const looked = status.includes("waiting") ? [...new Set([...status, ...AT_WORK])] : status;
  const page = await ports.views.sessions({ ...query, status: looked });
  return { ...page, items: page.items.map((session) => withWaiting(ports, session)).filter((session) => status.includes(session.status)) };
}

async function theSession(views: Views, key: number): Promise<SessionView> {
  return (await views.session(key)) ?? unknownSession(key);
}

function unknownSession(key: number): never {
  const hint = "`/api/sessions` lists those that are there.";
  throw new EarshotError({ code: "NOT_FOUND", message: `There is no session with the key ${key}.`, hint });
}
