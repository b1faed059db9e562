import { dirname, join } from "node:path";
import type { AgentCard, JsonFormat } from "@earshot/agents";
import type { RegisteredCallOf } from "./entries.ts";
import { gatingReads } from "./gated-reads.ts";
import { type HookLine, projectCommand, quoteArgument, userCommand } from "./hook-command.ts";
import { type OwnPart, sharedPart, wholePart } from "./own-part.ts";
import { type InstallPlace, launcherPath, settingsFile, settingsFolderOf } from "./place.ts";
import { pluginText } from "./plugin-text.ts";
import type { Record } from "./record.ts";
import type { Registration } from "./registrations.ts";
import { neutralOf, registrationsFor } from "./registrations.ts";
import { digestOfText, readSettingsText } from "./settings-file.ts";

/** One file of an agent and Earshot's part in it. */
export interface InstallTarget {
  readonly card: AgentCard;
  readonly path: string;
  readonly part: OwnPart;
  /** For a new file. */
  readonly mode: number;
}

export interface TargetOptions {
  readonly version?: string | undefined;
  /** The hub's address, if observing hooks use HTTP. */
  readonly httpUrl?: string | undefined;
}

/** The planned change of one file. */
export type FilePlan =
  | { readonly kind: "same"; readonly target: InstallTarget }
  | { readonly kind: "refused"; readonly target: InstallTarget; readonly why: string }
  | {
      readonly kind: "write";
      readonly target: InstallTarget;
      /** The current text; null for none. */
      readonly before: string | null;
      readonly after: string;
      /** The text without Earshot's part, to which a removal returns. */
      readonly base: string | null;
      readonly mode: number;
    };

/** An agent's files in a scope. */
export function targetsFor(card: AgentCard, place: InstallPlace, options: TargetOptions = {}): readonly InstallTarget[] {
  const found = settingsFile(card, place);
  if (found === undefined) return [];
  const { path, format } = found;
  const gated = place.holdsReads === true ? gatingReads(card) : card;
  const registrations = registrationsFor(gated, options.version);
  const callOf = callsFor(card, place, options.httpUrl);
  if (format.kind === "scripts") {
    return registrations.map((registration) => ({
      card,
      path: join(path, registration.hook),
      part: wholePart(
        `#!/bin/sh\n# Written by \`earshot init\`; \`earshot remove\` takes it away.\n${scriptLine(callOf(registration).command)}\n`,
      ),
      mode: 0o755,
    }));
  }
  if (format.kind === "plugin") return [{ card, path, part: wholePart(pluginText(format, gated, launcherExpression(place))), mode: 0o644 }];
  const shared: InstallTarget = {
    card,
    path,
    part: sharedPart(card, format, { registrations, callOf }),
    mode: place.scope === "user" ? 0o600 : 0o644,
  };
  return [...besides(card, place, registrations, format.kind === "json" ? format : undefined), shared];
}

export function planFile(target: InstallTarget, record: Record): FilePlan {
  const { path, part } = target;
  const now = readSettingsText(path);
  if (!now.ok) return { kind: "refused", target, why: now.why };
  const { text } = now;
  if (text !== null && part.isIn(text)) return { kind: "same", target };
  const known = record.find(path);
  const kept = known !== undefined && text !== null && digestOfText(text) === known.wrote ? record.readBackup(known) : undefined;
  const stripped =
    kept !== undefined ? { ok: true as const, text: kept } : text === null ? { ok: true as const, text: null } : part.remove(text);
  if (!stripped.ok) return { kind: "refused", target, why: stripped.why };
  const base = stripped.text;
  const added = part.add(base ?? "");
  if (!added.ok) return { kind: "refused", target, why: added.why };
  // A file with only Earshot's part is deleted.
  const isOwnFile = kept === undefined && base === "" && text !== "";
  return { kind: "write", target, before: text, after: added.text, base: isOwnFile ? null : base, mode: now.mode ?? target.mode };
}

function callsFor(card: AgentCard, place: InstallPlace, httpUrl: string | undefined): RegisteredCallOf {
  const launcher = launcherPath(place);
  const neutral = neutralOf(card);
  const format = settingsFile(card, place)?.format;
  const isHttp = httpUrl !== undefined && format?.kind === "json" && format.handler.http === true;
  return (registration) => {
    const line = lineOf(card, launcher, registration);
    if (format?.kind === "json" && format.handler.command === "script")
      return { command: quoteArgument(scriptPath(card, place, registration), place.platform) };
    const command = place.scope === "user" ? userCommand(line, place.platform) : projectCommand(line, place.userHome, neutral);
    if (place.platform === "win32" && format?.kind === "json" && format.handler.command === "bash")
      return { command: `& ${command}`, isPowershell: true };
    // Gating hooks run a command, because an agent lets a tool run when a URL does not answer.
    return isHttp && registration.moment === "observe" ? { command, url: `${httpUrl}/hooks/${card.slug}?observe=1` } : { command };
  };
}

function lineOf(card: AgentCard, launcher: string, { hook, timeoutS, watchOnly }: Registration): HookLine {
  return { launcher, agent: card.slug, hook, seconds: timeoutS, watchOnly };
}

function scriptLine(command: string): string {
  return command.startsWith("if ") ? command : `exec ${command}`;
}

function scriptPath(card: AgentCard, place: InstallPlace, { hook }: Registration): string {
  return join(dirname(launcherPath(place)), `earshot-hook.${card.slug}.${hook}`);
}

/** Further files that an agent's settings need. */
function besides(
  card: AgentCard,
  place: InstallPlace,
  registrations: readonly Registration[],
  format: JsonFormat | undefined,
): readonly InstallTarget[] {
  if (format === undefined) return [];
  const settings = card[place.scope];
  const folder = settings === undefined ? "" : settingsFolderOf(settings, place);
  const files = (format.beside ?? []).map(({ file, text }) => ({ card, path: join(folder, file), part: wholePart(text), mode: 0o644 }));
  if (format.handler.command !== "script") return files;
  const launcher = launcherPath(place);
  const scripts = registrations.map((registration) => ({
    card,
    path: scriptPath(card, place, registration),
    part: wholePart(`#!/bin/sh\nexec ${userCommand(lineOf(card, launcher, registration), "linux")}\n`),
    mode: 0o700,
  }));
  return [...files, ...scripts];
}

/** In a project, the launcher is in the home of the user who runs the plugin. */
function launcherExpression(place: InstallPlace): string {
  const launcher = launcherPath(place);
  if (place.scope === "project" && launcher.startsWith(`${place.userHome}/`))
    return `homedir() + ${JSON.stringify(launcher.slice(place.userHome.length))}`;
  return JSON.stringify(launcher);
}
