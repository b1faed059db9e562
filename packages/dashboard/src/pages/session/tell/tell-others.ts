import { agentName, formatShortDuration, spaceWords } from "@earshot/narrate";
import type { Tellers } from "./of-kind.ts";
import { facts, markdown, words } from "./told.ts";

const VERDICTS = {
  approved: ["Allowed", "good"],
  denied: ["Denied", "bad"],
  asked: ["Left to a person", "warn"],
  deferred: ["Put off", "plain"],
  abstained: ["Left to the agent", "soft"],
  unknown: ["Decided", "plain"],
} as const;

/** Subagents, what is reached outside, decisions about calls, and what nobody has heard of. */
export const OTHERS: Tellers<"subagent.started" | "subagent.ended" | "external.call" | "tool.decided" | "custom"> = {
  "subagent.started": ({ child, childAgent, goal, why }) => ({
    icon: "agents",
    tone: "plain",
    title: `Started a subagent${childAgent === undefined ? "" : `: ${agentName(childAgent)}`}`,
    ...(goal === undefined ? {} : { subject: { text: goal, as: "words" } }),
    body: words(why, "Why"),
    more: [],
    facts: facts({ "Child session": child }),
    ...(child === undefined ? {} : { child }),
  }),
  "subagent.ended": ({ child, childAgent, outcome, result, durationMs }) => ({
    icon: "agents",
    tone: "plain",
    title: `Subagent ended${childAgent === undefined ? "" : `: ${agentName(childAgent)}`}`,
    outcome: {
      words: [outcome === undefined ? "" : spaceWords(outcome), durationMs === undefined ? "" : `after ${formatShortDuration(durationMs)}`]
        .filter((part) => part !== "")
        .join(", "),
      tone: "soft",
    },
    body: markdown(result),
    more: [],
    facts: facts({ "Child session": child }),
    ...(child === undefined ? {} : { child }),
  }),
  "external.call": ({ method, target, status, durationMs, error }) => {
    const failed = error !== undefined || (status !== undefined && status >= 400);
    return {
      icon: "globe",
      tone: failed ? "bad" : "plain",
      title: `Reached out${method === undefined ? "" : `: ${method}`}`,
      subject: { text: target, as: "code" },
      outcome: {
        words: [status === undefined ? "" : `status ${status}`, durationMs === undefined ? "" : `in ${formatShortDuration(durationMs)}`]
          .filter((part) => part !== "")
          .join(" "),
        tone: failed ? "bad" : "good",
      },
      body: words(error),
      more: [],
      facts: [],
    };
  },
  "tool.decided": ({ tool, verdict, behavior, by, why, message, policy, newInput, addedContext, afterMs }) => {
    const [title, tone] = VERDICTS[verdict];
    return {
      icon: tone === "bad" ? "cross" : "decision",
      tone,
      title: `${title}${by === undefined ? "" : ` by ${by}`}`,
      ...(tool === undefined || tool === "" ? {} : { subject: { text: tool, as: "code" } }),
      body: [...words(why, "Why"), ...words(message, "Told the agent")],
      more: [
        ...(newInput === undefined ? [] : [{ show: "json", label: "Instead", value: newInput } as const]),
        ...words(addedContext, "Added to what the model knows"),
      ],
      facts: facts({
        "In the protocol's word": behavior,
        Rule: policy,
        "Decided within": afterMs === undefined ? undefined : formatShortDuration(afterMs),
      }),
    };
  },
  custom: ({ agent, agentName: given, type, summary, data }) => {
    const tool = toolIn(data);
    return {
      icon: "dot",
      tone: "plain",
      title: `${agentName(agent, given)}: ${spaceWords(type).replaceAll(".", " ")}`,
      ...(tool === undefined ? {} : { subject: { text: tool, as: "code" } }),
      body: markdown(summary),
      more: data === undefined ? [] : [{ show: "json", label: "What it says", value: data }],
      facts: [],
    };
  },
};

/** The tool that an event of an unknown kind names, wherever one is named in its protocol. */
function toolIn(data: unknown): string | undefined {
  const [tool, server] = [member(data, "tool"), member(data, "server")];
  const name =
    textIn(tool, "display_name") ??
    textIn(tool, "name") ??
    (typeof tool === "string" ? tool : undefined) ??
    textIn(data, "tool_name") ??
    textIn(member(data, "skill"), "name");
  const from = textIn(server, "name");
  return name === undefined ? undefined : `${name}${from === undefined ? "" : ` (${from})`}`;
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

function textIn(value: unknown, name: string): string | undefined {
  const found = member(value, name);
  return typeof found === "string" && found !== "" ? found : undefined;
}
