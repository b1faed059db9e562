import type { Alert, CostGroup, CostTable, SearchHit, SessionView, Tree } from "@earshot/hub";
import { counted, moneyInWords, tokensInWords } from "./amounts.ts";
import { agoInWords } from "./moments.ts";
import { capital, given, labelled, protocolLabel, spaced, when } from "./phrases.ts";
import type { Saying } from "./saying.ts";
import { tellSession } from "./tell-session.ts";

/** An alert: what was noticed, how bad, when, and what was seen. */
export function tellAlert({ type, severity, message, agent, sessionId, protocol, rule, at }: Alert, now: number): Saying {
  return {
    what: capital(spaced(type)),
    tone: severity === "critical" ? "bad" : "warning",
    remarks: [severity, agoInWords(at, now)],
    words: message,
    parts: [...labelled({ Rule: rule, Agent: agent }), { label: "Session", text: `${sessionId}, ${protocolLabel(protocol)}` }],
  };
}

/** What was found: where it was said, by whom, when, and the words around it. */
export function tellHit({ field, agent, type, receivedAt, snippet, sessionId, protocol }: SearchHit, now: number): Saying {
  return {
    what: field === "other" ? `In ${type}` : capital(spaced(field)),
    remarks: [agent, agoInWords(receivedAt, now)],
    words: snippet.replaceAll(/\s+/g, " "),
    parts: [{ label: "Session", text: `${sessionId}, ${protocolLabel(protocol)}` }],
  };
}

/** One line of a table of costs. What nobody supplied is not said. */
export function tellCost({ name, costUsd, tokens, events, session }: CostTable["lines"][number], by: CostGroup): Saying {
  return {
    what: name === "" ? `No ${by} named` : name,
    words: given(when(costUsd, moneyInWords), when(tokens, tokensInWords), `from ${counted(events, "event")}`).join(", "),
    parts: session === undefined ? [] : [{ label: "Key", text: String(session) }],
  };
}

export function tellTotal({ lines, total }: CostTable, by: CostGroup): string {
  const amounts = given(when(total.costUsd, moneyInWords), when(total.tokens, tokensInWords));
  if (lines.length === 0 && amounts.length === 0) return "Nobody has said what anything cost.";
  const order = by === "day" ? "newest first" : "most expensive first";
  const all = amounts.length === 0 ? "" : `In all ${amounts.join(", ")}, from ${counted(total.events, "event")}. `;
  return `${all}By ${by}, ${order}:`;
}

/** A session in its tree. The level is in the words too: an indentation is not heard. */
export function tellNode(node: Tree["nodes"][number], shown: SessionView, now: number): Saying {
  const told = tellSession(node, now);
  const { parent } = node;
  return {
    ...told,
    what: `${node.depth === 0 ? "Root" : `Level ${node.depth}`}, ${told.what.toLowerCase()}`,
    remarks: [...(told.remarks ?? []), ...given(node.key === shown.key && "the session asked for")],
    parts: [...(told.parts ?? []), ...(parent?.inferred === true ? [{ label: "Its parent is inferred", text: parent.because }] : [])],
  };
}
