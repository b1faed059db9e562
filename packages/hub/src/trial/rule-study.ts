import {
  type Asked,
  type CompiledPolicy,
  compareLooseness,
  compilePolicy,
  describeAsked,
  explain,
  NO_RULES,
  type Places,
  type Policy,
  type PolicyRule,
  readPolicy,
} from "@earshot/policy";
import { EarshotError } from "@earshot/protocol";
import type { StoredHistory } from "../ledger/sqlite/stored-history.ts";
import { changeHash } from "../policy/policy-text.ts";
import { isStricter } from "../policy/strictness.ts";
import type { PolicyCheck, PolicyExplanation, PolicyTrial } from "./api.ts";
import { findBeginning, readPastAsks } from "./read-past-asks.ts";
import { TrialCounter } from "./trial.ts";

/** A text of rules, and what it is called. */
export interface NamedText {
  readonly file: string;
  readonly text: string | null;
}

/** What may be asked about rules: plain data in, plain data out. Reading a large text takes longer than a hub may be held up. */
export interface StudyQuestions {
  check(given: { readonly text: NamedText; readonly accepted: string | null }): PolicyCheck;
  tryOut(given: {
    readonly text: NamedText;
    readonly accepted: string | null;
    readonly limit: number;
    readonly lookedAt?: number;
  }): PolicyTrial;
  explain(given: ExplainQuestion): PolicyExplanation;
}

export interface ExplainQuestion {
  readonly asked: Asked;
  readonly own: NamedText;
  /** Rules that were granted for a while, each as one entry of `rules`. */
  readonly granted: readonly string[];
  /** Each tightens what the others say. */
  readonly repositories: readonly NamedText[];
}

export interface StudyPorts {
  readonly places: Places;
  readonly openHistory: () => StoredHistory;
}

const MOST_TROUBLES = 100;
const MOST_CHANGES = 200;
const MOST_EXAMPLES = 20;
/** So many entries are looked at for what was asked; a minute's work at most. */
const MOST_ENTRIES = 1_000_000;

export function checkText({ text, accepted }: Parameters<StudyQuestions["check"]>[0]): PolicyCheck {
  const reading = readPolicy({ text: text.text ?? "", file: text.file, kind: "user" });
  const troubles = reading.troubles.slice(0, MOST_TROUBLES);
  if (!reading.ok) return { ok: false, troubles, rules: 0, changes: [], accepts: null };
  const { changes, loosens } = compareLooseness(policyOf({ file: text.file, text: accepted }), reading.policy);
  // What has to be accepted is never among those that are left out.
  const inOrder = changes.toSorted((one, other) => Number(other.loosens) - Number(one.loosens));
  return {
    ok: true,
    troubles,
    rules: reading.policy.rules.length,
    changes: changes.length <= MOST_CHANGES ? changes : inOrder.slice(0, MOST_CHANGES),
    accepts: loosens ? changeHash(accepted, text.text) : null,
  };
}

/** In turns: whoever else asks is answered between two pages. */
export async function tryText(
  { text, accepted, limit, lookedAt = MOST_ENTRIES }: Parameters<StudyQuestions["tryOut"]>[0],
  { places, openHistory }: StudyPorts,
  signal: AbortSignal,
): Promise<PolicyTrial> {
  const policy = usable(text);
  const before = policyOf({ file: text.file, text: accepted });
  const counter = new TrialCounter(compilePolicy(policy, { places }), {
    before: compilePolicy(before, { places }),
    mostExamples: MOST_EXAMPLES,
  });
  using history = openHistory();
  const from = await findBeginning(history, { asks: limit, lookedAt, signal });
  for await (const ask of readPastAsks(history, { from, signal })) counter.hear(ask);
  return { ...counter.result(), isAll: from === 0 };
}

/** As the hub decides: of several repositories, one inside the other, the strictest answer counts. */
export function explainAsked({ asked, own, granted, repositories }: ExplainQuestion, { places }: StudyPorts): PolicyExplanation {
  const rules = [...granted.flatMap(grantedRules), ...usable(own).rules];
  const compiled = (one?: NamedText): CompiledPolicy =>
    compilePolicy({ rules }, { places, ...(one === undefined ? {} : { repository: policyOf(one, "repository") }) });
  const [first, ...more] = repositories;
  let explanation = explain(compiled(first), asked);
  for (const repository of more) {
    const other = explain(compiled(repository), asked);
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

/** What cannot be read has no rules: the hub does not use it either. */
function policyOf({ file, text }: NamedText, kind: "user" | "repository" = "user"): Policy {
  const reading = text === null ? undefined : readPolicy({ text, file, kind });
  return reading?.ok === true ? reading.policy : NO_RULES;
}

function usable({ file, text }: NamedText): Policy {
  if (text === null) return NO_RULES;
  const reading = readPolicy({ text, file, kind: "user" });
  if (reading.ok) return reading.policy;
  const [first] = reading.troubles.filter(({ severity }) => severity === "error");
  const message = `The rules have errors: line ${first?.line ?? 1}, ${first?.message ?? "they cannot be read"}`;
  throw new EarshotError({ code: "RULES_INVALID", message, ...(first === undefined ? {} : { hint: first.hint }) });
}
