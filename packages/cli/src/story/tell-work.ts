import { formatDuration, spaceWords } from "@earshot/narrate";
import { jsonInWords } from "./json-in-words.ts";
import type { Tellers } from "./of-kind.ts";
import { given, labelled, riskInWords, when } from "./phrases.ts";

/** What agents do: calls, subagents, memory, what they reach outside. */
export const WORK: Tellers<
  | "tool.requested"
  | "tool.decided"
  | "tool.started"
  | "tool.ended"
  | "subagent.started"
  | "subagent.ended"
  | "memory"
  | "external.call"
  | "workspace.changed"
> = {
  "tool.requested": ({ callId, tool, toolTitle, toolKind, server, subject, input, risk, reversible, why, ...rest }) => ({
    what: `${nameOfCall({ tool, toolTitle, toolKind })} was requested`,
    remarks: [...given(when(server, serverInWords)), ...riskInWords(risk, reversible)],
    parts: labelled({ Input: inputInWords(input, subject), Why: why, "Call id": callId }),
    rest,
  }),
  "tool.started": ({ callId, tool, toolTitle, toolKind, server, subject, input, risk, reversible, why, ...rest }) => {
    const { summary, description, expectedMs, ...others } = rest;
    return {
      what: `${nameOfCall({ tool, toolTitle, toolKind })} started`,
      remarks: [
        ...given(
          when(server, serverInWords),
          when(expectedMs, (ms) => `expected to take ${formatDuration(ms)}`),
        ),
        ...riskInWords(risk, reversible),
      ],
      ...(summary === undefined ? {} : { words: summary }),
      parts: labelled({ Input: inputInWords(input, subject), Why: why, Description: description, "Call id": callId }),
      rest: others,
    };
  },
  "tool.decided": ({ callId, tool, requestEventId, verdict, behavior, by, why, message, policy, newInput, afterMs, ...rest }) => ({
    what: VERDICTS[verdict],
    ...(verdict === "denied" ? { tone: "warning" } : {}),
    remarks: given(
      when(tool, (name) => `call ${name}`),
      behavior !== undefined && !USUAL[verdict].includes(behavior) && behavior,
      when(by, (who) => `by ${who}`),
      when(policy, (name) => `policy ${name}`),
      when(afterMs, (ms) => `after ${formatDuration(ms)}`),
    ),
    parts: labelled({
      Why: why,
      Message: message,
      "New input": when(newInput, jsonInWords),
      "Call id": callId,
      "Answers event": callId === undefined ? requestEventId : undefined,
    }),
    rest,
  }),
  "tool.ended": ({ callId, tool, toolTitle, toolKind, server, subject, outcome, result, output, error, code, ...rest }) => {
    const { durationMs, input, ...others } = rest;
    return {
      what: `${nameOfCall({ tool, toolTitle, toolKind })} ${outcomeInWords(outcome, durationMs)}`,
      tone: outcome === "failed" || outcome === "timeout" ? "bad" : outcome === "denied" ? "warning" : "plain",
      remarks: given(when(server, serverInWords)),
      parts: labelled({
        Input: inputInWords(input, subject),
        Result: result ?? when(output, jsonInWords),
        Error: error,
        "Error code": code,
        "Call id": callId,
      }),
      rest: others,
    };
  },
  "subagent.started": ({ child, childAgent, goal, why, callId, ...rest }) => ({
    what: `Subagent ${childAgent ?? ""} started`.replace("  ", " "),
    parts: labelled({ Goal: goal, Why: why, "Child session": child, "Call id": callId }),
    rest,
  }),
  "subagent.ended": ({ child, childAgent, outcome, result, durationMs, callId, ...rest }) => ({
    what: `Subagent ${childAgent ?? ""} ended`.replace("  ", " "),
    remarks: given(
      outcome,
      when(durationMs, (ms) => `after ${formatDuration(ms)}`),
    ),
    parts: labelled({ Result: result, "Child session": child, "Call id": callId }),
    rest,
  }),
  memory: ({ operation, key, summary, ...rest }) => ({
    what: operation === undefined ? "Memory" : `Memory ${operation}`,
    ...(summary === undefined ? {} : { words: summary }),
    parts: labelled({ Key: key }),
    rest,
  }),
  "external.call": ({ method, target, status, durationMs, error, ...rest }) => ({
    what: `External call${method === undefined ? "" : ` ${method}`}`,
    ...((status !== undefined && status >= 400) || error !== undefined ? { tone: "bad" } : {}),
    remarks: given(
      when(status, (code) => `status ${code}`),
      when(durationMs, (ms) => `took ${formatDuration(ms)}`),
    ),
    words: target,
    parts: labelled({ Error: error }),
    rest,
  }),
  "workspace.changed": ({ path, change, ...rest }) => ({
    what: "Workspace changed",
    remarks: given(when(change, spaceWords)),
    ...(path === undefined ? {} : { words: path }),
    rest,
  }),
};

const VERDICTS = {
  approved: "Approved",
  denied: "Denied",
  asked: "Left to a person",
  deferred: "Put off",
  abstained: "Left to the agent",
  unknown: "Decided, in a way that is not known here",
} as const;

/** The protocol's own word, where it says no more than the verdict. */
const USUAL: Readonly<Record<keyof typeof VERDICTS, readonly string[]>> = {
  approved: ["allow", "approve", "approved"],
  denied: ["deny", "denied"],
  asked: ["ask"],
  deferred: ["defer"],
  abstained: ["abstain"],
  unknown: [],
};

const KINDS = { tool: "Call", skill: "Skill", subagent: "Subagent call", other: "Action" } as const;

interface Named {
  readonly tool: string;
  readonly toolTitle?: string | undefined;
  readonly toolKind?: keyof typeof KINDS | undefined;
}

/** `Call bash`, `Skill review`, `Call Read a file (read_file)`. */
export function nameOfCall({ tool, toolTitle, toolKind = "tool" }: Named): string {
  const names = [...new Set(given(toolTitle, tool))];
  if (names.length === 0) return `${KINDS[toolKind]} without a name`;
  return `${KINDS[toolKind]} ${names.length === 1 ? names[0] : `${names[0]} (${names[1]})`}`;
}

const OUTCOMES: Readonly<Record<string, readonly [said: string, before: string]>> = {
  succeeded: ["succeeded", "in"],
  failed: ["failed", "after"],
  denied: ["was denied", "after"],
  cancelled: ["was cancelled", "after"],
  timeout: ["ran out of time", "after"],
  unknown: ["ended, nobody said how", "after"],
};

export function outcomeInWords(outcome: string, durationMs: number | undefined, about = ""): string {
  const [said, before] = OUTCOMES[outcome] ?? [spaceWords(outcome), "after"];
  return durationMs === undefined ? said : `${said} ${before} ${about}${formatDuration(durationMs)}`;
}

/** The whole input where it says more than its subject does. */
export function inputInWords(input: unknown, subject: string | undefined): string | undefined {
  const words = input === undefined ? undefined : jsonInWords(input);
  return words ?? subject;
}

function serverInWords(server: string): string {
  return `server ${server}`;
}
