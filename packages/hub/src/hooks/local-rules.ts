import { createHmac } from "node:crypto";
import {
  type CompileOptions,
  compileWith,
  decideByPolicy,
  EMPTY_POLICY,
  type Policy,
  type PolicyDecision,
  type PolicyInput,
  type PolicyRule,
  usesPatterns,
} from "@earshot/policy/hook";
import { type HubHome, readHookKey, writePrivately } from "../home.ts";
import { findRepositoryFile, followDiskLinks } from "../policy/repository-file.ts";
import { UNREADABLE_ANSWERS, type UnreadableAnswer, unreadableAnswer } from "../policy/unreadable.ts";
import { hashPolicyText, readRulesText } from "../policy/watched-rules.ts";
import { readRegularFile } from "../regular-file.ts";
import { isProof } from "./hook-protocol.ts";

/**
 * Evaluates the hub's rules without a hub. The accepted rules apply; later changes to the file only if they tighten, and a repository's
 * own rules always. The YAML reader and the pattern engine are loaded only if needed.
 */
export async function judgeLocally(home: HubHome, userHome: string, asked: PolicyInput): Promise<PolicyDecision> {
  const places = { home: userHome, earshot: home.folder, realPath: followDiskLinks };
  const { own, also } = await rulesInForce(home);
  const repository = asked.cwd === undefined ? undefined : await readRepository(asked.cwd, userHome);
  const tightening = [also, repository].filter((policy) => policy !== undefined);
  const options: CompileOptions = {
    places,
    ...(tightening.length === 0 ? {} : { repository: { rules: tightening.flatMap(({ rules }) => rules) } }),
  };
  if (![own, ...tightening].some(usesPatterns)) return decideByPolicy(compileWith(own, options), asked);
  const { compilePolicy } = await import("@earshot/policy");
  return decideByPolicy(compilePolicy(own, options), asked);
}

/**
 * The answer for an unreadable action by the rules on disk. `carried` is the answer in the launcher. If that one restricts actions and
 * the accepted rules are gone, the rules are unknown, and a file written in their place does not replace them.
 */
export async function unreadableAnswerLocally(
  home: HubHome,
  carried: UnreadableAnswer = "nothing",
): Promise<{ readonly answer: UnreadableAnswer; readonly areRulesKnown: boolean }> {
  const { own, also, wereAccepted } = await rulesInForce(home);
  const read = strictest(unreadableAnswer(own), also === undefined ? "nothing" : unreadableAnswer(also));
  if (wereAccepted) return { answer: read, areRulesKnown: true };
  return { answer: strictest(read, carried), areRulesKnown: carried === "nothing" };
}

function strictest(one: UnreadableAnswer, other: UnreadableAnswer): UnreadableAnswer {
  return UNREADABLE_ANSWERS.indexOf(one) > UNREADABLE_ANSWERS.indexOf(other) ? one : other;
}

/** The accepted rules, as a hook without a hub reads them. */
export function acceptedRules(home: HubHome): Policy | undefined {
  return readAcceptedAt(home)?.policy;
}

/** Whether exactly these agent files were accepted as replacements of shipped ones. */
export function isAgentAccepted(home: HubHome, slug: string, hash: string): boolean {
  return readAcceptedAt(home)?.agents?.[slug] === hash;
}

function readAcceptedAt(home: HubHome): AcceptedPolicy | undefined {
  const key = readHookKey(home);
  return key === undefined ? undefined : readAccepted(home.acceptedPolicy, key);
}

interface InForce {
  readonly own: Policy;
  /** Rules that apply only where they tighten. */
  readonly also?: Policy;
  /** Whether the copy of the accepted rules was found. */
  readonly wereAccepted: boolean;
}

