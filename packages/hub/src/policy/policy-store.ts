import { rmSync } from "node:fs";
import type { WaitingAgent } from "@earshot/agents/files";
import { EarshotError, isObject, type JsonObject, type JsonValue } from "@earshot/protocol";
import type { Ledger } from "../ledger/ledger.ts";
import { LedgerValue, RERECORD_AFTER_MS } from "../own-entries.ts";
import { writeFileAtomically } from "../write-file-atomically.ts";
import { changeHash, type LayeredRules, type PolicyLanguage, type PolicyText, repositoryHash, UNREADABLE_TEXT } from "./policy-language.ts";
import type { PolicyView, RuleView } from "./policy-view.ts";
import { RepositoryTexts } from "./repository-texts.ts";
import { type GrantedRule, isStricter, NO_PERSON_RULES, type PersonRules, type RuleInput, type RuleResult } from "./rules.ts";
import { hashPolicyText, readRulesText, WatchedRules } from "./watched-rules.ts";

export interface PolicyPorts {
  readonly path: string;
  readonly language: PolicyLanguage;
  readonly ledger: Ledger;
  readonly now: () => number;
  readonly monotonic: () => number;
  /** The person's home folder. */
  readonly home?: string;
  /** Raises a message for a person. */
  readonly log: (message: string) => void;
  readonly onFailure: (error: unknown) => void;
  /** Called with the rules in force, now and on every change, for those who decide without the hub. */
  readonly onAccepted?: (text: PolicyText, agents: Readonly<Record<string, string>>) => void;
  /** Other hubs accept rules, too: this one's file follows theirs, unless it holds a change of its own. */
  readonly isShared?: boolean;
  /** Agent files that need acceptance. */
  readonly waitingAgents?: () => Promise<readonly WaitingAgent[]>;
}

/** A text written by an approver: which file it replaces, and which permissive change was shown (`changeHash`). */
export interface WrittenText {
  readonly text: string;
  readonly base: string;
  readonly accepts?: string;
}

/**
 * The rules in force and how they change. Any program of this user can write the file, so it decides nothing by itself: the last accepted
 * text is in force, which is an entry of the ledger and part of its chain. The hub accepts a file that only tightens; one that permits
 * more waits for an approver who sees the change. An unreadable or missing file changes nothing and raises a message. The same applies to
 * a repository's file.
 */
