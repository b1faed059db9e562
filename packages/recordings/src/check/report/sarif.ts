import { createHash } from "node:crypto";
import { sep } from "node:path";
import type { Severity } from "@earshot/protocol";
import { plainText } from "@earshot/terminal/plain-text";
import type { AcceptedProblem, CheckReport, FileProblem, FileReport, ReportContext } from "../report.ts";
import { toTerminalJson } from "./json.ts";
import { checkClosing, omittedSentence } from "./phrases.ts";
import { problemIdOf } from "./problem-groups.ts";

const LEVELS: Readonly<Record<Severity, "error" | "warning" | "note">> = { error: "error", warning: "warning", info: "note" };

/** A problem with its file, before conversion to a result. */
interface Located {
  readonly file: FileReport;
  readonly problem: FileProblem;
  readonly suppressions: readonly object[];
}

/** SARIF 2.1.0, for code hosts and editors. */
export function renderSarif(report: CheckReport, context: ReportContext): string {
  const located = report.files.flatMap(locate);
  const firstOfRule = new Map<string, FileProblem>();
  for (const { problem } of located) if (!firstOfRule.has(problemIdOf(problem))) firstOfRule.set(problemIdOf(problem), problem);
  const ruleIndexes = new Map([...firstOfRule.keys()].map((id, index) => [id, index]));
  const fingerprint = createFingerprinter();
  return toTerminalJson({
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "Earshot",
            version: context.version,
            fullDescription: { text: plainText(checkClosing(report)) },
            rules: [...firstOfRule].map(([id, problem]) => toRule(id, problem, context)),
          },
        },
        invocations: [{ executionSuccessful: true, toolExecutionNotifications: notifications(report) }],
        results: located.map((one) =>
          toResult(one, { ruleIndex: ruleIndexes.get(problemIdOf(one.problem)) ?? -1, fingerprint: fingerprint(one) }),
        ),
        properties: {
          ok: report.ok,
          protocol: report.protocol,
          strict: report.strict,
          catalogue: { version: report.catalogue.version, date: report.catalogue.date },
          coverage: report.coverage,
        },
      },
    ],
  });
}

function locate(file: FileReport): readonly Located[] {
  const counted = file.problems.map((problem) => ({ file, problem, suppressions: [] }));
  const accepted = file.accepted.map((problem: AcceptedProblem) => ({
    file,
    problem,
    suppressions: [{ kind: "external", status: "accepted", justification: plainText(problem.reason) }],
  }));
  return [...counted, ...accepted];
}

function toRule(id: string, problem: FileProblem, { ruleOf, kindOf }: ReportContext) {
  const rule = problem.rule === undefined ? undefined : ruleOf(problem.rule);
  const kind = kindOf?.(problem.code);
  const title = plainText(rule?.title ?? kind?.title ?? `The problem ${id}`);
  const hint = plainText(rule?.hint ?? kind?.help ?? problem.hint);
  const section = rule === undefined ? undefined : plainText(rule.section);
  return {
    id,
    shortDescription: { text: title },
    fullDescription: { text: section === undefined ? title : `${sentence(title)} Specification: ${section}.` },
    help: { text: `${sentence(hint)} More: earshot check explain ${plainText(id)}` },
    defaultConfiguration: { level: LEVELS[rule?.severity ?? problem.severity] },
    ...(section === undefined ? {} : { properties: { section } }),
  };
}

function toResult({ file, problem, suppressions }: Located, { ruleIndex, fingerprint }: { ruleIndex: number; fingerprint: string }) {
  const { line, pointer, eventId, sessionId, since, code } = problem;
  const artifactLocation = { uri: artifactUri(file.file) };
  const hasPointer = pointer !== undefined && pointer !== "";
  return {
    ruleId: problemIdOf(problem),
    ruleIndex,
    level: LEVELS[problem.severity],
    message: { text: withoutLinks(plainText(`${sentence(problem.message)} ${problem.hint}`)) },
    locations: [
      {
        // Code hosts reject a result without a line, so a problem of the whole file is reported at line 1.
        physicalLocation: { artifactLocation, region: { startLine: Math.max(line, 1) } },
        ...(hasPointer ? { logicalLocations: [{ name: lastSegment(pointer), fullyQualifiedName: pointer, kind: "value" }] } : {}),
      },
    ],
    ...(since === undefined || since < 1
      ? {}
      : {
          relatedLocations: [
            {
              id: 1,
              physicalLocation: { artifactLocation, region: { startLine: since } },
              message: { text: "The earlier event concerned." },
            },
          ],
        }),
    partialFingerprints: { "earshotProblem/v1": fingerprint },
    suppressions,
    properties: { code, ...(eventId === undefined ? {} : { eventId }), ...(sessionId === undefined ? {} : { sessionId }) },
  };
}

/**
 * The fingerprint of a problem is stable when lines move and messages are reworded: it is derived from the subject of the problem and its
 * index among equal problems. It has its own name, because GitHub warns about every difference under the name of the fingerprint that it
 * computes itself.
 */
function createFingerprinter(): (located: Located) => string {
  const seen = new Map<string, number>();
  return ({ file, problem }) => {
    const about = [file.file, problemIdOf(problem), problem.eventId ?? null, problem.sessionId ?? null, problem.pointer ?? null];
    const digest = createHash("sha256").update(JSON.stringify(about)).digest("hex").slice(0, 32);
    const ordinal = (seen.get(digest) ?? 0) + 1;
    seen.set(digest, ordinal);
    return `${digest}:${ordinal}`;
  };
}

function notifications(report: CheckReport): readonly object[] {
  const ofFiles = report.files.flatMap((file) => {
    const locations = [{ physicalLocation: { artifactLocation: { uri: artifactUri(file.file) } } }];
    const omitted = omittedSentence(file);
    return [
      ...(omitted === "" ? [] : [{ level: "warning", message: { text: omitted }, locations }]),
      ...file.notes.map((note) => ({ level: "note", message: { text: withoutLinks(plainText(note)) }, locations })),
    ];
  });
  return [...ofFiles, ...report.notes.map((note) => ({ level: "note", message: { text: withoutLinks(plainText(note)) } }))];
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** `[text](target)` in a SARIF message is a link. Text from agents must not become one. */
function withoutLinks(text: string): string {
  return text.includes("](") ? text.replace(/[[\]\\]/g, "\\$&") : text;
}

function lastSegment(pointer: string): string {
  return pointer
    .slice(pointer.lastIndexOf("/") + 1)
    .replaceAll("~1", "/")
    .replaceAll("~0", "~");
}

/**
 * Converts a path to a URI reference for SARIF: relative paths stay relative (code hosts resolve them against the repository), absolute
 * paths become `file:` URIs.
 */
export function artifactUri(path: string, separator: string = sep): string {
  const slashed = separator === "/" ? path : path.replaceAll(separator, "/");
  const drive = /^[a-z]:\//i.exec(slashed)?.[0];
  if (drive !== undefined) return `file:///${drive}${encodePath(slashed.slice(drive.length))}`;
  if (slashed.startsWith("//")) return `file:${encodePath(slashed)}`;
  return slashed.startsWith("/") ? `file://${encodePath(slashed)}` : encodePath(slashed);
}

/** A lone surrogate cannot be encoded. */
function encodePath(path: string): string {
  return path
    .toWellFormed()
    .split("/")
    .map((segment) => encodeURIComponent(segment))
    .join("/");
}
