import type { FilledHub } from "./filled-hub.ts";
import type { History } from "./history.ts";

export interface Question {
  readonly name: string;
  /** How many times as long the answer may take when much is stored; left out where the answer is another one then. */
  readonly atMost?: number;
  /** What is asked of a hub, in turns. */
  readonly paths: (hub: FilledHub, history: History) => Promise<readonly string[]> | readonly string[];
}

const VIEW = 1.5;
const SEARCH = 2;
const search = (text: string, more = "") => `/api/search?text=${encodeURIComponent(text)}&limit=20${more}`;
/** Ranks of words: in about every other entry; in about every hundredth; in a few of ten thousand. */
const FREQUENT = [0, 1, 2, 3, 4];
const MIDDLING = [100, 130, 160, 190, 220];
const RARE = [2500, 2600, 2700, 2800, 2900];

const MANY = 40;

export const QUESTIONS: readonly Question[] = [
  { name: "the list of sessions", atMost: VIEW, paths: () => ["/api/sessions?limit=50"] },
  {
    name: "one page of a session",
    atMost: VIEW,
    paths: async (hub) => (await someSessions(hub)).map((key) => `/api/sessions/${key}/story?limit=25`),
  },
  {
    name: "the tree of a session",
    atMost: VIEW,
    paths: async (hub) => (await someSessions(hub)).map((key) => `/api/sessions/${key}/tree`),
  },
  { name: "costs by session", atMost: VIEW, paths: () => ["/api/costs?by=session&limit=20"] },
  { name: "costs by tool", atMost: VIEW, paths: () => ["/api/costs?by=tool&limit=20"] },
  { name: "costs by day", atMost: VIEW, paths: () => ["/api/costs?by=day&limit=20"] },
  { name: "search, a frequent word", atMost: SEARCH, paths: (_, history) => FREQUENT.map((rank) => search(history.word(rank))) },
  { name: "search, a middling word", atMost: SEARCH, paths: (_, history) => MIDDLING.map((rank) => search(history.word(rank))) },
  { name: "search, a rare word", paths: (_, history) => RARE.map((rank) => search(history.word(rank))) },
  { name: "search, a word that nobody said", atMost: SEARCH, paths: () => [search("unsaid"), search('"never unsaid"')] },
  {
    name: "search, two words",
    atMost: SEARCH,
    paths: (_, history) => MIDDLING.map((rank) => search(`${history.word(rank)} ${history.word(rank % 10)}`)),
  },
  {
    name: "search, a phrase",
    atMost: SEARCH,
    paths: (_, history) => FREQUENT.map((rank) => search(`"${history.word(rank)} ${history.word(rank + 1)}"`)),
  },
  {
    name: "search, an old page of a frequent word",
    atMost: SEARCH,
    paths: (hub, history) => FREQUENT.map((rank) => search(history.word(rank), `&after=${Math.floor(hub.events / 2)}`)),
  },
  {
    name: "search within a session",
    atMost: SEARCH,
    paths: async (hub, history) => (await someSessions(hub)).map((key, index) => search(history.word(index % 3), `&session=${key}`)),
  },
  // Orders up to 2,000 matches; where little is stored, there are fewer.
  {
    name: "search by relevance, a middling word",
    paths: (_, history) => MIDDLING.map((rank) => search(history.word(rank), "&order=relevance")),
  },
];

/** Keys of sessions from all over the history, the oldest among them. Keys are counted from 1. */
async function someSessions(hub: FilledHub): Promise<readonly number[]> {
  const { value } = await hub.get("/api/sessions?limit=50");
  const newest = Math.max(...(value["items"] as readonly { readonly key: number }[]).map(({ key }) => key));
  return Array.from({ length: MANY }, (_, index) => Math.max(1, Math.floor((newest * (index + 1)) / MANY)));
}