export class PolicyStore implements PersonRules {
  readonly #ports: PolicyPorts;
  /** The person's own file and its accepted text. */
  readonly #own: WatchedRules;
  readonly #repositories: RepositoryTexts;
  #rules: LayeredRules = NO_PERSON_RULES;
  #troubles: readonly string[] = [];
  /** Hashes of accepted agent files. */
  readonly #agents: Map<string, string>;
  readonly #stored: LedgerValue;
  #isRecordDue = false;
  /** The file is not checked while it is changed from here. */
  #isChanging = false;
  /** Changes from here run one after the other. */
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(ports: PolicyPorts, stored: LedgerValue) {
    this.#ports = ports;
    this.#stored = stored;
    const { text, repositories, agents } = toStoredPolicy(stored.value);
    this.#own = new WatchedRules(ports.path, "user", ports.language, text);
    this.#agents = new Map(agents);
    const onChange = () => this.#recordSoon();
    this.#repositories = new RepositoryTexts({ ...ports, onChange }, repositories);
    const read = ports.language.read(this.#accepted);
    if (read.ok) this.#rules = read.rules;
    else {
      this.#complain(read.troubles.map((one) => `The accepted rules cannot be read, so that everything is asked about: ${one}`));
      const everything = ports.language.read(UNREADABLE_TEXT);
      if (everything.ok) this.#rules = everything.rules;
    }
  }

  static async open(ports: PolicyPorts): Promise<PolicyStore> {
    const store = new PolicyStore(ports, await LedgerValue.open(ports.ledger, "policy"));
    if (ports.isShared === true) {
      if (readsAsNone(ports.path) && store.#accepted !== null) store.#writeFile(store.#accepted);
      store.#stored.follow(() => store.#follow(), ports.onFailure);
    }
    store.#tellAccepted();
    store.look();
    return store;
  }

  /** Fulfills when everything that is in force is recorded. */
  close(): Promise<void> {
    return this.#stored.close();
  }

  judge(asked: RuleInput, granted: readonly GrantedRule[] = []): RuleResult {
    if (this.#own.isDue(this.#ports.monotonic())) this.look();
    return this.#judgeBy(this.#rules, asked, granted);
  }

  /** Of nested repositories the strictest answer counts. */
  #judgeBy(rules: LayeredRules, asked: RuleInput, granted: readonly GrantedRule[]): RuleResult {
    const [first = "", ...more] = this.#repositories.at(asked.cwd).map(({ text }) => text);
    let ruling = rules.judge(asked, { granted, repository: first });
    for (const repository of more) {
      const other = rules.judge(asked, { granted, repository });
      if (isStricter(other.behaviour, ruling.behaviour)) ruling = other;
    }
    return ruling;
  }

  /** Checks whether the file has changed. */
  look(): void {
    if (this.#isChanging) return;
    if (this.#ports.now() - this.#stored.recordedAt > RERECORD_AFTER_MS) this.#recordSoon();
    const found = this.#own.look(this.#ports.monotonic());
    switch (found.what) {
      case "unchanged":
        return;
      case "unusable":
        this.#complain(found.troubles);
        return;
      case "same":
        this.#troubles = [];
        return;
      case "loosened":
        this.#troubles = [];
        this.#ports.log(`Rules that allow more wait for an approver: ${found.loosens[0] ?? ""}`);
        return;
      case "tightened":
        // At once, because tightening must not wait; if the hub dies before recording it, the file is checked again.
        this.#putInForce(found.text);
        this.#recordSoon();
    }
  }

  /** Whether there are rules. A file that did not exist when the hub started counts as soon as it is written. */
  hasRules(): boolean {
    if (this.#accepted === null) this.look();
    return this.#accepted !== null;
  }

  get #accepted(): PolicyText {
    return this.#own.text ?? null;
  }

  isAgentAccepted(slug: string, hash: string): boolean {
    return this.#agents.get(slug) === hash;
  }

  #tellAccepted(): void {
    this.#ports.onAccepted?.(this.#accepted, Object.fromEntries(this.#agents));
  }

  /** Includes waiting agent files, which are read from disk. */
  async fullView(): Promise<PolicyView> {
    const waiting = (await this.#ports.waitingAgents?.()) ?? [];
    const pendingAgents = waiting.map(({ slug, folder, hash, text, changes }) => ({ agent: slug, path: folder, hash, text, changes }));
    return { ...this.view(), pendingAgents };
  }

  view(): PolicyView {
    this.look();
    this.#repositories.look();
    const { pending } = this.#own;
    const { path, home } = this.#ports;
    return {
      path,
      ...(home === undefined ? {} : { home }),
      hash: hashPolicyText(this.#accepted),
      text: this.#accepted,
      troubles: this.#troubles,
      pending: pending === undefined ? null : { hash: hashPolicyText(pending.text), ...pending },
      repositories: this.#repositories.all().map(({ path, text }) => ({ path, hash: hashPolicyText(text), text })),
      pendingAgents: [],
      pendingRepositories: this.#repositories.pending().map((one) => ({ hash: repositoryHash(one), ...one })),
    };
  }

  /** An approver has seen what a pending text permits, and names exactly that text. */
  async accept(hash: string, by: string): Promise<PolicyView> {
    await this.#inTurn(() => this.#change(() => this.#accept(hash, by)));
    return this.fullView();
  }

  async #accept(hash: string, by: string): Promise<void> {
    const changed = this.#repositories.pending().find((one) => repositoryHash(one) === hash);
    if (changed !== undefined) {
      const { path, text, loosens } = changed;
      const undo = this.#repositories.accept(path, text);
      try {
        await this.#record(by, loosens, { repository: path });
      } catch (error) {
        undo();
        throw error;
      }
      return;
    }
    const agent = (await this.#ports.waitingAgents?.())?.find((one) => one.hash === hash);
    if (agent !== undefined) return this.#acceptAgent(agent, by);
    const { pending } = this.#own;
    if (pending === undefined || hashPolicyText(pending.text) !== hash) throw differs("The rules that wait to be accepted are other ones.");
    await this.#record(by, pending.loosens, {}, pending.text);
    this.#own.pending = undefined;
    this.#putInForce(pending.text);
  }

  async #acceptAgent({ slug, hash, changes }: WaitingAgent, by: string): Promise<void> {
    const before = this.#agents.get(slug);
    this.#agents.set(slug, hash);
    try {
      await this.#record(by, changes, { agent: slug });
    } catch (error) {
      if (before === undefined) this.#agents.delete(slug);
      else this.#agents.set(slug, before);
      throw error;
    }
    this.#tellAccepted();
  }

  /** The present file, whatever is in force. A hash of null: unreadable. */
  file(): { readonly hash: string | null; readonly text: PolicyText } {
    this.look();
    const read = readRulesText(this.#ports.path);
    return read.ok ? { hash: hashPolicyText(read.text), text: read.text } : { hash: null, text: null };
  }

  /** The active rules in words: the person's own, and those of repositories. */
  described(): {
    readonly rules: readonly RuleView[];
    readonly repositories: readonly { readonly path: string; readonly rules: readonly RuleView[] }[];
  } {
    this.look();
    const { language } = this.#ports;
    const repositories = this.#repositories.all().map(({ path, text }) => {
      const rules = language.describe(text, "repository");
      return { path, rules: rules.map((rule) => ({ ...rule, file: path })) };
    });
    return { rules: language.describe(this.#accepted), repositories };
  }

  /** The rules that apply in a folder: the text in force, and those of repositories. */
  speakingAt(cwd: string | undefined): { readonly text: PolicyText; readonly repositories: ReturnType<RepositoryTexts["at"]> } {
    this.look();
    return { text: this.#accepted, repositories: this.#repositories.at(cwd) };
  }

  /** The text in force; throws if the file differs. */
  current(): PolicyText {
    const { hash, text } = this.file();
    if (hash === null || this.#own.pending !== undefined || this.#troubles.length > 0 || text !== this.#accepted)
      throw differs("The file of rules has been changed, and that has to be settled first.");
    return this.#accepted;
  }

  /** Whether a text would allow this, together with everything else in force. */
  wouldAllow(text: PolicyText, asked: RuleInput): boolean {
    const read = this.#ports.language.read(text);
    return read.ok && this.#judgeBy(read.rules, asked, []).behaviour === "allow";
  }

  /**
   * An approver changes the file here after seeing the change, which takes effect at once. The file is written first, so that a crash
   * before recording leaves rules that wait rather than lost ones. Nothing else that waited is accepted along with it.
   */
  async replace(before: PolicyText, after: PolicyText, by: string, about: JsonObject): Promise<void> {
    await this.#inTurn(async () => {
      if (this.current() !== before) throw differs("The rules have changed meanwhile.");
      await this.#change(() => this.#replace(before, after, by, about));
    });
  }

  /**
   * An approver writes the file here. A tightening change takes effect at once, as does a permissive one that was shown and accepted.
   * Otherwise it waits in the file, as if written with an editor.
   */
  async write(written: WrittenText, by: string): Promise<PolicyView> {
    await this.#inTurn(() => this.#write(written, by));
    return this.view();
  }

  async #write({ text, base, accepts }: WrittenText, by: string): Promise<void> {
    const { hash, text: before } = this.file();
    if (hash !== base) throw differs("The file of rules has been changed meanwhile.");
    const { language } = this.#ports;
    const read = language.read(text);
    if (!read.ok) throw new EarshotError({ code: "RULES_INVALID", message: read.troubles[0] ?? "The rules cannot be read." });
    if (accepts !== undefined && accepts !== changeHash(this.#accepted, text)) throw differs("It changes other rules than was shown.");
    const isAgreed = accepts !== undefined || language.loosens(this.#accepted, text).length === 0;
    await this.#change(() => (isAgreed ? this.#replace(before, text, by, { written: true }) : this.#propose(text, by)));
  }

  /** It is found in the file and waits; its author is recorded. */
  async #propose(text: string, by: string): Promise<void> {
    this.#writeFile(text);
    await this.#record(by, [], { proposes: hashPolicyText(text) });
  }

  async #inTurn(work: () => Promise<void>): Promise<void> {
    const worked = this.#turn.then(work);
    this.#turn = worked.catch(() => {}); // the caller gets the failure
    await worked;
  }

  async #change(work: () => Promise<void>): Promise<void> {
    this.#isChanging = true;
    try {
      await work();
    } finally {
      this.#isChanging = false;
    }
  }

  async #replace(before: PolicyText, after: PolicyText, by: string, about: JsonObject): Promise<void> {
    const loosens = this.#ports.language.loosens(this.#accepted, after);
    this.#writeFile(after);
    try {
      await this.#record(by, loosens, about, after);
    } catch (error) {
      this.#writeFile(before);
      throw error;
    }
    this.#own.pending = undefined;
    this.#putInForce(after);
    this.#own.skip();
  }

  #putInForce(text: PolicyText): void {
    const read = this.#ports.language.read(text);
    if (!read.ok) return; // it was read before
    this.#own.text = text;
    this.#rules = read.rules;
    this.#troubles = [];
    this.#tellAccepted();
  }

  /** Records what is in force, once for all changes until then. */
  #recordSoon(): void {
    if (this.#isRecordDue) return;
    this.#isRecordDue = true;
    void this.#record("hub", []).catch(this.#ports.onFailure);
  }

  /** Throws when another hub has accepted other rules meanwhile; those are in force then. */
  async #record(by: string, loosens: readonly string[], about: JsonObject = {}, accepted?: PolicyText): Promise<void> {
    await this.#stored.change({ type: "control.policy", by, now: this.#ports.now() }, (_before, isUnheard) => {
      this.#isRecordDue = false;
      if (isUnheard) throw differs("The rules have changed meanwhile.");
      const text = accepted === undefined ? this.#accepted : accepted;
      const value = {
        hash: hashPolicyText(text),
        text,
        repositories: this.#repositories.stored(),
        agents: Object.fromEntries(this.#agents),
      };
      return { about: { loosens, ...about }, value };
    });
  }

