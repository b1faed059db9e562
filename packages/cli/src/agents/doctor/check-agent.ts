import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { AgentCard } from "@earshot/agents";
import type { RecordedFile } from "../record.ts";
import { type DoctorFinding, fineFinding, noteFinding, troubleFinding } from "./finding.ts";

/** A running program with its arguments and start time. */
export interface RunningProgram {
  readonly pid: number;
  readonly words: readonly string[];
  readonly startedAt: number;
}

/** Whether an agent uses its registration. `heardAt` is the time of its last event at the hub. */
export function checkAgent(
  card: AgentCard,
  files: readonly RecordedFile[],
  seen: { readonly heardAt: number | undefined; readonly programs: readonly RunningProgram[] },
): readonly DoctorFinding[] {
  const registeredAt = Math.max(...files.map(({ at }) => Date.parse(at)));
  const { restart, trust } = card.afterwards;
  const old = restart === undefined ? [] : seen.programs.filter((program) => isOf(card, program) && program.startedAt < registeredAt);
  const untrusted = card.slug === "codex" ? files.filter((file) => !isTrustedByCodex(file)) : [];
  const isHeard = seen.heardAt !== undefined && seen.heardAt >= registeredAt;
  return [
    ...old.map(({ pid }) =>
      troubleFinding("needs-restart", `It runs since before its hooks were registered (process ${pid}).`, restart ?? "", card.name),
    ),
    ...untrusted.map(({ path }) =>
      troubleFinding("not-trusted", `Codex has not been told to trust the hooks in ${path}, and skips them.`, trust ?? "", card.name),
    ),
    ...(card.slug === "codex" ? files.filter(isOffInCodex) : []).map(({ path }) =>
      troubleFinding(
        "hooks-off",
        `${join(dirname(path), "config.toml")} switches hooks off.`,
        "Take `hooks = false` out of its [features].",
        card.name,
      ),
    ),
    isHeard
      ? fineFinding("heard", "The hub has received events since it was registered.", card.name)
      : noteFinding(
          "not-heard",
          "The hub has received no events since it was registered.",
          card.name,
          [trust, restart, "Let the agent do something, then check again."].filter((one) => one !== undefined).join(" "),
        ),
  ];
}

/** Codex stores every reviewed hook in a settings table named after the file. */
export function isTrustedByCodex({ path }: Pick<RecordedFile, "path">): boolean {
  try {
    const text = readFileSync(join(dirname(path), "config.toml"), "utf8");
    return [...text.matchAll(/^\[hooks\.state\.("(?:[^"\\]|\\.)*"|'[^']*')\]/gm)].some(([, name = ""]) => {
      const key = name.startsWith("'") ? name.slice(1, -1) : unquote(name);
      return key.startsWith(`${path}:pre_tool_use:`);
    });
  } catch {
    return false; // no settings at all, so that nothing was trusted
  }
}

function isOffInCodex({ path }: Pick<RecordedFile, "path">): boolean {
  try {
    const text = readFileSync(join(dirname(path), "config.toml"), "utf8");
    return (
      /^\[features\][^[]*?^[ \t]*(?:codex_)?hooks[ \t]*=[ \t]*false/ms.test(text) ||
      /^[ \t]*features\.(?:codex_)?hooks[ \t]*=[ \t]*false/m.test(text)
    );
  } catch {
    return false; // no settings: hooks are on
  }
}

function unquote(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return ""; // an escape that JSON has not
  }
}

/** The program itself, or a script run by Node, Bun or Python. */
function isOf({ programs }: AgentCard, { words }: RunningProgram): boolean {
  const [first = "", second = ""] = words.map((word) => basename(word).replace(/\.(?:exe|cmd|js|mjs|cjs)$/, ""));
  return programs.includes(first) || (/^(?:node|bun|deno|python[\d.]*)$/.test(first) && programs.includes(second));
}
