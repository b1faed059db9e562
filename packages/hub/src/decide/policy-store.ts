import { createHash } from "node:crypto";
import { readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { EarshotError, isObject, type JsonObject } from "@earshot/protocol";
import { writePrivately } from "../home.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { PolicyView } from "./api.ts";
import { ownSubmission, readLast } from "./control.ts";
import { RECORD_AGAIN_MS } from "./control-desk.ts";
import { RepositoryTexts } from "./repository-texts.ts";
import { type Behaviour, type GrantedRule, NO_RULES, type PutToRules, type Rules, type Ruling } from "./rules-port.ts";

/** The text of a file; null where there is none, which is not the same as an empty one. */
export type PolicyText = string | null;
/** A repository's own file can only tighten. */
export type PolicyKind = "user" | "repository";

/** How rules are written. The policy package knows; anything with this shape will do. */
export interface PolicyLanguage {
  /** Rules from a text, or what is wrong with it, in whole sentences. */
  read(
    text: PolicyText,
    kind?: PolicyKind,
  ): { readonly ok: true; readonly rules: LayeredRules } | { readonly ok: false; readonly troubles: readonly string[] };
  /** In which ways the second text lets more through than the first, in whole sentences; none when it only tightens. */
  loosens(before: PolicyText, after: PolicyText, kind?: PolicyKind): readonly string[];
}

/** The person's rules, with what an approver has granted for a while, and with a repository's own. */
export interface LayeredRules {
  judge(asked: PutToRules, layers?: { readonly granted?: readonly GrantedRule[]; readonly repository?: string }): Ruling;
}

export interface PolicyPorts {
  readonly path: string;
  readonly language: PolicyLanguage;
  readonly ledger: Ledger;
  readonly now: () => number;
  readonly monotonic: () => number;
  /** The person's home folder. */
  readonly home?: string;
  /** Loudly: a person has to hear of it. */
  readonly tell: (message: string) => void;
  readonly onFailure: (error: unknown) => void;
  /** Told what is in force, now and whenever it changes: for those who have to decide when the hub is not there. */
  readonly onAccepted?: (text: PolicyText) => void;
}

/** How often the file is looked at, at most. */
const LOOK_MS = 500;
const LONGEST_BYTES = 1024 * 1024;
const STRICTNESS: readonly Behaviour[] = ["allow", "continue", "abstain", "ask", "defer", "block", "deny", "stop"];

/**
 * The rules that are in force, and how they change. The file is anybody's who can write as this user, and so it decides
 * nothing by itself: what is in force is the text that was accepted last, and that is an entry of the ledger, part of its
 * chain. A file that only tightens is accepted by the hub; one that lets anything more through waits for an approver who is
 * shown what. A file that cannot be read, or has gone, changes nothing, loudly. The same holds for a repository's own file.
 */
export class PolicyStore implements Rules {
  readonly #ports: PolicyPorts;
  readonly #repositories: RepositoryTexts;
  #accepted: PolicyText;
  #rules: LayeredRules = NO_RULES;
  #troubles: readonly string[] = [];
  #pending: { readonly text: PolicyText; readonly loosens: readonly string[] } | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #seen = "";
  #recordedAt: number;
  /** While the file is changed from here, what stands in it is not looked at. */
  #replacing: Promise<unknown> | undefined;

  private constructor(ports: PolicyPorts, stored: JsonObject, recordedAt: number) {
    this.#ports = ports;
    this.#recordedAt = recordedAt;
    this.#accepted = typeof stored["text"] === "string" ? stored["text"] : null;
    const onChange = () => void this.#record("hub", []).catch(ports.onFailure);
    this.#repositories = new RepositoryTexts({ ...ports, onChange }, stored["repositories"]);
    const read = ports.language.read(this.#accepted);
    if (read.ok) this.#rules = read.rules;
    else this.#complain(read.troubles.map((one) => `The accepted rules cannot be read: ${one}`));
  }

  static async open(ports: PolicyPorts): Promise<PolicyStore> {
    const last = await readLast(ports.ledger, "policy");
    const policy = last?.value["policy"];
    const store = new PolicyStore(ports, isObject(policy) ? policy : {}, last?.receivedAt ?? Number.POSITIVE_INFINITY);
    ports.onAccepted?.(store.#accepted);
    store.look();
    return store;
  }

  judge(asked: PutToRules, granted: readonly GrantedRule[] = []): Ruling {
    if (this.#ports.monotonic() - this.#lookedAt >= LOOK_MS) this.look();
    return this.#judgeBy(this.#rules, asked, granted);
  }

  /** Of several repositories, one inside the other, the strictest answer counts. */
  #judgeBy(rules: LayeredRules, asked: PutToRules, granted: readonly GrantedRule[]): Ruling {
    const [first = "", ...more] = this.#repositories.at(asked.cwd);
    let ruling = rules.judge(asked, { granted, repository: first });
    for (const repository of more) {
      const other = rules.judge(asked, { granted, repository });
      if (STRICTNESS.indexOf(other.behaviour) > STRICTNESS.indexOf(ruling.behaviour)) ruling = other;
    }
    return ruling;
  }

  /** Looks whether the file has changed. */
  look(): void {
    this.#lookedAt = this.#ports.monotonic();
    if (this.#replacing !== undefined) return;
    if (this.#ports.now() - this.#recordedAt > RECORD_AGAIN_MS) void this.#record("hub", []).catch(this.#ports.onFailure);
    const stamp = this.#stamp();
    if (stamp === this.#seen) return;
    this.#seen = stamp;
    const text = this.#readFile();
    if (text !== undefined) this.#consider(text);
  }

  view(): PolicyView {
    this.look();
    this.#repositories.look();
    const pending = this.#pending;
    return {
      path: this.#ports.path,
      hash: hashOf(this.#accepted),
      text: this.#accepted,
      troubles: this.#troubles,
      pending: pending === undefined ? null : { hash: hashOf(pending.text), ...pending },
      repositories: this.#repositories.all().map(({ path, text }) => ({ path, hash: hashOf(text), text })),
      pendingRepositories: this.#repositories.pending().map((one) => ({ hash: repositoryHash(one), ...one })),
    };
  }

  /** An approver has seen what a pending text lets through, and names exactly that text. */
  async accept(hash: string, by: string): Promise<PolicyView> {
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
      return this.view();
    }
    const pending = this.#pending;
    if (pending === undefined || hashOf(pending.text) !== hash) throw differs("The rules that wait to be accepted are other ones.");
    await this.#record(by, pending.loosens, {}, pending.text);
    if (this.#pending === pending) this.#pending = undefined;
    this.#putInForce(pending.text);
    return this.view();
  }

  /** What is in force, as it stands in the file; throws where the file says something else. */
  current(): PolicyText {
    this.look();
    const text = this.#readFile();
    if (this.#pending !== undefined || this.#troubles.length > 0 || text !== this.#accepted)
      throw differs("The file of rules has been changed, and that has to be settled first.");
    return this.#accepted;
  }

  /** Whether some text would answer this with a yes, with everything else that counts here. */
  wouldAllow(text: PolicyText, asked: PutToRules): boolean {
    const read = this.#ports.language.read(text);
    return read.ok && this.#judgeBy(read.rules, asked, []).behaviour === "allow";
  }

  /**
   * An approver changes the file from here, having seen how: it counts at once. The file is written first, so that a hub
   * that dies before it is recorded finds rules that wait, and not ones that were lost. Nothing that waited is accepted along.
   */
  async replace(before: PolicyText, after: PolicyText, by: string, about: JsonObject): Promise<void> {
    await this.#replacing;
    if (this.current() !== before) throw differs("The rules have changed meanwhile.");
    const replacing = this.#replace(before, after, by, about);
    this.#replacing = replacing.catch(() => {}); // whoever asked for it hears that it failed
    try {
      await replacing;
    } finally {
      this.#replacing = undefined;
    }
  }

  async #replace(before: PolicyText, after: PolicyText, by: string, about: JsonObject): Promise<void> {
    const loosens = this.#ports.language.loosens(before, after);
    this.#writeFile(after);
    try {
      await this.#record(by, loosens, about, after);
    } catch (error) {
      this.#writeFile(before);
      throw error;
    }
    this.#putInForce(after);
    this.#seen = this.#stamp();
  }

  #consider(text: PolicyText): void {
    this.#troubles = [];
    this.#pending = undefined;
    if (text === this.#accepted) return;
    const read = this.#ports.language.read(text);
    if (!read.ok) {
      this.#complain(read.troubles);
      return;
    }
    const loosens = this.#ports.language.loosens(this.#accepted, text);
    if (loosens.length > 0) {
      this.#pending = { text, loosens };
      this.#ports.tell(`Rules that allow more wait for an approver: ${loosens[0] ?? ""}`);
      return;
    }
    // At once: what tightens must not wait, and if the hub dies before it is recorded the file is looked at again.
    this.#putInForce(text);
    void this.#record("hub", []).catch(this.#ports.onFailure);
  }

  #putInForce(text: PolicyText): void {
    const read = this.#ports.language.read(text);
    if (!read.ok) return; // it was read before
    this.#accepted = text;
    this.#rules = read.rules;
    this.#troubles = [];
    this.#ports.onAccepted?.(text);
  }

  async #record(by: string, loosens: readonly string[], about: JsonObject = {}, text: PolicyText = this.#accepted): Promise<void> {
    const { ledger, now } = this.#ports;
    this.#recordedAt = now();
    const policy = { hash: hashOf(text), text, repositories: this.#repositories.stored() };
    const value: JsonObject = { type: "control.policy", by, at: new Date(now()).toISOString(), loosens, ...about, policy };
    const [verdict] = await ledger.append([ownSubmission("control.policy", by, value, now())]);
    if (verdict === undefined || !verdict.ok) throw new Error("The hub's own entry was refused.");
  }

  #complain(troubles: readonly string[]): void {
    this.#troubles = troubles;
    this.#ports.tell(`The rules in ${this.#ports.path} cannot be used, and the last good ones stay: ${troubles[0] ?? ""}`);
  }

  #stamp(): string {
    const stat = statSync(this.#ports.path, { throwIfNoEntry: false, bigint: true });
    return stat === undefined ? "none" : `${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`;
  }

  /** Undefined when it cannot be read. */
  #readFile(): PolicyText | undefined {
    const { path } = this.#ports;
    try {
      const stat = statSync(path, { throwIfNoEntry: false });
      if (stat === undefined) return null;
      if (!stat.isFile() || stat.size > LONGEST_BYTES) throw new Error("It is no file of at most a megabyte.");
      return readFileSync(path, "utf8");
    } catch (error) {
      this.#complain([error instanceof Error ? error.message : String(error)]);
      return undefined;
    }
  }

  /** Where the file is a link into a folder of settings, it stays one. */
  #writeFile(text: PolicyText): void {
    const { path } = this.#ports;
    if (text === null) rmSync(path, { force: true });
    else writePrivately(statSync(path, { throwIfNoEntry: false }) === undefined ? path : realpathSync(path), text);
  }
}

function differs(message: string): EarshotError {
  return new EarshotError({ code: "DIGEST_DIFFERS", message, hint: "Look at them again." });
}

function hashOf(text: PolicyText): string {
  return text === null ? "none" : createHash("sha256").update(text).digest("hex");
}

function repositoryHash({ path, text }: { readonly path: string; readonly text: PolicyText }): string {
  return createHash("sha256")
    .update(JSON.stringify([path, text]))
    .digest("hex");
}
