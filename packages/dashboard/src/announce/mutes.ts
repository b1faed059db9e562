import type { Mute } from "@earshot/announcer";
import { type SessionSource, sourceWords } from "@earshot/announcer";

/** Returns the form stored in the settings: `agent:codex`. */
export function writeMute(mute: Mute): string {
  if ("session" in mute) return `session:${mute.session}`;
  return "agent" in mute ? `agent:${mute.agent}` : `project:${mute.project}`;
}

/** Returns undefined for an invalid value: other scripts may write to a browser's storage. */
export function readMute(text: unknown): Mute | undefined {
  const [, kind, name] = (typeof text === "string" ? /^(session|agent|project):(.+)$/s.exec(text) : null) ?? [];
  if (name === undefined) return undefined;
  return kind === "session" ? { session: name } : kind === "agent" ? { agent: name } : { project: name };
}

export function readMutes(texts: readonly unknown[]): readonly Mute[] {
  return texts.map(readMute).filter((mute) => mute !== undefined);
}

/** Describes what is muted; a session is described by its source if that is known. */
export function muteWords(mute: Mute, find: (session: string) => SessionSource | undefined): string {
  if ("agent" in mute) return `the agent ${mute.agent}`;
  if ("project" in mute) return `the project ${mute.project}`;
  const source = find(mute.session);
  return source === undefined ? `the session ${mute.session}` : `this session of ${sourceWords(source)}`;
}
