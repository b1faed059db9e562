import { identityKeyEnd, nameLabel, numberLabel, repeatKeyEnd, type Sha256, sessionLabel, sourceLabel, toSessionName } from "./labels.ts";
import type { Lookups, NumberLookup, Operation, SessionLookup, SourceName, SourceSession } from "./plan.ts";
import type { SessionCache } from "./session-cache.ts";
import type { Submission } from "./submission.ts";

/** The lookups needed to judge a batch. */
export function findLookups(batch: readonly Operation[], cache: SessionCache, sha256: Sha256): Lookups {
  const wanted = new Wanted(cache, sha256);
  for (const one of batch) {
    if ("append" in one) wanted.addSubmission(one.append);
    else if ("decide" in one) wanted.requests.add(one.decide.requestId);
    else wanted.addSession(one.saveState);
  }
  return wanted;
}

class Wanted implements Lookups {
  readonly sources = new Map<string, SourceName>();
  readonly sessions = new Map<string, SessionLookup>();
  readonly answered = new Map<string, SourceName & { name: string }>();
  readonly identities = new Map<string, SourceName & { keyEnd: string }>();
  readonly numbers = new Map<string, NumberLookup>();
  readonly names = new Map<string, SourceName & { name: string; agent: string }>();
  readonly requests = new Set<string>();
  readonly #cache: SessionCache;
  readonly #sha256: Sha256;

  constructor(cache: SessionCache, sha256: Sha256) {
    this.#cache = cache;
    this.#sha256 = sha256;
  }

  addSession(session: SourceSession): string {
    const label = sessionLabel(session);
    if (!this.sessions.has(label)) {
      this.sources.set(sourceLabel(session), session);
      this.sessions.set(label, { ...session, stateAt: this.#cache.get(label)?.last });
    }
    return label;
  }

  addSubmission(submission: Submission): void {
    const { identity, sequence, answerable, answers, agent } = submission;
    const own = toSessionName(submission);
    const { protocol, source } = own;
    const session = this.addSession(own);
    if (identity !== null) {
      const keyEnd = identityKeyEnd(identity, this.#sha256);
      this.identities.set(nameLabel(own, keyEnd), { protocol, source, keyEnd });
    } else if (sequence !== null && !(sequence > (this.#cache.get(session)?.highest ?? Number.POSITIVE_INFINITY))) {
      // A number above the highest one is nearly always new, which saves the digest and the lookup.
      const keyEnd = repeatKeyEnd(submission, this.#sha256);
      this.numbers.set(numberLabel(session, submission, keyEnd), { session, agent, sequence, keyEnd });
    }
    if (submission.request !== undefined) this.requests.add(submission.request.id);
    if (answers !== undefined) this.answered.set(nameLabel(own, answers), { protocol, source, name: answers });
    if (answerable !== undefined) {
      this.names.set(`${agent.length} ${agent} ${nameLabel(own, answerable)}`, { protocol, source, name: answerable, agent });
    }
  }
}
