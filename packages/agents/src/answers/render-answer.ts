import type { AepResponse } from "@earshot/protocol";
import type { Behavior } from "@earshot/protocol/aep";
import { isObject, type JsonObject, type JsonValue } from "@earshot/protocol/json";
import { toJsonText } from "../mapping/coerce.ts";
import { isList } from "../mapping/json-values.ts";
import type { Addition, CompiledAnswers, HookAnswers, Reply } from "./answers.ts";
import { descend, type Landing, type Loss } from "./ladder.ts";

/** What a hook prints and how it ends. */
export interface Rendering {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Left out when everything could be said. */
  readonly degraded?: Degradation;
}

export interface Degradation {
  readonly requested: Behavior;
  /** What the agent was told instead, or what it makes of it. */
  readonly rendered: Behavior;
  readonly lost: readonly Loss[];
}

export interface RenderContext {
  /** A run without a person: some answers are understood only then. */
  readonly headless?: boolean;
  /** Whether a question of the agent's own would reach a person; it would unless somebody knows better. */
  readonly asks?: boolean;
  /** The input that the agent asked about, to know whether a changed one can be laid over it. */
  readonly input?: JsonValue | undefined;
}

/**
 * A response as one agent reads it, at one hook. Pure and total. What the agent cannot be told becomes the nearest thing that
 * it can, never one that lets more happen than was decided, and the rendering says what was lost.
 */
export function renderAnswer(
  compiled: CompiledAnswers,
  hookName: string | undefined,
  response: AepResponse,
  context: RenderContext = {},
): Rendering {
  const hook = hookName === undefined ? undefined : compiled.answersOf(hookName);
  const { control } = response;
  const requested = control.behavior;
  if (hook === undefined) {
    const neutral = renderNeutral(compiled);
    if (requested === "abstain" && !saysMore(response)) return neutral;
    return {
      ...neutral,
      degraded: { requested, rendered: "abstain", lost: [{ what: "behavior", why: "The agent knows no answers to this hook." }] },
    };
  }
  const landing = landOn(requested, hook, response, context);
  return speak(compiled, { hook, name: hookName ?? "", response, landing });
}

/** What a behaviour comes to at a hook, before anything is decided: whether the agent can ask here, or be told to go ahead. */
export function comesTo(
  compiled: CompiledAnswers,
  hookName: string,
  behavior: Behavior,
  { headless = false, asks = true }: RenderContext = {},
): Behavior {
  const hook = compiled.answersOf(hookName);
  return hook === undefined ? "abstain" : descend(behavior, hook, { headless, asks, hasUpdatedInput: false }).behavior;
}

/** The answer that changes nothing: for when Earshot has no opinion, or has failed. */
export function renderNeutral({ answers }: CompiledAnswers): Rendering {
  const nothing = { message: undefined, updated_input: undefined, additional_context: undefined };
  return renderReply(answers.neutral, [], { ...nothing, reason: NO_REASON, hook: "" });
}

/** The response with what became of it on the way to the agent, for the record. */
export function withRendering(response: AepResponse, { degraded }: Rendering): AepResponse {
  if (degraded === undefined) return response;
  return { ...response, extensions: { ...response.extensions, "x-rendered": degraded } };
}

/** Where the behaviour ends up; a changed input that cannot be handed over refuses, so that the original never runs unseen. */
function landOn(requested: Behavior, hook: HookAnswers, { control }: AepResponse, context: RenderContext): Landing {
  const { headless = false, asks = true, input } = context;
  const changed = control.updated_input as JsonValue | undefined;
  const landing = descend(requested, hook, { headless, asks, hasUpdatedInput: changed !== undefined });
  if (changed === undefined || (requested !== "allow" && requested !== "ask")) return landing;
  const why = whyNotChanged(changed, landing, hook, input);
  if (why === undefined) return landing;
  const isAction = hook.moment === "before_action" || hook.moment === "permission";
  const without = descend(isAction ? "deny" : requested, hook, { headless, asks, hasUpdatedInput: false });
  return { ...without, losses: [{ what: "updated_input", why }, ...without.losses] };
}

