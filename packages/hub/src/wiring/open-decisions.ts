import { homedir } from "node:os";
import { basename } from "node:path";
import type { Places } from "@earshot/policy";
import { Engine } from "../decide/engine.ts";
import { HookDesk } from "../decide/hook-desk.ts";
import { isOpen } from "../decide/machine.ts";
import { createPolicyLanguage } from "../decide/policy-language.ts";
import { PolicyStore } from "../decide/policy-store.ts";
import { RememberDesk } from "../decide/remember-desk.ts";
import { takeSecret } from "../decide/secret.ts";
import { writeAccepted } from "../hooks/accepted-policy.ts";
import { NativeHooks } from "../hooks/native-hooks.ts";
import { toAccepted } from "../hooks/to-accepted.ts";
import type { Notifier } from "../notify/notifier.ts";
import type { Ground } from "./ground.ts";
import type { OpenAccess } from "./open-access.ts";
import type { OpenRecord } from "./open-record.ts";

/** What is asked, and what decides it: rules, then people. */
export interface OpenDecisions {
  readonly engine: Engine;
  readonly rules: PolicyStore;
  readonly places: Places;
  readonly hooks: HookDesk;
  readonly native: NativeHooks;
  readonly remembering: RememberDesk;
  readonly requestKey: string;
  readonly hookKey: string;
}

export async function openDecisions(ground: Ground, record: OpenRecord, own: OpenAccess): Promise<OpenDecisions> {
  const { open, onFailure } = ground;
  const { home } = ground.options;
  const { ledger, sleep, redacts } = record;
  const { alarm, agents, notifier } = own;
  const monotonic = () => performance.now();
  const places = { home: homedir(), earshot: home.folder };
  const hookKey = takeSecret(home.hookKey);
  const rules = await PolicyStore.open({
    path: home.policy,
    language: createPolicyLanguage(basename(home.policy), places),
    ledger,
    now: Date.now,
    monotonic,
    onAccepted: (text) => writeAccepted(home.acceptedPolicy, hookKey, toAccepted(text, basename(home.policy))),
    home: places.home,
    tell: alarm,
    onFailure,
  });
  const requestKey = takeSecret(home.requestKey);
  const engine = await Engine.open({
    ledger,
    rules,
    places,
    secret: requestKey,
    monotonic,
    awake: () => sleep.awakeNow(),
    sleptUntil: () => sleep.sleptUntil,
    now: Date.now,
    alarm,
    onFailure,
    isAlone: true, // the lock says so
  });
  open.use(engine);
  void notify(notifier, engine)?.catch(onFailure);
  const hooks = new HookDesk({ engine, ledger, rules, now: Date.now, onFailure });
  const native = new NativeHooks({ agents, engine, hooks, ledger, now: Date.now, redacts });
  const remembering = new RememberDesk({ engine, policy: rules, places, now: Date.now });
  return { engine, rules, places, hooks, native, remembering, requestKey, hookKey };
}

/** Tells the desktop what waits for a person, for as long as it does. */
function notify(notifier: Notifier | undefined, engine: Engine): Promise<void> | undefined {
  return notifier?.follow({
    wait: (after, ms, signal) => engine.news.wait(after, ms, signal),
    findOpen: async (request) => {
      const held = await engine.find(request);
      return isOpen(held.machine) ? held.card.asked : undefined;
    },
  });
}
