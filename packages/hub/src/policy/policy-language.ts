import { createHash } from "node:crypto";
import {
  type CompiledPolicy,
  compareLooseness,
  compilePolicy,
  decideByPolicy,
  EMPTY_POLICY as NO_POLICY,
  type Places,
  type Policy,
  type PolicyReading,
  type PolicyRule,
  type PolicySource,
  readPolicy,
} from "@earshot/policy";
import { type RuleView, toRuleView } from "./policy-view.ts";
import { IN_REPOSITORY } from "./repository-file.ts";
import type { GrantedRule, RuleInput, RuleResult } from "./rules.ts";

/** The text of a file; null for a missing file, which differs from an empty one. */
export type PolicyText = string | null;
/** A repository's own file can only tighten. */
export type PolicyKind = "user" | "repository";

/** The person's rules with temporary grants and with a repository's rules. */
export interface LayeredRules {
  judge(asked: RuleInput, layers?: { readonly granted?: readonly GrantedRule[]; readonly repository?: string }): RuleResult;
}

const COMPILED_AT_HAND = 64;

/** Rules of the policy package combined with those of the repository an agent works in, which can only tighten. */
export function createPolicyLanguage(file: string, places: Places) {
  const known = new KnownReadings(file);
  const policyOf = (text: PolicyText, kind: PolicyKind): Policy => {
    const reading = text === null ? undefined : known.read(text, kind);
    return reading?.ok === true ? reading.policy : NO_POLICY;
  };
  return {
    /** Parsed rules, or the problems in whole sentences. */
    read(text: PolicyText, kind: PolicyKind = "user"): RulesRead {
      const reading = text === null ? { ok: true as const, policy: NO_POLICY } : known.read(text, kind);
      if (reading.ok) return { ok: true, rules: createRules(reading.policy, places) };
      const errors = reading.troubles.filter(({ severity }) => severity === "error");
      return { ok: false, troubles: errors.map(({ file: where, line, message }) => `${where}, line ${line}: ${message}`) };
    },
    /** How the second text permits more than the first, in whole sentences; none if it only tightens. */
    loosens(before: PolicyText, after: PolicyText, kind: PolicyKind = "user"): readonly string[] {
      const { changes } = compareLooseness(policyOf(before, kind), policyOf(after, kind));
      return changes.filter(({ loosens }) => loosens).map(({ rule, told }) => `${rule}: ${told}`);
    },
    /** Each rule in words. */
    describe: (text: PolicyText, kind: PolicyKind = "user"): readonly RuleView[] => policyOf(text, kind).rules.map(toRuleView),
  };
}

export type PolicyLanguage = ReturnType<typeof createPolicyLanguage>;

type RulesRead = { readonly ok: true; readonly rules: LayeredRules } | { readonly ok: false; readonly troubles: readonly string[] };

/** Compiled once per repository and set of grants. */
function createRules(policy: Policy, places: Places): LayeredRules {
  const own = compilePolicy(policy, { places });
  const known = new Map<string, Map<string, CompiledPolicy>>();
  const compiledFor = (granted: readonly GrantedRule[], repository: string): CompiledPolicy => {
    if (known.size >= COMPILED_AT_HAND) known.clear();
    const ofRepository = known.get(repository) ?? new Map<string, CompiledPolicy>();
    known.set(repository, ofRepository);
    const key = granted.map(({ yaml }) => yaml).join("");
    if (ofRepository.size >= COMPILED_AT_HAND) ofRepository.clear();
    const compiled = ofRepository.get(key) ?? compile(granted, repository);
    ofRepository.set(key, compiled);
    return compiled;
  };
  const compile = (granted: readonly GrantedRule[], repository: string): CompiledPolicy => {
    const rules = [...granted.flatMap(({ yaml }) => readRules(yaml)), ...policy.rules];
    const tightens = repository === "" ? undefined : readPolicy({ text: repository, file: IN_REPOSITORY, kind: "repository" });
    return compilePolicy({ rules }, { places, ...(tightens?.ok === true ? { repository: tightens.policy } : {}) });
  };
  return {
    judge: (asked: RuleInput, { granted = [], repository = "" } = {}) =>
      decideByPolicy(granted.length === 0 && repository === "" ? own : compiledFor(granted, repository), asked),
  };
}

/** One entry of `rules` as written in the file. */
function readRules(yaml: string): readonly PolicyRule[] {
  const reading = readPolicy({ text: `rules:\n${yaml}`, file: "granted", kind: "user" });
  return reading.ok ? reading.policy.rules : [];
}

const MAX_READINGS = 64;
const MAX_READ_CHARACTERS = 4 * 1024 * 1024;

/** A cache of parsed rule texts: parsing a large one is slow, and each is needed several times. */
class KnownReadings {
  readonly #file: string;
  readonly #known = new Map<string, PolicyReading>();
  #characters = 0;

  constructor(file: string) {
    this.#file = file;
  }

  read(text: string, kind: PolicySource["kind"]): PolicyReading {
    const key = `${kind} ${text}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const reading = readPolicy({ text, file: this.#file, kind });
    if (this.#known.size >= MAX_READINGS || this.#characters + key.length > MAX_READ_CHARACTERS) {
      this.#known.clear();
      this.#characters = 0;
    }
    this.#known.set(key, reading);
    this.#characters += key.length;
    return reading;
  }
}

/** A hash of a repository's file. */
export function repositoryHash({ path, text }: { readonly path: string; readonly text: PolicyText }): string {
  return createHash("sha256")
    .update(JSON.stringify([path, text]))
    .digest("hex");
}

/** A hash of the change from one text to another, so that an approver's consent applies to exactly this change. */
export function changeHash(before: PolicyText, after: PolicyText): string {
  return createHash("sha256")
    .update(JSON.stringify([before, after]))
    .digest("hex");
}

/** Replaces accepted rules that can no longer be read: an empty file asks about everything. */
export const UNREADABLE_TEXT = "";
