import { EarshotError, isProtocolName, nearest, type ProtocolName } from "@earshot/protocol";
import {
  ALERT_TYPES,
  type AlertsQuery,
  COST_GROUPS,
  type CostsQuery,
  SESSION_STATUSES,
  type SearchQuery,
  type SessionsQuery,
  type StoryQuery,
} from "../views/views.ts";

const LISTED = 50;
const MOST_LISTED = 200;
const MAX_TEXT = 1000;

/** Reads the parameters of an address, and refuses what is unknown: a filter that was misspelt must not show everything instead. */
export class ViewsParameters {
  readonly #parameters: URLSearchParams;

  constructor(url: string, allowed: readonly string[]) {
    this.#parameters = new URLSearchParams(url.split("?").slice(1).join("?"));
    const known = ["wait", ...allowed];
    for (const name of this.#parameters.keys()) {
      if (known.includes(name)) continue;
      const [near] = nearest(name, known);
      throw wrong(name, "is not known here", near === undefined ? `There are ${known.join(", ")}.` : `Did you mean \`${near}\`?`);
    }
  }

  text(name: string): string | undefined {
    const values = this.#parameters.getAll(name);
    const [value] = values;
    if (values.length > 1) throw wrong(name, "was given more than once", "Give it once.");
    if (value === "") throw wrong(name, "is empty", "Give it a value, or leave it out.");
    if (value !== undefined && value.length > MAX_TEXT) throw wrong(name, "is too long", `At most ${MAX_TEXT} characters.`);
    return value;
  }

  /** A whole number; milliseconds, keys and positions are. */
  number(name: string, least = 0): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    if (!Number.isSafeInteger(number) || number < least) throw wrong(name, "is no whole number", `Digits only, from ${least} on.`);
    return number;
  }

  limit(): number {
    return Math.min(this.number("limit", 1) ?? LISTED, MOST_LISTED);
  }

  oneOf<Word extends string>(name: string, words: readonly Word[]): Word | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : this.#word(name, text, words);
  }

  /** Separated by commas, or given several times. */
  several<Word extends string>(name: string, words: readonly Word[]): readonly Word[] | undefined {
    if (!this.#parameters.has(name)) return undefined;
    const given = this.#parameters.getAll(name).flatMap((value) => value.split(","));
    return [...new Set(given.map((one) => this.#word(name, one, words)))];
  }

  #word<Word extends string>(name: string, text: string, words: readonly Word[]): Word {
    const found = words.find((word) => word === text);
    if (found === undefined) throw wrong(name, `cannot be ${JSON.stringify(text.slice(0, 80))}`, `There are ${words.join(", ")}.`);
    return found;
  }

  protocol(): ProtocolName | undefined {
    const text = this.text("protocol");
    if (text === undefined || isProtocolName(text)) return text;
    throw wrong("protocol", `cannot be ${JSON.stringify(text.slice(0, 80))}`, "There are aaep, aep, aop.");
  }

  day(name: string): string | undefined {
    const text = this.text(name);
    const isDay = text === undefined || (/^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`)));
    if (!isDay) throw wrong(name, "is no day", "Write it as 2026-11-15.");
    return text;
  }

  /** The `next` of another answer. */
  cursor(pattern: RegExp): string | undefined {
    const text = this.text("after");
    if (text === undefined || pattern.test(text)) return text;
    throw wrong("after", "is not the `next` of another answer", "Take it from there as it is, or leave it out for the first page.");
  }
}

const PAIR = /^-?\d{1,17}_\d{1,17}$/;
export const CALL_CURSOR = /^\d{1,16}_/;
const ANYTHING = /./s;

export const SESSIONS_PARAMETERS = ["id", "status", "protocol", "agent", "since", "roots", "after", "limit"];

export function readSessionsQuery(given: ViewsParameters): SessionsQuery {
  const roots = given.oneOf("roots", ["true", "false"] as const);
  return {
    limit: given.limit(),
    ...asked("after", given.cursor(PAIR)),
    ...asked("status", given.several("status", SESSION_STATUSES)),
    ...asked("protocol", given.several("protocol", ["aaep", "aep", "aop"] as const)),
    ...asked("agent", given.text("agent")),
    ...asked("since", given.number("since")),
    ...(roots === "true" ? { roots: true } : {}),
  };
}

export const STORY_PARAMETERS = ["after", "from", "last", "before", "limit"];

/** Which part of a story: from its beginning, from somewhere on, or its end, also before a position. */
export function readStoryPart(given: ViewsParameters): Omit<StoryQuery, "session"> {
  const last = given.number("last", 1);
  const before = given.number("before");
  if (last === undefined && before === undefined) {
    return { limit: given.limit(), ...asked("after", given.cursor(PAIR)), ...asked("from", given.number("from")) };
  }
  const name = last === undefined ? "before" : "last";
  const other = ["after", "from"].find((one) => given.text(one) !== undefined);
  if (other !== undefined)
    throw wrong(name, `cannot be given together with \`${other}\``, "It reads backwards from the end; leave one of them out.");
  return { limit: last === undefined ? given.limit() : Math.min(last, MOST_LISTED), before: before ?? "end" };
}

export const COSTS_PARAMETERS = ["by", "session", "from", "to", "limit"];

export function readCostsQuery(given: ViewsParameters): CostsQuery {
  return {
    by: given.oneOf("by", COST_GROUPS) ?? "session",
    limit: given.limit(),
    ...asked("session", given.number("session", 1)),
    ...asked("from", given.day("from")),
    ...asked("to", given.day("to")),
  };
}

export const ALERTS_PARAMETERS = ["session", "type", "after", "limit"];

export function readAlertsQuery(given: ViewsParameters): AlertsQuery {
  return {
    limit: given.limit(),
    ...asked("session", given.number("session", 1)),
    ...asked("type", given.several("type", ALERT_TYPES)),
    ...asked("after", given.cursor(PAIR)),
  };
}

export const SEARCH_PARAMETERS = ["text", "session", "agent", "type", "since", "until", "order", "after", "limit"];

export function readSearchQuery(given: ViewsParameters): SearchQuery {
  const text = given.text("text");
  if (text === undefined) throw wrong("text", "is missing", "What to look for: words, or a phrase in quotes.");
  return {
    text,
    limit: given.limit(),
    ...asked("session", given.number("session", 1)),
    ...asked("agent", given.text("agent")),
    ...asked("type", given.text("type")),
    ...asked("since", given.number("since")),
    ...asked("until", given.number("until")),
    ...asked("order", given.oneOf("order", ["newest", "relevance"] as const)),
    ...asked("after", given.cursor(ANYTHING)),
  };
}

export function asked<Name extends string, Value>(name: Name, value: Value | undefined): { readonly [Key in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [Key in Name]: Value });
}

export function wrong(name: string, what: string, hint: string): EarshotError {
  return new EarshotError({ code: "WRONG_QUERY", message: `\`${name.slice(0, 80)}\` ${what}.`, hint });
}
