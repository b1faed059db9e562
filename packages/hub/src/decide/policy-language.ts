import {
  type CompiledPolicy,
  compareLooseness,
  compilePolicy,
  decide,
  NO_RULES as NO_POLICY,
  type Places,
  type Policy,
  type PolicyRule,
  readPolicy,
} from "@earshot/policy";
import { KnownReadings } from "./known-readings.ts";
import type { LayeredRules, PolicyKind, PolicyLanguage, PolicyText } from "./policy-language-port.ts";
import { IN_REPOSITORY } from "./repository-file.ts";
import { toRuleView } from "./rule-view.ts";
import type { GrantedRule, PutToRules } from "./rules-port.ts";

const COMPILED_AT_HAND = 64;

/** Rules in the language of the policy package, with those of the repository that an agent works in: they can only tighten. */
export function createPolicyLanguage(file: string, places: Places): PolicyLanguage {
  const known = new KnownReadings(file);
  const policyOf = (text: PolicyText, kind: PolicyKind): Policy => {
    const reading = text === null ? undefined : known.read(text, kind);
    return reading?.ok === true ? reading.policy : NO_POLICY;
  };
  return {
    read(text, kind = "user") {
      const reading = text === null ? { ok: true as const, policy: NO_POLICY } : known.read(text, kind);
      if (reading.ok) return { ok: true, rules: createRules(reading.policy, places) };
      const errors = reading.troubles.filter(({ severity }) => severity === "error");
      return { ok: false, troubles: errors.map(({ file: where, line, message }) => `${where}, line ${line}: ${message}`) };
    },
    loosens(before, after, kind = "user") {
      const { changes } = compareLooseness(policyOf(before, kind), policyOf(after, kind));
      return changes.filter(({ loosens }) => loosens).map(({ rule, told }) => `${rule}: ${told}`);
    },
    describe: (text, kind = "user") => policyOf(text, kind).rules.map(toRuleView),
  };
}

/** Compiled once for each repository, and each set of what was granted. */
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
    judge: (asked: PutToRules, { granted = [], repository = "" } = {}) =>
      decide(granted.length === 0 && repository === "" ? own : compiledFor(granted, repository), asked),
  };
}

/** One entry of `rules`, as it is written there. */
function readRules(yaml: string): readonly PolicyRule[] {
  const reading = readPolicy({ text: `rules:\n${yaml}`, file: "granted", kind: "user" });
  return reading.ok ? reading.policy.rules : [];
}
