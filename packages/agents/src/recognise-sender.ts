import { AGENT_ALIASES, AGENT_SIGNS, type SenderSign } from "@earshot/protocol/coding-agents";
import { isObject, type JsonObject } from "@earshot/protocol/json";

export interface SenderClues {
  /** The agent the hook was registered for. */
  readonly registered?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export interface Sender {
  readonly slug: string;
  /** The evidence that identified the agent. */
  readonly by: "payload" | "environment" | "registration" | "shape";
}

/**
 * Identifies the agent that sent a payload. Agents run hooks that were registered for another one (Cursor, Copilot, VS Code and Devin
 * read Claude Code's settings) with payloads of their own, and the answer must fit the sender. Signs unique to one agent take precedence
 * over the registration; signs shared by many do not.
 */
export function recogniseSender(payload: JsonObject, { registered, env = {} }: SenderClues = {}): Sender {
  const own = findSender((slug) => AGENT_SIGNS[slug]?.signs, payload, env);
  if (own !== undefined) {
    const alike = [own.slug, ...(AGENT_SIGNS[own.slug]?.alike ?? [])];
    return registered !== undefined && alike.length > 1 && alike.includes(registered)
      ? { slug: registered, by: "registration" }
      : { slug: own.slug, by: "payload" };
  }
  const borrowed = findSender((slug) => borrowedSigns(slug, registered ?? MOST_COPIED), payload, env);
  if (borrowed !== undefined) return { slug: borrowed.slug, by: borrowed.sign.env === undefined ? "payload" : "environment" };
  return registered === undefined ? { slug: MOST_COPIED, by: "shape" } : { slug: registered, by: "registration" };
}

/** Most other agents copied this agent's payloads, so a payload without signs is assumed to be its own. */
const MOST_COPIED = "claude";

type Environment = Readonly<Record<string, string | undefined>>;

function borrowedSigns(slug: string, registered: string): readonly SenderSign[] | undefined {
  const borrows = AGENT_SIGNS[slug]?.borrows;
  return borrows?.of === registered ? borrows.signs : undefined;
}

/** The first agent with a matching sign that does not also belong to an agent of higher precedence. */
function findSender(signsOf: (slug: string) => readonly SenderSign[] | undefined, payload: JsonObject, env: Environment) {
  const shown = Object.keys(AGENT_SIGNS).flatMap((slug) => {
    const sign = signsOf(slug)?.find((one) => shows(one, payload, env));
    return sign === undefined ? [] : [{ slug, sign }];
  });
  return shown.find(({ slug }) => !shown.some((other) => AGENT_SIGNS[other.slug]?.before?.includes(slug) === true));
}

function shows({ env: variable, has = [], lacks = [], matches = {} }: SenderSign, payload: JsonObject, env: Environment): boolean {
  return (
    (variable === undefined || isSet(variable, env)) &&
    has.every((name) => hasMember(payload, name)) &&
    !lacks.some((name) => hasMember(payload, name)) &&
    Object.entries(matches).every(([name, pattern]) => {
      const text = payload[name];
      return typeof text === "string" && new RegExp(pattern).test(text);
    })
  );
}

/** `name`, or `outer.inner`. */
function hasMember(payload: JsonObject, path: string): boolean {
  const [name = "", inner] = path.split(".");
  if (!Object.hasOwn(payload, name)) return false;
  const value = payload[name];
  return inner === undefined || (isObject(value) && Object.hasOwn(value, inner));
}

/** `NAME` is set, or equals VALUE in `NAME=VALUE`. */
function isSet(variable: string, env: Environment): boolean {
  const [name = "", value] = variable.split("=");
  return value === undefined ? (env[name] ?? "") !== "" : env[name] === value;
}

const SLUG = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/** The slug of an agent for any of its names; undefined for an invalid name. */
export function toSlug(name: string): string | undefined {
  const plain = name.trim().toLowerCase();
  const slug = Object.hasOwn(AGENT_ALIASES, plain) ? AGENT_ALIASES[plain] : plain;
  return slug !== undefined && SLUG.test(slug) ? slug : undefined;
}