function whyNotChanged(
  changed: JsonValue,
  { said, reply }: Landing,
  { updatedInput }: HookAnswers,
  input: JsonValue | undefined,
): string | undefined {
  if (updatedInput === undefined) return "The agent takes no changed input here.";
  if (reply === undefined || !updatedInput.with.includes(said)) return "The agent takes a changed input only with another answer.";
  if (!isObject(changed)) return "The agent takes only an object as input.";
  if (!updatedInput.merges || !isObject(input)) return undefined;
  const removed = Object.keys(input).find((name) => !Object.hasOwn(changed, name));
  return removed === undefined ? undefined : "The agent lays a changed input over its own, so that nothing can be taken away.";
}

interface Speech {
  readonly hook: HookAnswers;
  readonly name: string;
  readonly response: AepResponse;
  readonly landing: Landing;
}

function speak({ answers }: CompiledAnswers, { hook, name, response, landing }: Speech): Rendering {
  const { control } = response;
  const { said } = landing;
  const reply = landing.reply ?? answers.neutral;
  const losses = [...landing.losses];
  const additions: JsonValue[] = [];
  const add = (place: Addition | undefined): boolean => {
    if (place?.with.includes(said) !== true || !canMerge(reply.stdout, place.stdout)) return false;
    additions.push(place.stdout);
    return true;
  };
  const canExplain = mentions(reply.stdout, "message", "reason") || mentions(reply.stderr, "message", "reason");
  const explanation = canExplain ? explain(response, landing) : [];
  const context = control.additional_context === undefined || control.additional_context === "" ? [] : [control.additional_context];

  if (control.updated_input !== undefined && !losses.some(({ what }) => what === "updated_input") && !add(hook.updatedInput)) {
    losses.push({ what: "updated_input", why: "A changed input means nothing with this answer." });
  }
  const { message } = control;
  if (!canExplain && message !== undefined && message !== "") {
    if (add(hook.note)) explanation.push(message);
    else if (isRefusal(control.behavior) && hook.additionalContext?.with.includes(said) === true) {
      context.push(message);
      losses.push({ what: "message", why: "It is told as context instead." });
    } else losses.push({ what: "message", why: "The agent has no place for a message with this answer." });
  }
  if (context.length > 0 && !add(hook.additionalContext)) {
    const isTold = canExplain && isRefusal(landing.behavior);
    if (isTold) explanation.push(...context);
    const why = isTold ? "It is told in the message instead." : "The agent takes no context with this answer.";
    losses.push({ what: "additional_context", why });
    context.length = 0;
  }
  const fillings = {
    hook: name,
    updated_input: control.updated_input as JsonValue | undefined,
    message: clip(explanation, answers.limits.message, () => losses.push({ what: "message", why: CUT })),
    additional_context: clip(context, answers.limits.context, () => losses.push({ what: "additional_context", why: CUT })),
  };
  const rendering = renderReply(reply, additions, { ...fillings, reason: fillings.message ?? NO_REASON });
  if (losses.length === 0) return rendering;
  return { ...rendering, degraded: { requested: control.behavior, rendered: landing.behavior, lost: losses } };
}

const CUT = "It was cut: the agent takes no longer one.";
const NO_REASON = "No reason was given.";

/** What is told beside the answer, and why the answer is another one than was decided. */
function explain({ control, decision }: AepResponse, { behavior, losses }: Landing): string[] {
  const words = control.message ?? decision?.feedback ?? decision?.reason;
  const explanation = words === undefined || words === "" ? [] : [words];
  if (!isRefusal(behavior)) return explanation;
  if (control.behavior === "ask" || control.behavior === "defer")
    explanation.push("A person has to confirm this first, and cannot be asked from here.");
  if (control.behavior === "stop" && behavior !== "stop") explanation.push("Please do nothing more and end the run.");
  if (losses.some(({ what }) => what === "updated_input")) {
    explanation.push(`Do it with this input instead: ${toJsonText(control.updated_input as JsonValue) ?? ""}`);
  }
  return explanation;
}

