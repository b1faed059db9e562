import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { confirmationNow, hookEventNow } from "../../requests/testing/asked-now.ts";
import { callJson as call } from "./test-device.ts";

type Headers = Readonly<Record<string, string>>;
type Body = Readonly<Record<string, unknown>>;

export const VICTIM_POLICY = `# My rules.
extends: guard
rules:
  - name: never-wipe
    match: { tool: Bash, command: wipe }
    answer: deny
  - name: dry-runs
    match: { tool: Bash, command: wipe --dry }
    answer: allow
  - name: look-at-deploys
    match: { tool: Bash, command: deploy }
    answer: ask
    hold: always
  - name: look-at-mail
    match: { tool: Bash, command: mail }
    answer: ask
    hold: never
    unanswered: deny
`;
const REPOSITORY_POLICY =
  "rules:\n  - name: no-pushing\n    match: { tool: Bash, command: git push }\n    answer: deny\n    message: Ask a maintainer.\n";

/** Calls made after each attempt, with the answers they get while no rule was loosened. */
const PROBES: Readonly<Record<string, string>> = {
  "wipe --all": "deny",
  "wipe --dry": "deny",
  "mail everybody": "deny",
  "git push": "deny",
  "rm -rf /": "ask",
  ls: "abstain",
};

/** State that an attempt must not change. */
export interface VictimSnapshot {
  /** All decisions attributed to a person, and every allow. */
  readonly decisions: readonly string[];
  readonly rules: readonly string[];
  readonly answers: Readonly<Record<string, string>>;
  readonly control: Body;
  readonly approvers: readonly string[];
}

/** An agent's request, and the answers its hook received. */
export interface VictimQuestion {
  readonly event: Body;
  readonly request: string;
  readonly digest: string;
  /** A confirmation of another agent. */
  readonly question: Body;
  readonly confirmation: string;
  heard(): string | undefined;
}

/** A hub with rules, a repository, an approver on another device, and an agent that waits for an answer. */
export interface Victim extends AsyncDisposable {
  readonly home: string;
  readonly repository: string;
  readonly url: string;
  /** Asks something new. Its hook waits, as does another agent's question. */
  ask(): Promise<VictimQuestion>;
  snapshot(): Promise<VictimSnapshot>;
  /** The person restores the rules. */
  writeRules(): void;
  /** The person decides on another device. */
  decide(path: string, body: object): Promise<Body>;
  read(path: string): Promise<Body>;
}

export interface VictimPlace {
  readonly url: string;
  readonly home: string;
  readonly repository: string;
  readonly approver: Headers;
}

/** Call before the hub starts. */
export function writeRules({ home, repository }: Pick<VictimPlace, "home" | "repository">): void {
  const policy = join(home, "policy.yaml");
  for (const path of [policy, join(repository, ".earshot")]) rmSync(path, { recursive: true, force: true });
  mkdirSync(join(repository, ".earshot"), { recursive: true });
  writeFileSync(policy, VICTIM_POLICY);
  writeFileSync(join(repository, ".earshot", "policy.yaml"), REPOSITORY_POLICY);
}

