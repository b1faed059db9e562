import { readFile } from "node:fs/promises";
import { EarshotError, isObject, type JsonObject, type JsonValue, readJson } from "@earshot/protocol";
import { createUsageError } from "@earshot/terminal/usage";

/** The situations a producer must be brought to, with default prompts. */
export const DEFAULT_PROMPTS = {
  chat: "Hello! Please say something short.",
  tool: "Use a tool: look up the weather in Ilorin.",
  "failing-tool": "Use a tool that does not exist.",
  error: "Please fail on purpose: run into an error.",
  secret: "Call the service with the API key {secret}.",
  confirm: "Send the weekly report by mail. Ask me for confirmation first.",
  irreversible: "Delete the folder old-reports for good.",
  timeout: "Archive last year's mail. Ask me first, and wait 1 second for my answer.",
  clarify: "Book a room. Ask me for clarification: which one?",
  "clarify-yes-no": "Ask me a yes or no question.",
  "clarify-choice": "Let me choose one of several options.",
  "clarify-number": "Ask me how many copies to print.",
  handoff: "I want to talk to a human.",
  long: "Explain in detail, at length, how tides work.",
  busy: "Check all ten services, one tool call after the other.",
} as const;

export type Situation = keyof typeof DEFAULT_PROMPTS;

/** How to reach a situation: a message to the producer, or a command. */
export type Trigger =
  | { readonly send: JsonObject; readonly given: boolean }
  | { readonly run: string; readonly given: true }
  | { readonly wait: true; readonly given: true };

/** A probe of the outside world: a change in its answer shows that something happened. */
export type Probe = { readonly get: string } | { readonly run: string };

export interface Situations {
  readonly triggers: Readonly<Record<Situation, Trigger | undefined>>;
  readonly probe: Probe | undefined;
  /** Another attendant can answer its questions, so they take no default when a subscriber leaves. */
  readonly attended: boolean;
}

export function defaultSituations(): Situations {
  return readSituations({});
}

export async function readSituationsFile(path: string): Promise<Situations> {
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new EarshotError({ code: "FILE_UNREADABLE", message: `${path} cannot be read.` }, { cause });
  });
  const read = readJson(text);
  if (!read.ok) throw new EarshotError({ ...read.problem, message: `${path}: ${read.problem.message}` });
  if (!isObject(read.value)) throw wrong(path, "is not an object");
  return readSituations(read.value, path);
}

/** `{"chat": "words", "tool": {"send": {…}}, "confirm": {"run": "command"}, "busy": null, "probe": {"get": "/world"}}` */
export function readSituations(value: JsonObject, path = "The scenarios"): Situations {
  const triggers: Partial<Record<Situation, Trigger | undefined>> = {};
  for (const [name, words] of Object.entries(DEFAULT_PROMPTS)) {
    if (isSituation(name)) triggers[name] = { send: { kind: "user_input", text: words }, given: false };
  }
  let probe: Probe | undefined;
  let attended = false;
  for (const [name, how] of Object.entries(value)) {
    if (name === "probe") probe = toProbe(how, path);
    else if (name === "attended") attended = how === true;
    else if (!isSituation(name))
      throw wrong(path, `names ${JSON.stringify(name)}, which is none of ${Object.keys(DEFAULT_PROMPTS).join(", ")}, probe, attended`);
    else triggers[name] = toTrigger(name, how, path);
  }
  return { triggers: triggers as Situations["triggers"], probe, attended };
}

function toTrigger(name: string, how: JsonValue | undefined, path: string): Trigger | undefined {
  if (how === null || how === undefined) return undefined; // this producer has no such thing
  if (typeof how === "string") return { send: { kind: "user_input", text: how }, given: true };
  if (isObject(how)) {
    if (isObject(how["send"])) return { send: how["send"], given: true };
    if (typeof how["run"] === "string") return { run: how["run"], given: true };
    if (how["wait"] === true) return { wait: true, given: true };
  }
  throw wrong(path, `does not say how to reach ${name}: give words, or {"send": object}, {"run": command}, {"wait": true}, or null`);
}

function toProbe(how: JsonValue | undefined, path: string): Probe {
  if (isObject(how)) {
    if (typeof how["get"] === "string") return { get: how["get"] };
    if (typeof how["run"] === "string") return { run: how["run"] };
  }
  throw wrong(path, 'has a probe that is neither {"get": path} nor {"run": command}');
}

function isSituation(name: string): name is Situation {
  return Object.hasOwn(DEFAULT_PROMPTS, name);
}

function wrong(path: string, what: string): EarshotError {
  return new EarshotError({ code: "WRONG_USAGE", message: `${path} ${what}.`, hint: "docs/check-live.md describes the file." });
}

/** How long a drive waits, and for what. Everything else depends on what arrives, never on how fast. */
export interface DrivePatience {
  /** Time for something that must come. */
  readonly answerMs: number;
  /** Silence of this length counts as nothing coming. Later events still count. */
  readonly quietMs: number;
  /** How much later a critical event may reach a subscription under pressure. */
  readonly criticalMs: number;
  /** How long a producer is observed under a rate limit. */
  readonly rateMs: number;
  /** How long after a close the default of an open question may take, because a producer may wait for a resumption. */
  readonly graceMs: number;
  /** Maximum clock difference between two machines. */
  readonly clockMs: number;
  /** How long an unread connection is filled. */
  readonly fillMs: number;
}

export const DEFAULT_PATIENCE: DrivePatience = {
  answerMs: 10_000,
  quietMs: 800,
  criticalMs: 3000,
  rateMs: 3000,
  graceMs: 12_000,
  clockMs: 60_000,
  fillMs: 20_000,
};

export function readLevel(text: string): 1 | 2 | 3 {
  if (text === "1") return 1;
  if (text === "2") return 2;
  if (text === "3") return 3;
  throw createUsageError(`--level cannot be ${JSON.stringify(text)}.`, "Choose one of 1, 2, 3.");
}

const LONGEST_SECONDS = 600;

export function readSeconds(option: string, text: string): number {
  const seconds = Number(text);
  if (text.trim() !== "" && seconds > 0 && seconds <= LONGEST_SECONDS) return seconds;
  throw createUsageError(`${option} cannot be ${JSON.stringify(text)}.`, `Give a number of seconds, up to ${LONGEST_SECONDS}.`);
}