  /** Puts in force what another hub has accepted. A file that holds the text that was in force here until then gets the new one. */
  #follow(): void {
    const { text, repositories, agents } = toStoredPolicy(this.#stored.value);
    this.#repositories.restore(repositories);
    this.#agents.clear();
    for (const [slug, hash] of agents) this.#agents.set(slug, hash);
    if (text === this.#accepted) {
      this.#tellAccepted();
      return;
    }
    const file = readRulesText(this.#ports.path);
    const isUnchanged = file.ok && file.text === this.#accepted;
    if (isUnchanged) this.#writeFile(text);
    this.#own.pending = undefined;
    this.#putInForce(text);
    if (isUnchanged) this.#own.skip();
    else this.#own.forget();
  }

  #complain(troubles: readonly string[]): void {
    this.#troubles = troubles;
    this.#ports.log(`The rules in ${this.#ports.path} cannot be used, and the last good ones stay: ${troubles[0] ?? ""}`);
  }

  #writeFile(text: PolicyText): void {
    const { path } = this.#ports;
    if (text === null) rmSync(path, { force: true });
    else writeFileAtomically(path, text, { keepsMode: true });
  }
}

interface StoredPolicy {
  readonly text: PolicyText;
  readonly repositories: JsonValue | undefined;
  readonly agents: readonly (readonly [slug: string, hash: string])[];
}

function toStoredPolicy(value: JsonValue | undefined): StoredPolicy {
  const { text, repositories, agents } = isObject(value) ? value : {};
  return {
    text: typeof text === "string" ? text : null,
    repositories,
    agents: isObject(agents) ? Object.entries(agents).map(([slug, hash]) => [slug, String(hash)]) : [],
  };
}

function readsAsNone(path: string): boolean {
  const read = readRulesText(path);
  return read.ok && read.text === null;
}

function differs(message: string): EarshotError {
  return new EarshotError({ code: "DIGEST_DIFFERS", message, hint: "Look at them again." });
}