async function rulesInForce(home: HubHome): Promise<InForce> {
  const accepted = readAcceptedAt(home);
  const file = readRulesText(home.policy);
  if (accepted !== undefined && hashPolicyText(file.ok ? file.text : null) === accepted.hash)
    return { own: accepted.policy, wereAccepted: true };
  const written = await readRules(home.policy, "user");
  // Without accepted rules nothing is allowed that the agent would not do by itself.
  if (accepted === undefined) return { own: EMPTY_POLICY, ...(written === undefined ? {} : { also: written }), wereAccepted: false };
  if (written === undefined) return { own: accepted.policy, wereAccepted: true };
  const { compareLooseness } = await import("@earshot/policy");
  const isLooser = compareLooseness(accepted.policy, written).changes.some(({ loosens }) => loosens);
  return { own: isLooser ? accepted.policy : written, wereAccepted: true };
}

async function readRepository(cwd: string, userHome: string): Promise<Policy | undefined> {
  const path = findRepositoryFile(cwd, userHome);
  return path === undefined ? undefined : readRules(path, "repository");
}

/** Undefined for unreadable rules, when the last valid ones apply. */
async function readRules(path: string, kind: "user" | "repository"): Promise<Policy | undefined> {
  const file = readRulesText(path, kind);
  if (!file.ok || file.text === null) return undefined;
  const { readPolicy } = await import("@earshot/policy");
  const reading = readPolicy({ text: file.text, file: path, kind });
  return reading.ok ? reading.policy : undefined;
}

const MAX_COPY_BYTES = 16 * 1024 * 1024;

/** The rules in force as data, for hooks without a hub and without a YAML reader. */
export interface AcceptedPolicy {
  /** Accepted agent files that replace shipped ones: hashes by agent. */
  readonly agents?: Readonly<Record<string, string>>;
  /** Hash of the accepted text; `none` without one. */
  readonly hash: string;
  readonly policy: Policy;
}

/**
 * A copy of the accepted rules with a MAC. A `policy.yaml` that allows more is not trusted, and neither is a copy written without the
 * key.
 */
export function writeAccepted(path: string, key: string, accepted: AcceptedPolicy): void {
  const line = JSON.stringify(accepted);
  writePrivately(path, `${markOf(key, line)}\n${line}\n`);
}

/** Undefined if there is none written by this hub. */
export function readAccepted(path: string, key: string): AcceptedPolicy | undefined {
  let text: string;
  try {
    text = readRegularFile(path, { maxBytes: MAX_COPY_BYTES });
  } catch {
    return undefined; // the hub never ran, or somebody has removed it
  }
  const [mark, line = ""] = text.split("\n");
  return isProof(markOf(key, line), mark) ? (JSON.parse(line) as AcceptedPolicy) : undefined;
}

function markOf(key: string, line: string): string {
  return createHmac("sha256", key).update(`earshot policy\n${line}`).digest("base64url");
}

const RESTRICTING: ReadonlySet<PolicyRule["answer"]> = new Set(["ask", "defer", "deny", "stop"]);
/** Criteria that a read-only tool never matches. */
const OTHERS = ["command", "inspectable", "skill", "server", "reversible"] as const;

/** Dangers of reading a file. */
const READING_DANGERS: ReadonlySet<string> = new Set(["any", "secret-read"]);

/**
 * Whether a rule may restrict tools that only read. If so, their hooks have to wait for an answer. `tools` are the agents' names for
 * these tools.
 */
export function holdsReads({ rules }: Policy, tools: readonly string[]): boolean {
  return rules.some(({ answer, match }) => RESTRICTING.has(answer) && mayFitReading(match, tools));
}

function mayFitReading(match: PolicyRule["match"], tools: readonly string[]): boolean {
  if (OTHERS.some((name) => match[name] !== undefined)) return false;
  const { moment, access, toolType, tool, risk, danger } = match;
  if (danger !== undefined && !danger.some((id) => READING_DANGERS.has(id))) return false;
  if (moment !== undefined && !moment.includes("action")) return false;
  if (access !== undefined && !access.includes("read")) return false;
  if (toolType !== undefined && !toolType.includes("native")) return false;
  if (risk !== undefined && !risk.includes("low")) return false;
  return tool === undefined || tool.some((pattern) => typeof pattern !== "string" || tools.some((name) => fitsGlob(pattern, name)));
}

function fitsGlob(glob: string, name: string): boolean {
  const source = glob
    .replaceAll(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  return new RegExp(`^${source}$`, "i").test(name);
}
