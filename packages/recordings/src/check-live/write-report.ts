import { writeFile } from "node:fs/promises";
import { EarshotError } from "@earshot/protocol/problem";
import { type CommandIo, EXIT } from "@earshot/terminal/io";
import { VERSION } from "@earshot/terminal/version";
import { toTerminalJson } from "../check/report/json.ts";
import type { LiveReport, LiveReportFinding } from "./live-report.ts";
import { renderLiveHtml } from "./report/html.ts";
import { liveClosing, renderLiveText } from "./report/text.ts";

export interface LiveReportOptions {
  readonly json: boolean;
  /** The page's path; undefined for none. */
  readonly html: string | undefined;
}

/** Prints the report, writes the page if requested, and returns the exit code. */
export async function writeLiveReport(report: LiveReport, { json, html }: LiveReportOptions, io: CommandIo): Promise<number> {
  if (html !== undefined) {
    await writeFile(html, renderLiveHtml(report)).catch((cause: unknown) => {
      const hint = "Check that the folder exists and may be written to.";
      throw new EarshotError({ code: "WRONG_USAGE", message: `The report cannot be written to ${html}.`, hint }, { cause });
    });
  }
  io.out(json ? renderLiveJson(report) : renderLiveText(report, { colour: io.terminal.colour, width: io.terminal.width }));
  // Showing nothing at all is not the same as conforming.
  if (report.ok && report.scenarios.every((scenario) => scenario.outcome === "not-shown")) return EXIT.unusable;
  return report.ok ? EXIT.ok : EXIT.found;
}

/** For programs. The members up to `scenarios` are stable; later ones may grow. A finding always has all its members. */
export function renderLiveJson(report: LiveReport): string {
  return toTerminalJson({
    ok: report.ok,
    role: report.role,
    peer: report.peer,
    level: report.level,
    scenarios: report.scenarios.map(({ name, title, level, outcome, reason, findings, shown }) => ({
      name,
      outcome,
      reason: reason ?? null,
      findings: findings.map(toMembers),
      level,
      title,
      shown,
    })),
    transport: report.transport,
    levelName: report.levelName,
    strict: report.strict,
    requiresAll: report.requiresAll,
    rules: { shown: report.shown, notShown: report.notShown },
    events: report.events,
    durationMs: Math.round(report.durationMs),
    catalogue: { version: report.catalogue.version, date: report.catalogue.date },
    generator: { name: "earshot", version: VERSION, statement: liveClosing(report) },
  });
}

function toMembers({ severity, rule, section, message, hint, eventId, sessionId, pointer }: LiveReportFinding) {
  return { severity, rule, section, eventId: eventId ?? null, sessionId: sessionId ?? null, pointer: pointer ?? null, message, hint };
}
