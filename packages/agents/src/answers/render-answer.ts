import type { AepResponse } from "@earshot/protocol";
import type { Behavior } from "@earshot/protocol/aep";
import { isObject, type JsonObject, type JsonValue } from "@earshot/protocol/json";
import { toJsonText } from "../mapping/coerce.ts";
import { isList } from "../mapping/json-values.ts";
import type { CompiledAnswers, HookAnswers, HookReply, ReplyAddition } from "./answers.ts";
import { type BehaviorLoss, findNearestBehavior, type NearestBehavior } from "./find-nearest-behavior.ts";

/** The output and exit code of a hook. */
export interface RenderedAnswer {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Left out when the agent could express everything. */
  readonly degraded?: Degradation;
}

export interface Degradation {
  readonly requested: Behavior;
  /** The behavior the agent was given instead. */
  readonly rendered: Behavior;
  readonly lost: readonly BehaviorLoss[];
}

export interface AnswerContext {
  /** A run without a person; some answers are understood only there. */
  readonly headless?: boolean;
  /** Whether the agent's own prompt would reach a person. Default: true. */
  readonly asks?: boolean;
  /** The input the agent asked about, needed to decide whether a changed one can be merged into it. */
  readonly input?: JsonValue | undefined;
}

/**
 * Renders a response for one agent at one hook. Pure and total. A behavior the agent cannot express becomes the nearest one that permits
 * no more than was decided, and the rendering reports the loss.
 */
export function renderAnswer(
  compiled: CompiledAnswers,
  hookName: string | undefined,
  response: AepResponse,
  context: AnswerContext = {},
): RenderedAnswer {
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

/** The behavior that results at a hook before anything is decided, for example whether the agent can prompt or be told to proceed. */
export function findResultingBehavior(
  compiled: CompiledAnswers,
  hookName: string,
  behavior: Behavior,
  { headless = false, asks = true }: AnswerContext = {},
): Behavior {
  const hook = compiled.answersOf(hookName);
  return hook === undefined ? "abstain" : findNearestBehavior(behavior, hook, { headless, asks, hasUpdatedInput: false }).behavior;
}

export function renderNeutral({ answers }: CompiledAnswers): RenderedAnswer {
  const nothing = { message: undefined, updated_input: undefined, additional_context: undefined };
  return renderReply(answers.neutral, [], { ...nothing, reason: NO_REASON, hook: "" });
}

/** Adds the rendered behavior to the response, for the record. */
export function withRendering(response: AepResponse, { degraded }: RenderedAnswer): AepResponse {
  if (degraded === undefined) return response;
  return { ...response, extensions: { ...response.extensions, "x-rendered": degraded } };
}

/** Finds the resulting behavior. A changed input that cannot be delivered becomes a refusal, so the original never runs unseen. */
function landOn(requested: Behavior, hook: HookAnswers, { control }: AepResponse, context: AnswerContext): NearestBehavior {
  const { headless = false, asks = true, input } = context;
  const changed = control.updated_input as JsonValue | undefined;
  const landing = findNearestBehavior(requested, hook, { headless, asks, hasUpdatedInput: changed !== undefined });
  if (changed === undefined || (requested !== "allow" && requested !== "ask")) return landing;
  const why = whyNotChanged(changed, landing, hook, input);
  if (why === undefined) return landing;
  const isAction = hook.moment === "before_action" || hook.moment === "permission";
  const without = findNearestBehavior(isAction ? "deny" : requested, hook, { headless, asks, hasUpdatedInput: false });
  return { ...without, losses: [{ what: "updated_input", why }, ...without.losses] };
}

function whyNotChanged(
  changed: JsonValue,
  { said, reply }: NearestBehavior,
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
  readonly landing: NearestBehavior;
}

function speak({ answers }: CompiledAnswers, { hook, name, response, landing }: Speech): RenderedAnswer {
  const { control } = response;
  const { said } = landing;
  const reply = landing.reply ?? answers.neutral;
  const losses = [...landing.losses];
  const additions: JsonValue[] = [];
  const add = (place: ReplyAddition | undefined): boolean => {
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

/** The text that accompanies the answer and the reason why it differs from the decision. */
function explain({ control, decision }: AepResponse, { behavior, losses }: NearestBehavior): string[] {
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

function renderReply({ exit = 0, stdout, stderr }: HookReply, additions: readonly JsonValue[], fillings: Fillings): RenderedAnswer {
  const template = additions.reduce<JsonValue | undefined>(merge, stdout);
  const filled = template === undefined ? undefined : fill(template, fillings);
  const told = stderr === undefined ? undefined : fill(stderr, fillings);
  return {
    exitCode: exit,
    stdout: filled === undefined ? "" : typeof filled === "string" ? asProse(plain(filled)) : `${JSON.stringify(filled as JsonObject)}\n`,
    stderr: typeof told === "string" ? plain(`${told}\n`) : "",
  };
}

/** Agents parse a text that begins like JSON as an answer. */
function asProse(text: string): string {
  return /^\s*[{[]/.test(text) ? `Earshot: ${text}` : text;
}

/** Terminals obey control characters, and people may look at a hook's output. */
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

interface Fillings {
  readonly message: string | undefined;
  /** The message, or a default text. */
  readonly reason: string;
  readonly updated_input: JsonValue | undefined;
  readonly additional_context: string | undefined;
  readonly hook: string;
}

const PLACEHOLDER = /^\$(message|reason|updated_input|additional_context|hook)$/;

/** Fills in a template. A member whose placeholder has no value is left out. */
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

function mentions(template: JsonValue | undefined, ...names: readonly (keyof Fillings)[]): boolean {
  if (typeof template === "string") return names.some((name) => template === `$${name}`);
  if (isList(template)) return template.some((item) => mentions(item, ...names));
  return isObject(template) && Object.values(template).some((inner) => mentions(inner, ...names));
}

/** Merges two templates into one answer. Objects are merged; otherwise the second template is dropped. */
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

/** Whether both templates fit into one answer. */
function canMerge(base: JsonValue | undefined, added: JsonValue): boolean {
  return base === undefined || (isObject(base) && isObject(added));
}