function isRefusal(behavior: Behavior): boolean {
  return behavior === "deny" || behavior === "block" || behavior === "stop";
}

function saysMore({ control }: AepResponse): boolean {
  return control.message !== undefined || control.updated_input !== undefined || control.additional_context !== undefined;
}

function renderReply({ exit = 0, stdout, stderr }: Reply, additions: readonly JsonValue[], fillings: Fillings): Rendering {
  const template = additions.reduce<JsonValue | undefined>(merge, stdout);
  const filled = template === undefined ? undefined : fill(template, fillings);
  const told = stderr === undefined ? undefined : fill(stderr, fillings);
  return {
    exitCode: exit,
    stdout: filled === undefined ? "" : typeof filled === "string" ? asProse(plain(filled)) : `${JSON.stringify(filled as JsonObject)}\n`,
    stderr: typeof told === "string" ? plain(`${told}\n`) : "",
  };
}

/** A text that begins like JSON would be read as an answer, with whatever it says. */
function asProse(text: string): string {
  return /^\s*[{[]/.test(text) ? `Earshot: ${text}` : text;
}

/** Terminals obey control characters, and a person may look at what a hook prints. */
function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: removing control characters is the purpose
  return text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "").toWellFormed();
}

function clip(texts: readonly string[], most: number, tell: () => void): string | undefined {
  const text = texts.join("\n\n");
  if (text === "") return undefined;
  if (text.length <= most) return text;
  tell();
  return `${text.slice(0, most - 1).toWellFormed()}…`;
}

/** Placeholders that a template may use for a text. */
interface Fillings {
  readonly message: string | undefined;
  /** The message, or what is said when there is none. */
  readonly reason: string;
  readonly updated_input: JsonValue | undefined;
  readonly additional_context: string | undefined;
  readonly hook: string;
}

const PLACEHOLDER = /^\$(message|reason|updated_input|additional_context|hook)$/;

/** A template with its texts filled in; a member without one is left out. */
function fill(template: JsonValue, fillings: Fillings): JsonValue | undefined {
  if (typeof template === "string") {
    const name = PLACEHOLDER.exec(template)?.[1];
    return name === undefined ? template : fillings[name as keyof Fillings];
  }
  if (isList(template)) return template.flatMap((item) => fill(item, fillings) ?? []);
  if (!isObject(template)) return template;
  const filled: Record<string, JsonValue> = {};
  for (const [name, inner] of Object.entries(template)) {
    const value = inner === undefined ? undefined : fill(inner, fillings);
    if (value !== undefined) filled[name] = value;
  }
  return filled;
}

/** Whether a template has a place for one of these. */
function mentions(template: JsonValue | undefined, ...names: readonly (keyof Fillings)[]): boolean {
  if (typeof template === "string") return names.some((name) => template === `$${name}`);
  if (isList(template)) return template.some((item) => mentions(item, ...names));
  return isObject(template) && Object.values(template).some((inner) => mentions(inner, ...names));
}

/** Two templates in one answer. Objects are laid over each other; where they cannot be, the second is not taken. */
function merge(base: JsonValue | undefined, added: JsonValue): JsonValue {
  if (base === undefined) return added;
  if (!isObject(base) || !isObject(added)) return base;
  const merged: Record<string, JsonValue | undefined> = { ...base };
  for (const [name, inner] of Object.entries(added)) {
    const there = Object.hasOwn(merged, name) ? merged[name] : undefined;
    if (inner !== undefined) merged[name] = merge(there, inner);
  }
  return merged as JsonObject;
}

/** Whether both can be said at once. */
function canMerge(base: JsonValue | undefined, added: JsonValue): boolean {
  return base === undefined || (isObject(base) && isObject(added));
}
