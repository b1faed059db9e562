import { toJsonText } from "../../check/report/json-text.ts";
import { VERSION } from "../../version.ts";
import type { LiveFinding } from "../live-finding.ts";
import type { LiveReport } from "../live-report.ts";
import { closing } from "./sentences.ts";

/** For programs. The members up to `scenarios` are a promise; those after them may grow. A finding always has all its members. */
export function renderLiveJson(report: LiveReport): string {
  return toJsonText({
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
    generator: { name: "earshot", version: VERSION, statement: closing(report) },
  });
}

function toMembers({ severity, rule, section, message, hint, eventId, sessionId, pointer }: LiveFinding) {
  return { severity, rule, section, eventId: eventId ?? null, sessionId: sessionId ?? null, pointer: pointer ?? null, message, hint };
}
