import { homedir } from "node:os";
import { basename } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { EMPTY_POLICY, type Places, readPolicy } from "@earshot/policy";
import { type HubHome, takeSecret } from "../home.ts";
import { HookGate } from "../hooks/hook-gate.ts";
import { type AcceptedPolicy, readAccepted, writeAccepted } from "../hooks/local-rules.ts";
import { NativeHooks } from "../hooks/native-hooks.ts";
import type { HubContext } from "../hub-options.ts";
import type { RequestNotifier } from "../notify/notifier.ts";
import { createPolicyLanguage, UNREADABLE_TEXT } from "../policy/policy-language.ts";
import { PolicyStore } from "../policy/policy-store.ts";
import { followDiskLinks } from "../policy/repository-file.ts";
import { type UnreadableAnswer, unreadableAnswer } from "../policy/unreadable.ts";
import { hashPolicyText, readRulesText } from "../policy/watched-rules.ts";
import { RepeatedTask } from "../repeated-task.ts";
import { RequestEngine } from "../requests/engine.ts";
import { isMachineOpen } from "../requests/machine.ts";
import { RuleRemembering } from "../requests/rule-remembering.ts";
import type { AccessParts } from "./open-access.ts";
import type { RecordParts } from "./open-record.ts";

/** How soon it is noticed that an agent's hooks no longer block its calls, whatever the cause. */
const GATE_CHECK_MS = 2000;

/** Questions and what decides them: rules, then people. */
export interface DecisionParts {
  readonly engine: RequestEngine;
  readonly rules: PolicyStore;
  readonly places: Places;
  readonly hooks: HookGate;
  readonly native: NativeHooks;
  readonly remembering: RuleRemembering;
  readonly requestKey: string;
  readonly hookKey: string;
}

export async function openDecisions(context: HubContext, record: RecordParts, own: AccessParts): Promise<DecisionParts> {
  const { open, cluster, url, onFailure } = context;
  const { home } = context.options;
  const { ledger, sleep, redacts, meter } = record;
  const { access, alarm, agents, notifier } = own;
  const monotonic = () => performance.now();
  const places = { home: homedir(), earshot: home.folder, port: Number(new URL(url).port || 80) };
  const hookKey = takeSecret(home.hookKey);
  // While a hub of several does not run, the others accept rules.
  const copy = keepAcceptedCopy(home, hookKey, cluster.isAlone ? alarm : () => {});
  const rules = await PolicyStore.open({
    path: home.policy,
    language: createPolicyLanguage(basename(home.policy), { ...places, realPath: followDiskLinks }),
    ledger,
    now: cluster.now,
    monotonic,
    isShared: !cluster.isAlone,
    waitingAgents: () => agents.waiting(),
    onAccepted: (text, acceptedAgents) => {
      copy.write(text, acceptedAgents);
      context.options.onAccepted?.();
    },
    home: places.home,
    log: alarm,
    onFailure,
  });
  open.defer(() => rules.close());
  own.agentsAcceptedBy((slug, hash) => rules.isAgentAccepted(slug, hash));
  void agents.waiting().catch(onFailure); // what was changed while there was no hub is told at once
  const requestKey = takeSecret(home.requestKey);
  const engine = await RequestEngine.open({
    ledger,
    rules,
    places,
    secret: requestKey,
    monotonic,
    awake: () => sleep.awakeNow(),
    sleptUntil: () => sleep.sleptUntil,
    hasApprover: () => access.hasApprover,
    restricts: () => copy.unreadable() !== "nothing",
    now: cluster.now,
    redacts,
    meter,
    alarm,
    onFailure,
    isAlone: cluster.isAlone,
    fence: cluster.fence,
  });
  cluster.exchange({ ...engine.exchanged(), position: () => record.views.position });
  open.use(engine);
  void notify(notifier, engine)?.catch(onFailure);
  const hooks = new HookGate(engine, rules, { unreadable: copy.unreadable, onFailure });
  const native = new NativeHooks(agents, hooks, () => rules.hasRules());
  const { lookAtGates } = context.options;
  if (lookAtGates !== undefined) {
    const check = async () => {
      rules.look(); // the launcher carries what the rules in force say to an unreadable action
      for (const { name, reason, agent, advice } of engine.control.setFaults(await lookAtGates(native.folders())))
        alarm(`${name} is not gated: ${reason} ${advice}`, { agent });
    };
    void open.use(new RepeatedTask(check, onFailure, GATE_CHECK_MS)).run();
  }
  const remembering = new RuleRemembering({ engine, policy: rules, places, now: cluster.now });
  return { engine, rules, places, hooks, native, remembering, requestKey, hookKey };
}

/** The copy of the accepted rules that hooks read without a hub. The first text is compared with the previous hub's copy. */
function keepAcceptedCopy(home: HubHome, key: string, alarm: (message: string) => void) {
  let unreadable: UnreadableAnswer = "nothing";
  let isCompared = false;
  return {
    unreadable: () => unreadable,
    write(text: string | null, agents: Readonly<Record<string, string>>): void {
      const accepted = { ...toAccepted(text, basename(home.policy)), agents };
      if (!isCompared && isCopyOfOthers(home, key, { ...accepted, isEmpty: text === null })) {
        alarm("The accepted rules are not those that were in force when the hub last ran. Check them: earshot policy.");
      }
      isCompared = true;
      unreadable = unreadableAnswer(accepted.policy);
      writeAccepted(home.acceptedPolicy, key, accepted);
    },
  };
}

/**
 * Whether the copy for hooks holds other rules than the ledger. A hub that ended between accepting a file that tightens and recording it
 * left the file's rules in the copy; that file is accepted again.
 */
function isCopyOfOthers(
  { acceptedPolicy, policy }: HubHome,
  key: string,
  accepted: AcceptedPolicy & { readonly isEmpty: boolean },
): boolean {
  const copy = readAccepted(acceptedPolicy, key);
  if (copy === undefined) return !accepted.isEmpty;
  const isSame = copy.hash === accepted.hash && isDeepStrictEqual(copy.agents, accepted.agents);
  const file = readRulesText(policy);
  return !isSame && !(file.ok && copy.hash === hashPolicyText(file.text));
}

/** Shows pending requests on the desktop. */
function notify(notifier: RequestNotifier | undefined, engine: RequestEngine): Promise<void> | undefined {
  return notifier?.follow({
    wait: (after, ms, signal) => engine.news.wait(after, ms, signal),
    findOpen: async (request) => {
      const held = await engine.find(request);
      return isMachineOpen(held.machine) ? held.card.asked : undefined;
    },
  });
}

/** A text in force in the format for hooks. */
export function toAccepted(text: string | null, file: string): AcceptedPolicy {
  const read = (one: string) => readPolicy({ text: one, file, kind: "user" });
  const reading = text === null ? undefined : read(text);
  const counted = reading?.ok === false ? read(UNREADABLE_TEXT) : reading;
  return { hash: hashPolicyText(text), policy: counted?.ok === true ? counted.policy : EMPTY_POLICY };
}
