import { existsSync } from "node:fs";
import { isPostgresAddress, type LedgerHistory, ledgerLocation, openHistoryAt as openLedgerHistory } from "@earshot/hub";
import { hubHomeOf } from "@earshot/hub/home";
import { EarshotError } from "@earshot/protocol/problem";
import type { CommandIo } from "@earshot/terminal/io";
import { createUsageError } from "@earshot/terminal/usage";
import { readDuration } from "../keeping/quantities.ts";

/** The history recorded by this user's hub, whether or not it runs. */
export async function openHubHistory(): Promise<LedgerHistory> {
  const ledger = ledgerLocation(hubHomeOf(process.env));
  if (!isPostgresAddress(ledger) && !existsSync(ledger))
    throw new EarshotError({ code: "FILE_UNREADABLE", message: "No events are recorded yet.", hint: "Start a hub: earshot start" });
  return await openLedgerHistory(ledger);
}

/** `30d`, `12h`, or a date: Unix milliseconds. */
export function readSince(text: string, now: number): number {
  if (/^\d{1,6}[smhdw]$/.test(text)) return now - readDuration(text, "--since");
  const date = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z?)?$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(date)) throw createUsageError(`--since cannot be ${JSON.stringify(text)}.`, "30d, 12h, or a date such as 2026-05-01");
  return date;
}

const FIRST_AFTER_MS = 1000;
const EVERY_MS = 3000;

/** Prints occasional progress lines after one second. Lines are never rewritten, and none are printed without a terminal. */
export function slowProgress({ terminal, err }: CommandIo, doing: string): (part: number) => void {
  if (!terminal.err) return () => {};
  let tellAt = performance.now() + FIRST_AFTER_MS;
  return (part) => {
    const now = performance.now();
    if (now < tellAt) return;
    tellAt = now + EVERY_MS;
    err(`${doing}: ${Math.floor(part * 100)} %\n`);
  };
}
