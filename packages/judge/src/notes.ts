import { type Finding, findingToProblem, ruleOf } from "@earshot/protocol";
import type { NewRequest } from "./decision.ts";
import type { Sha256 } from "./labels.ts";
import type { Flag, RedactionMark } from "./submission.ts";

/**
 * Flags, redactions and the import mark as stored. Severity and hint are looked up in the rule catalogue when read, so a better hint also
 * applies to old entries and stored flags stay small.
 */
export interface EntryNotes {
  readonly flags: readonly Flag[];
  readonly redactions: readonly RedactionMark[];
  readonly isHistory?: true;
}

/** The request an entry opened. It is part of the entry's hash, so that the request's row can be compared with it. */
export interface OpenedRequest extends Pick<NewRequest, "id" | "kind" | "deadlineAt"> {
  /** SHA-256 of everything shown. */
  readonly shown: string;
}

const NO_NOTES: EntryNotes = Object.freeze({ flags: Object.freeze([]), redactions: Object.freeze([]) });

export function writeNotes({ flags, redactions, isHistory }: EntryNotes, request?: OpenedRequest): string | null {
  if (flags.length === 0 && redactions.length === 0 && isHistory === undefined && request === undefined) return null;
  return JSON.stringify({
    ...(isHistory === undefined ? {} : { isHistory }),
    ...(flags.length === 0 ? {} : { flags: flags.map(shorten) }),
    ...(redactions.length === 0 ? {} : { redactions }),
    ...(request === undefined ? {} : { request }),
  });
}

export function toOpenedRequest({ id, kind, deadlineAt, card, digest }: NewRequest, sha256: Sha256): OpenedRequest {
  return { id, kind, deadlineAt, shown: sha256(JSON.stringify([card, digest])) };
}

/** Also undefined for requests opened by versions that did not note it. */
export function readOpenedRequest(notes: string | null): OpenedRequest | undefined {
  if (notes === null || !notes.includes('"request":')) return undefined;
  try {
    return (JSON.parse(notes) as { request?: OpenedRequest }).request;
  } catch {
    return undefined;
  }
}

/** Damaged notes are read as empty: verification reports them, and they must not hide the surrounding entries. */
export function readNotes(text: string | null): EntryNotes {
  if (text === null) return NO_NOTES;
  try {
    const { flags = [], redactions = [], isHistory } = JSON.parse(text) as Partial<EntryNotes> & { flags?: StoredFlag[] };
    return { flags: flags.map(complete), redactions, ...(isHistory === true ? { isHistory } : {}) };
  } catch {
    return NO_NOTES;
  }
}

/** A finding as a flag on the entry at `position`. */
export function toFlag(finding: Finding, at: number, position: number): Flag {
  const rule = ruleOf(finding.rule);
  const problem =
    rule === undefined ? { severity: "error" as const, code: "INTERNAL" as const, ...finding } : findingToProblem(finding, rule);
  return {
    ...problem,
    ...(at === position ? {} : { at }),
    ...(finding.since === undefined ? {} : { since: finding.since }),
  };
}

type StoredFlag = Omit<Flag, "severity" | "code" | "hint"> & Partial<Pick<Flag, "severity" | "code" | "hint">>;

function shorten(flag: Flag): StoredFlag {
  const rule = flag.rule === undefined ? undefined : ruleOf(flag.rule);
  if (rule === undefined) return flag;
  const { severity: _severity, code: _code, hint, ...rest } = flag;
  return hint === undefined || hint === rule.hint ? rest : { ...rest, hint };
}

function complete(stored: StoredFlag): Flag {
  const rule = stored.rule === undefined ? undefined : ruleOf(stored.rule);
  if (rule === undefined) return { ...stored, severity: stored.severity ?? "error", code: stored.code ?? "INTERNAL" };
  return { ...findingToProblem({ ...stored, rule: stored.rule ?? "" }, rule), ...stored };
}
