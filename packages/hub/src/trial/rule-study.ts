import {
  type CompiledPolicy,
  compareLooseness,
  compilePolicy,
  describeAsked,
  EMPTY_POLICY,
  explainDecision,
  type Places,
  type Policy,
  type PolicyInput,
  type PolicyRule,
  readPolicy,
} from "@earshot/policy";
import { EarshotError } from "@earshot/protocol";
import type { LedgerHistory } from "../ledger/history.ts";
import { changeHash } from "../policy/policy-language.ts";
import { isStricter } from "../policy/rules.ts";
import type { PolicyCheck, PolicyExplanation, PolicyTrial } from "./api.ts";
import { findBeginning, readPastAsks } from "./past-asks.ts";
import { TrialCounter } from "./trial.ts";

/** A rule file's text and name. */
export interface NamedText {
  readonly file: string;
  readonly text: string | null;
}

/** Questions about rules, as plain data: reading a large text takes too long for the hub's main thread. */
export interface StudyQuestions {
  check(given: CheckQuestion): PolicyCheck;
  tryOut(given: TrialQuestion): Promise<PolicyTrial>;
  explain(given: ExplainInput): PolicyExplanation;
}

interface CheckQuestion {
  readonly text: NamedText;
  readonly accepted: string | null;
}

interface TrialQuestion extends CheckQuestion {
  readonly limit: number;
  readonly lookedAt?: number;
}

export interface ExplainInput {
  readonly asked: PolicyInput;
  readonly own: NamedText;
  /** Temporary rules, each as one entry of `rules`. */
  readonly granted: readonly string[];
  /** Repository rules; each can only tighten the others. */
  readonly repositories: readonly NamedText[];
}

export interface StudyPorts {
  readonly places: Places;
  readonly openHistory: () => Promise<LedgerHistory>;
}

const MAX_TROUBLES = 100;
const MAX_CHANGES = 200;
const MAX_EXAMPLES = 20;
/** Maximum entries searched for past asks: about a minute of work. */
const MAX_ENTRIES = 1_000_000;

export function answerQuestion(question: keyof StudyQuestions, given: unknown, ports: StudyPorts): unknown {
  // The hub sends each question with its matching arguments; the type is lost on the way through a thread.
  const questions: { readonly [Name in keyof StudyQuestions]: (given: never) => unknown } = {
    check: checkText,
    tryOut: (trial: TrialQuestion) => tryText(trial, ports),
    explain: (asked: ExplainInput) => explainAsked(asked, ports),
  };
  return questions[question](given as never);
}

function checkText({ text, accepted }: CheckQuestion): PolicyCheck {
  const reading = readPolicy({ text: text.text ?? "", file: text.file, kind: "user" });
  const troubles = reading.troubles.slice(0, MAX_TROUBLES);
  if (!reading.ok) return { ok: false, troubles, rules: 0, changes: [], accepts: null };
  const { changes, loosens } = compareLooseness(policyOf({ file: text.file, text: accepted }), reading.policy);
  // Changes that need acceptance are never cut from the list.
  const inOrder = changes.toSorted((one, other) => Number(other.loosens) - Number(one.loosens));
  return {
    ok: true,
    troubles,
    rules: reading.policy.rules.length,
    changes: changes.length <= MAX_CHANGES ? changes : inOrder.slice(0, MAX_CHANGES),
    accepts: loosens ? changeHash(accepted, text.text) : null,
  };
}

async function tryText(
  { text, accepted, limit, lookedAt = MAX_ENTRIES }: TrialQuestion,
  { places, openHistory }: StudyPorts,
): Promise<PolicyTrial> {
  const policy = usable(text);
  const before = policyOf({ file: text.file, text: accepted });
  const counter = new TrialCounter(compilePolicy(policy, { places }), {
    before: compilePolicy(before, { places }),
    maxExamples: MAX_EXAMPLES,
  });
  await using history = await openHistory();
  const from = await findBeginning(history, { asks: limit, lookedAt });
  for await (const ask of readPastAsks(history, { from })) counter.count(ask);
  return { ...counter.result(), isAll: from === 0 };
}

/** As in the hub, the strictest answer of nested repositories counts. */
function explainAsked({ asked, own, granted, repositories }: ExplainInput, { places }: StudyPorts): PolicyExplanation {
  const rules = [...granted.flatMap(grantedRules), ...usable(own).rules];
  const compiled = (one?: NamedText): CompiledPolicy =>
    compilePolicy({ rules }, { places, ...(one === undefined ? {} : { repository: policyOf(one, "repository") }) });
  const [first, ...more] = repositories;
  let explanation = explainDecision(compiled(first), asked);
  for (const repository of more) {
    const other = explainDecision(compiled(repository), asked);
    if (isStricter(other.ruling.behaviour, explanation.ruling.behaviour)) explanation = other;
  }
  const { updatedInput, ...ruling } = explanation.ruling;
  const { moment, agent = null, tool = null, cwd = null } = asked;
  return {
    asked: { moment, agent, tool, cwd },
    found: describeAsked(asked, places),
    ruling: { ...ruling, changesInput: updatedInput !== undefined },
    steps: explanation.steps,
  };
}

function grantedRules(yaml: string): readonly PolicyRule[] {
  return policyOf({ file: "kept from a decision", text: `rules:\n${yaml}` }).rules;
}

/** An unreadable text has no rules, as in the hub. */
function policyOf({ file, text }: NamedText, kind: "user" | "repository" = "user"): Policy {
  const reading = text === null ? undefined : readPolicy({ text, file, kind });
  return reading?.ok === true ? reading.policy : EMPTY_POLICY;
}

function usable({ file, text }: NamedText): Policy {
  if (text === null) return EMPTY_POLICY;
  const reading = readPolicy({ text, file, kind: "user" });
  if (reading.ok) return reading.policy;
  const [first] = reading.troubles.filter(({ severity }) => severity === "error");
  const message = `The rules have errors: line ${first?.line ?? 1}, ${first?.message ?? "they cannot be read"}`;
  throw new EarshotError({ code: "RULES_INVALID", message, ...(first === undefined ? {} : { hint: first.hint }) });
}
