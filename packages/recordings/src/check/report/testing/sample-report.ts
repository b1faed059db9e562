import type { Rule } from "@earshot/protocol";
import type { CheckReport, CoverageReport, FileProblem, FileReport, ReportContext } from "../../report.ts";

/** Reports for rendering tests. */

const NO_EXAMPLES = () => ({ passes: [], fails: [] });

const RULES: Readonly<Record<string, Rule>> = {
  "aaep/tool-completed-needs-invoked": {
    severity: "error",
    decided: "recording",
    section: "§4.5.2, A.7.3",
    title: "A tool call has `tool.invoked` before `tool.completed`.",
    hint: "Send `tool.invoked` with the same call id first.",
    level: 1,
    exercisedBy: ["agent.tool.completed"],
    examples: NO_EXAMPLES,
  },
  "aaep/irreversible-default-reject": {
    severity: "error",
    decided: "event",
    section: "§7.3",
    title: "An irreversible action is not accepted by silence.",
    hint: 'Set `default_decision` to "reject".',
    level: 2,
    exercisedBy: ["agent.awaiting.confirmation"],
    examples: NO_EXAMPLES,
  },
  "aaep/summary-short": {
    severity: "warning",
    decided: "event",
    section: "§4.6",
    title: "A summary is short enough to be spoken.",
    hint: "Keep the summary below 200 characters.",
    level: 0,
    exercisedBy: ["*"],
    examples: NO_EXAMPLES,
  },
  "aaep/unknown-type": {
    severity: "info",
    decided: "event",
    section: "§3.1",
    title: "Types outside the specification carry a prefix.",
    hint: "Prefix the type with a domain of yours.",
    level: 0,
    exercisedBy: ["*"],
    examples: NO_EXAMPLES,
  },
};

export const CONTEXT: ReportContext = {
  ruleOf: (id) => RULES[id],
  kindOf: (code) => (code === "NOT_JSON" ? { title: "The text is not JSON", help: "One JSON object per line." } : undefined),
  version: "1.2.3",
  colour: false,
  width: 0,
};

export function sampleProblem(rule: string, line: number, more: Partial<FileProblem> = {}): FileProblem {
  const { severity = "error", decided = "event", hint = "Mend it." } = RULES[rule] ?? {};
  return {
    severity,
    code: decided === "event" ? "EVENT_INVALID" : "SEQUENCE_BROKEN",
    rule,
    line,
    eventId: `evt_${line}`,
    sessionId: "ses_1",
    message: `What was found on line ${line}.`,
    hint,
    ...more,
  };
}

export function sampleFile(more: Partial<FileReport> = {}): FileReport {
  const problems = more.problems ?? [];
  const count = (severity: string) => problems.filter((one) => one.severity === severity).length;
  const counts = { error: count("error"), warning: count("warning"), info: count("info") };
  return {
    file: "recording.jsonl",
    ok: counts.error === 0,
    protocol: "aaep",
    events: 120,
    messages: 0,
    sessions: 4,
    counts,
    problems,
    omitted: 0,
    accepted: [],
    notes: [],
    ...more,
  };
}

export function sampleReport(more: Partial<CheckReport> = {}): CheckReport {
  const files = more.files ?? [sampleFile()];
  return {
    ok: files.every(({ ok }) => ok),
    protocol: "aaep",
    catalogue: { version: "1", date: "2026-11-15" },
    strict: false,
    files,
    coverage: [],
    notes: [],
    ...more,
  };
}

export const COVERAGE: CoverageReport = {
  protocol: "aaep",
  level: 2,
  levelName: "Interactive",
  exercised: ["aaep/tool-completed-needs-invoked", "aaep/summary-short"],
  notExercised: ["aaep/irreversible-default-reject"],
  liveOnly: ["aaep/heartbeat-interval", "aaep/resume-after-reconnect"],
  required: false,
};

