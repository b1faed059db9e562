import { hash } from "node:crypto";
import type { EntryRow, JudgeSnapshot, WritePlan } from "@earshot/judge";
import type { EngineWrites, HashedEntryRow } from "./ledger-engine.ts";

/**
 * The chain of a session: each entry's hash covers the previous hash, the stored columns and the text. The first one covers the session's
 * name, so that entries cannot be moved to another session. Changing, removing or reordering an entry requires changing every later hash
 * of the session, which the seals cover.
 */
export type ChainLink = Omit<EntryRow, "session" | "repeated" | "nameUsedAt">;

/** The start of a session's chain. */
export function chainSeed(protocol: string, source: string, session: string): Buffer {
  return hash("sha256", `earshot chain 1\n${sized(protocol)}${sized(source)}${sized(session)}`, "buffer");
}

export function linkHash(before: Buffer, link: ChainLink): Buffer {
  return hash("sha256", linkText(before.toString("hex"), link), "buffer");
}

/** As `link`, in hexadecimal, as the next link begins: avoids a buffer per entry, which would cost as much as the hash. */
export function linkHex(before: string, link: ChainLink): string {
  return hash("sha256", linkText(before, link), "hex");
}

/** Length-prefixed, so that no two links are written alike. */
function linkText(before: string, link: ChainLink): string {
  const { position, receivedAt, kind, verified, type, agent, sequence, identity, said, notes, text } = link;
  const numbers = `${before} ${position} ${receivedAt} ${kind} ${verified} ${sequence ?? "-"} `;
  const digest = said === null ? "" : `said:${Buffer.from(said).toString("hex")} `;
  return `${numbers}${digest}${sized(type)}${sized(agent)}${sized(identity)}${sized(notes)}${text}`;
}

function sized(text: string | null): string {
  return text === null ? "- " : `${text.length}:${text} `;
}

/** Adds the hashes: each covers the previous one of its session. */
export function linkEntries(plan: WritePlan, snapshot: JudgeSnapshot): Omit<EngineWrites, "refusals" | "counts"> {
  const chainHeads = new Map<number, string>();
  const before = new Map<number, string>();
  for (const { key, chainHead } of snapshot.sessions.values()) if (chainHead !== "") before.set(key, chainHead);
  for (const { key, protocol, source, id } of plan.sessions) {
    if (!before.has(key)) before.set(key, chainSeed(protocol, source, id).toString("hex"));
  }
  const entries = plan.entries.map((entry): HashedEntryRow => {
    const linked = linkHex(chainHeads.get(entry.session) ?? before.get(entry.session) ?? "", entry);
    chainHeads.set(entry.session, linked);
    return { ...entry, hash: linked };
  });
  return { ...plan, entries, chainHeads };
}
