import { homedir } from "node:os";
import { resolve } from "node:path";
import type { AgentCard } from "@earshot/agents";
import { agentCards } from "@earshot/agents/files";
import { hubHomeOf, readAddress } from "@earshot/hub/home";
import { nearest } from "@earshot/protocol/nearest";
import { EarshotError } from "@earshot/protocol/problem";
import { findCard } from "./find-card.ts";
import { areReadsHeld } from "./gated-reads.ts";
import type { InstallPlace, InstallScope } from "./place.ts";
import { type InstallTarget, targetsFor } from "./plan.ts";
import type { Record } from "./record.ts";

type Environment = Readonly<{ [name: string]: string | undefined }>;

/** This machine and user, or a test's. */
export interface Installation {
  readonly env: Environment;
  readonly platform: NodeJS.Platform;
  readonly userHome: string;
  readonly project: string;
  readonly now: () => Date;
  /** Whether `earshot init` ends with a test call through each new hook, which starts a hub for a moment. */
  readonly provesGate?: boolean;
}

export function thisInstallation(): Installation {
  return {
    env: process.env,
    platform: process.platform,
    userHome: homedir(),
    project: process.cwd(),
    now: () => new Date(),
    provesGate: true,
  };
}

export function installPlaceFor({ env, platform, userHome, project }: Installation, scope: InstallScope): InstallPlace {
  const earshotHome = resolve(hubHomeOf(env).folder);
  for (const path of [earshotHome, userHome, project]) {
    if (/\p{Cc}/u.test(path))
      throw new EarshotError({
        code: "WRONG_USAGE",
        message: `A path holds a control character: ${JSON.stringify(path)}.`,
        hint: "Move it to a folder with an ordinary name.",
      });
  }
  if (scope === "project" && platform === "win32")
    throw new EarshotError({
      code: "WRONG_USAGE",
      message: "Hooks of a project are written for a POSIX shell, which Windows does not have.",
      hint: "earshot init --scope user",
    });
  return { env, platform, userHome, earshotHome, project, scope, holdsReads: areReadsHeld(env) };
}

/** The hub's address, or its default if none runs. */
export function hubUrl({ env }: Pick<Installation, "env">): string {
  return readAddress(hubHomeOf(env))?.url ?? "http://127.0.0.1:4747";
}

export function readScope(text: string): InstallScope {
  if (text === "user" || text === "project") return text;
  throw new EarshotError({ code: "WRONG_USAGE", message: `There is no scope ${JSON.stringify(text)}.`, hint: "It is user or project." });
}

/** Agents by the names that a person uses. */
export function namedCards(names: readonly string[]): readonly AgentCard[] {
  const wanted = names.flatMap((name) => name.split(",")).filter((name) => name.trim() !== "");
  const found = wanted.map((name) => {
    const card = findCard(name);
    if (card !== undefined) return card;
    const known = agentCards().map(({ slug }) => slug);
    const near = nearest(name, known);
    throw new EarshotError({
      code: "WRONG_USAGE",
      message: `There is no agent ${JSON.stringify(name)}.`,
      hint: near.length === 0 ? `Known: ${known.join(", ")}.` : `Did you mean ${near.join(", ")}?`,
    });
  });
  return [...new Set(found)];
}

/** All files that may contain Earshot's entries: the user's, this project's, and every recorded one. */
export function possibleTargets(
  installation: Installation,
  record: Record,
  {
    cards = agentCards(),
    scopes = ["user", "project"],
  }: { readonly cards?: readonly AgentCard[]; readonly scopes?: readonly InstallScope[] } = {},
): readonly InstallTarget[] {
  const places = scopes
    .filter((scope) => scope === "user" || installation.platform !== "win32")
    .map((scope) => installPlaceFor(installation, scope));
  const here = cards.flatMap((card) => places.flatMap((place) => targetsFor(card, place, { version: NEWEST_VERSION })));
  const elsewhere = record.files.flatMap(({ agent, scope, project, path }) => {
    const card = cards.find(({ slug }) => slug === agent);
    if (card === undefined || !scopes.includes(scope) || here.some((target) => target.path === path)) return [];
    const place = installPlaceFor({ ...installation, project: project ?? installation.project }, scope);
    return targetsFor(card, place, { version: NEWEST_VERSION }).filter((target) => target.path === path);
  });
  return [...here, ...elsewhere];
}

/** Includes the hooks of every version of an agent. */
export const NEWEST_VERSION = "9999.0.0";
