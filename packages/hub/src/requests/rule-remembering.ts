import { createHash } from "node:crypto";
import type { Places } from "@earshot/policy";
import { EarshotError } from "@earshot/protocol";
import { redactText } from "../intake/redact-text.ts";
import type { PolicyStore } from "../policy/policy-store.ts";
import { type ApprovalScope, addRuleText, type OfferedRule, proposeNarrowRule, removeRuleText } from "../policy/rule-writer.ts";
import type { PersonRules, RuleInput } from "../policy/rules.ts";
import type { ControlView, RequestView, RuleProposal } from "./api.ts";
import { isRisky } from "./card.ts";
import type { RequestEngine } from "./engine.ts";
import type { HeldRequest } from "./held-request.ts";
import { createRequestProblem } from "./news.ts";

interface RememberOptions {
  readonly engine: RequestEngine;
  readonly policy: PersonRules & Pick<PolicyStore, "current" | "wouldAllow" | "replace" | "view">;
  readonly places: Places;
  readonly now: () => number;
}

/** An approver's consent: exactly this rule for exactly this request. */
export interface RuleConsent {
  readonly by: string;
  readonly digest: string;
  readonly scope: ApprovalScope;
  readonly hash: string;
  readonly reason?: string;
}

interface Prepared {
  readonly proposal: RuleProposal;
  readonly rule: OfferedRule | undefined;
  /** For a rule in the file: its present and new text. */
  readonly file?: { readonly before: string | null; readonly after: string };
}

/** The assumed maximum duration of a session. */
const SESSION_MS = 7 * 86_400_000;

/** "Allow this kind from now on": offers a rule, shows it, and stores it with the approver's answer. */
export class RuleRemembering {
  readonly #options: RememberOptions;

  constructor(options: RememberOptions) {
    this.#options = options;
  }

  /** The rule as it would be stored; throws why there is none. */
  async propose(id: string, scope: ApprovalScope): Promise<RuleProposal> {
    return this.#prepare(await this.#options.engine.find(id), scope).proposal;
  }

  /** Answers the request and stores the rule. A late answer stores nothing. */
  async remember(id: string, { by, digest, scope, hash, reason }: RuleConsent): Promise<RequestView> {
    const { engine } = this.#options;
    const held = await engine.find(id);
    const prepared = this.#prepare(held, scope);
    if (prepared.proposal.hash !== hash) throw createRequestProblem("DIGEST_DIFFERS", "The rule is another one than was shown.");
    const { rule } = prepared;
    const why = rule === undefined ? reason : [reason, `Kept as the rule ${rule.name}, ${WHEN[scope]}.`].filter(Boolean).join(" ");
    const view = await engine.answer(id, { by, digest, answer: { word: "allow" }, ...(why === undefined ? {} : { reason: why }) });
    if (rule === undefined) return view;
    try {
      await this.#keep(held, rule, prepared, { by, scope });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      throw new EarshotError({ code: "RULE_NOT_KEPT", message: `It was allowed, but the rule was not kept: ${message}` }, { cause: error });
    }
    return engine.view(held);
  }

  /** Removes a stored rule from the file, or a temporary one. */
  async forget(name: string, by: string): Promise<ControlView> {
    const { engine, policy } = this.#options;
    const known = engine.control.findRemembered(name);
    if (known === undefined) throw createRequestProblem("NOT_FOUND", "No such rule was kept from a decision.");
    if (known.scope === "always") {
      const before = policy.current();
      const after = before === null ? undefined : removeRuleText(before, known);
      if (after === undefined) {
        if (before?.includes(name) === true)
          throw createRequestProblem(
            "RULE_NOT_KEPT",
            "The rule does not stand in the file any more as it was written. Take it out by hand.",
          );
      } else await policy.replace(before, after, by, { forgets: { rule: name, request: known.request } });
    }
    await engine.control.forget(known.name, by);
    return engine.control.view();
  }