/** Three errors of two rules, a warning, a note, a broken line, an accepted problem and a remark. */
export const BROKEN_FILE: FileReport = sampleFile({
  problems: [
    { severity: "error", code: "NOT_JSON", line: 3, message: "Unexpected token ' at column 2.", hint: "Write one JSON object per line." },
    sampleProblem("aaep/tool-completed-needs-invoked", 14, {
      message: 'agent.tool.completed names the call "call_9", which was never invoked.',
      pointer: "/tool_call_id",
      since: 9,
    }),
    sampleProblem("aaep/unknown-type", 15, { message: 'The type "banana" is not in the specification.', pointer: "/type" }),
    sampleProblem("aaep/summary-short", 18, { message: "The summary has 4,210 characters.", pointer: "/summary" }),
    sampleProblem("aaep/tool-completed-needs-invoked", 22, { pointer: "/tool_call_id" }),
    sampleProblem("aaep/tool-completed-needs-invoked", 31, { pointer: "/tool_call_id" }),
    sampleProblem("aaep/irreversible-default-reject", 40, {
      message: "The action cannot be undone, yet its default is accept.",
      pointer: "/confirmation/default_decision",
    }),
  ],
  accepted: [{ ...sampleProblem("aaep/summary-short", 60), reason: "The vendor mends it in May." }],
  notes: ["The baseline entry for aaep/gone matched nothing and can be deleted."],
});

export const CLEAN_FILE: FileReport = sampleFile({ file: "clean.jsonl" });

export const SAMPLE_REPORT: CheckReport = sampleReport({
  files: [BROKEN_FILE, CLEAN_FILE],
  coverage: [COVERAGE],
  notes: ["AOP has no levels; its events were left out of the coverage."],
});

/** Hostile text from an agent: escapes, forged lines, tags, ends of CDATA, overrides, NUL, a lone surrogate. */
export const HOSTILE_TEXT =
  "\u001b[2J\u001b]0;owned\u0007\u009b31m\r\nok: conforms\u0000\u202egnp.exe\u2066\u200b\u2028\ufffe\ud800]]>--><script>steal()</script>" +
  "<img src=x onerror=steal()>\"'&amp;&lt;<!ENTITY x> onmouseover=steal() [click](javascript:steal()) {0} 👩‍💻";

/** Characters that a terminal interprets or that mislead a reader. Line breaks are excluded, because the renderers write them. */
export const OBEYED_CHARACTERS = /[[\p{Cc}\p{Cs}\u200b\u2028-\u202e\u2066-\u2069\ufffe]--\n]/v;

/** A report with hostile text in every text field. */
export function hostileReport(): CheckReport {
  const bad = (severity: FileProblem["severity"], line: number): FileProblem => ({
    severity,
    code: "EVENT_INVALID",
    rule: `aaep/${HOSTILE_TEXT}`,
    line,
    eventId: HOSTILE_TEXT,
    sessionId: HOSTILE_TEXT,
    pointer: `/${HOSTILE_TEXT}`,
    message: HOSTILE_TEXT,
    hint: HOSTILE_TEXT,
    since: 1,
  });
  return sampleReport({
    ok: false,
    catalogue: { version: HOSTILE_TEXT, date: HOSTILE_TEXT },
    notes: [HOSTILE_TEXT],
    files: [
      sampleFile({
        file: `dir/${HOSTILE_TEXT}.jsonl`,
        problems: [bad("error", 2), bad("error", 5), bad("warning", 6), bad("info", 7)],
        accepted: [{ ...bad("warning", 8), reason: HOSTILE_TEXT }],
        notes: [HOSTILE_TEXT],
      }),
    ],
    coverage: [
      {
        ...COVERAGE,
        levelName: HOSTILE_TEXT,
        exercised: [HOSTILE_TEXT],
        notExercised: [HOSTILE_TEXT],
        liveOnly: [HOSTILE_TEXT],
        required: true,
      },
    ],
  });
}

export const HOSTILE_RULE: Rule = {
  severity: "error",
  decided: "event",
  section: HOSTILE_TEXT,
  title: HOSTILE_TEXT,
  hint: HOSTILE_TEXT,
  level: 1,
  exercisedBy: [],
  examples: NO_EXAMPLES,
};

export const HOSTILE_CONTEXT: ReportContext = { ...CONTEXT, ruleOf: () => HOSTILE_RULE, version: HOSTILE_TEXT };

/** A file with a hundred thousand occurrences of one mistake. */
export function hugeReport(): CheckReport {
  const problems = Array.from({ length: 100_000 }, (_, index) => sampleProblem("aaep/tool-completed-needs-invoked", index + 1));
  return sampleReport({ files: [sampleFile({ problems, events: 100_000 })] });
}