/** With a running hub and written rules. */
export async function openVictimAt(place: VictimPlace): Promise<Victim> {
  const { url, home, repository, approver } = place;
  const bearer = (file: string): Headers => ({ authorization: `Bearer ${readFileSync(join(home, file), "utf8").trim()}` });
  const viewer = () => bearer("viewer.token");
  const producer = () => bearer("producer.token");
  const { pending } = (await call(url, "/api/policy", undefined, viewer())) as { readonly pending: { readonly hash: string } | null };
  if (pending !== null) await call(url, "/api/policy/accept", { hash: pending.hash }, approver);

  const stop = new AbortController();
  const hooks: Promise<void>[] = [];
  let asked = 0;
  /** The agent's own hook, which polls while it waits. */
  const wait = async (event: Body, request: string, hear: (behaviour: string) => void): Promise<void> => {
    let again = false;
    while (!stop.signal.aborted) {
      try {
        const told: Body = again
          ? await call(url, "/aep/v1/hooks?wait=500", event, producer())
          : await call(url, `/aep/v1/hooks/${request}?wait=500`, undefined, producer());
        again = told["again"] === true;
        if (told["waits"] === false) return hear(String((told["response"] as { control: Body }).control["behavior"]));
      } catch {
        await pause(100); // no hub just now
      }
    }
  };
  const answerTo = async (command: string): Promise<string> => {
    const probe = hookEventNow(command, { session: { id: `session-probe-${asked++}` }, workspace: { cwd: repository } });
    const told = await call(url, "/aep/v1/hooks?wait=0", probe, producer());
    // Whether Earshot or the agent asks depends on presence.
    return told["waits"] === true ? "ask" : String((told["response"] as { control: Body }).control["behavior"]);
  };
  const read = (path: string) => call(url, path, undefined, viewer());

  const victim: Victim = {
    home,
    repository,
    url,
    async ask() {
      asked++;
      const event = hookEventNow("deploy shop", { workspace: { cwd: repository }, session: { id: `session-${asked}` } });
      const request = String((await call(url, "/aep/v1/hooks?wait=0", event, producer()))["request"]);
      const question = confirmationNow(`sess_${asked}`);
      const { request: confirming } = await call(url, "/v1/events", question, producer());
      const { digest } = await read(`/api/requests/${request}`);
      let heard: string | undefined;
      hooks.push(
        wait(event, request, (behaviour) => {
          heard = behaviour;
        }),
      );
      return { event, request, digest: String(digest), question, confirmation: String(confirming), heard: () => heard };
    },
    async snapshot() {
      const { text, repositories } = (await read("/api/policy")) as { text: string; repositories: readonly Body[] };
      const { pause: paused, away, stopped, remembered, kept } = await read("/api/control");
      const answers: Record<string, string> = {};
      for (const command of Object.keys(PROBES)) answers[command] = await answerTo(command);
      return {
        decisions: decisionsIn(join(home, "ledger.db")),
        rules: [text, ...repositories.map((one) => `${String(one["path"])}\n${String(one["text"])}`)],
        answers,
        control: { paused, away, stopped, remembered, kept },
        approvers: approversIn(join(home, "access.json")),
      };
    },
    writeRules: () => writeRules(place),
    decide: (path, body) => call(url, path, body, approver),
    read,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await Promise.all(hooks);
    },
  };
  const { answers } = await victim.snapshot();
  if (JSON.stringify(answers) === JSON.stringify(PROBES)) return victim;
  await victim[Symbol.asyncDispose]();
  throw new Error(`The rules answer ${JSON.stringify(answers)}, and not ${JSON.stringify(PROBES)}.`);
}

/** A person's decision, or an allow from any source. */
function decisionsIn(path: string): readonly string[] {
  using db = new DatabaseSync(path, { readOnly: true });
  const rows = db.prepare("SELECT text FROM entry WHERE kind = 2 AND type = 'decision' ORDER BY position").all();
  return rows.flatMap((row) => {
    const { state, by, answer, request } = JSON.parse(String(row["text"])) as Readonly<Record<string, string>>;
    const { word } = JSON.parse(String(answer)) as { readonly word: string };
    const isYes = word === "allow" || word === "accept" || word === "respond" || word === "take-over";
    return state === "answered-by-person" || isYes ? [`${request} ${word} by ${by}: ${state}`] : [];
  });
}

function approversIn(path: string): readonly string[] {
  const { devices, tokens, pin } = JSON.parse(readFileSync(path, "utf8")) as {
    readonly devices: readonly Body[];
    readonly tokens: readonly Body[];
    readonly pin?: { readonly hash: string };
  };
  return [...devices, ...tokens]
    .map(({ id, name, role }) => `${String(id)} ${String(name)}: ${String(role)}`)
    .concat(pin?.hash ?? "no PIN");
}