  #prepare(held: HeldRequest, scope: ApprovalScope): Prepared {
    const { engine, policy } = this.#options;
    const { digest } = held;
    const about = { request: held.id, digest, scope };
    if (!held.card.terms.answers.includes("allow")) throw notOffered("This is not a matter of allowing.");
    if (scope === "once") {
      const words = "Allows this, once. No rule is kept.";
      return {
        proposal: { ...about, hash: hashOf(scope, digest), rule: null, yaml: null, words, file: null, until: null, past: null },
        rule: undefined,
      };
    }
    const asked = this.#askedOf(held);
    const before = scope === "always" ? policy.current() : null;
    const offer = proposeNarrowRule(asked, scope, before, { places: this.#options.places, taken: engine.control.rememberedNames });
    if (!offer.ok) throw notOffered(offer.why);
    if (redactText(offer.rule.yaml).shapes.length > 0)
      throw notOffered("It holds something like a credential, and a rule would be stored.");
    const prepared = scope === "always" ? this.#intoFile(offer.rule, before, asked) : this.#granted(offer.rule, asked);
    const { name, yaml, words } = prepared.rule;
    const hash = hashOf(scope, digest, yaml, prepared.file?.after ?? "");
    const until = this.#until(scope);
    const file = prepared.file === undefined ? null : policy.view().path;
    const proposal: RuleProposal = {
      ...about,
      hash,
      rule: name,
      yaml,
      words: `${words} It counts ${WHEN[scope]}.`,
      file,
      until: until === null ? null : new Date(until).toISOString(),
      past: null,
    };
    return { proposal, ...prepared };
  }

  #askedOf({ card, put, machine }: HeldRequest): RuleInput {
    if (isRisky(card.asked)) throw notOffered(card.asked.irreversible ? "It cannot be undone." : "Its risk is high.");
    if ((card.asked.masked ?? []).length > 0) throw notOffered("It holds something like a credential, and a rule would be stored.");
    if (put !== undefined) return put;
    const why =
      card.terms.polls && machine.settlement === null ? "The hub has started anew, and the agent has to ask again first." : NOTHING;
    throw notOffered(why);
  }

  #intoFile(
    rule: OfferedRule,
    before: string | null,
    asked: RuleInput,
  ): Required<Omit<Prepared, "proposal" | "rule">> & { rule: OfferedRule } {
    const added = addRuleText(before, rule);
    if (!added.ok) throw notOffered(added.why);
    if (!this.#options.policy.wouldAllow(added.text, asked)) throw notOffered(STRICTER);
    const { name, yaml, text } = added;
    return { rule: { name, yaml, words: rule.words.replace(rule.name, name) }, file: { before, after: text } };
  }

  #granted(rule: OfferedRule, asked: RuleInput): { readonly rule: OfferedRule; readonly file?: never } {
    if (this.#options.policy.judge(asked, [rule]).behaviour !== "allow") throw notOffered(STRICTER);
    return { rule };
  }

  async #keep(
    held: HeldRequest,
    rule: OfferedRule,
    { file }: Prepared,
    { by, scope }: { readonly by: string; readonly scope: ApprovalScope },
  ): Promise<void> {
    const { engine, policy, now } = this.#options;
    const { source, session } = held.card.asked;
    if (scope === "once") return;
    if (file !== undefined) await policy.replace(file.before, file.after, by, { remembers: { rule: rule.name, request: held.id } });
    const { name, yaml } = rule;
    await engine.control.remember({ name, yaml, scope, request: held.id, source, session, by, at: now(), until: this.#until(scope) });
  }

  #until(scope: ApprovalScope): number | null {
    const now = this.#options.now();
    if (scope === "session") return now + SESSION_MS;
    return scope === "project" ? new Date(now).setHours(24, 0, 0, 0) : null;
  }
}

const NOTHING = "There is nothing here that a rule could name.";
const STRICTER = "Another rule is stricter, such as one of the repository: it would still be asked about.";
const WHEN: Readonly<Record<ApprovalScope, string>> = {
  once: "once",
  session: "in this session, until it ends",
  project: "in this project, until the end of the day",
  always: "in this project, from now on",
};

function hashOf(...parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

function notOffered(message: string): EarshotError {
  return createRequestProblem("RULE_NOT_OFFERED", message);
}
