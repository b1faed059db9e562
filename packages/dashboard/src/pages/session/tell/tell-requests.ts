import { formatShortDuration, spaceWords } from "@earshot/narrate";
import type { OfKind, Tellers } from "./of-kind.ts";
import { facts, markdown, type Told, type Tone, words } from "./told.ts";

const ASKED = {
  confirmation: "Asks whether it may",
  clarification: "Asks",
  permission: "Asks for permission",
  handoff: "Wants to hand over",
} as const;

/** What waits for an answer, and the answers. */
export const REQUESTS: Tellers<"request.asked" | "request.answered" | "handoff"> = {
  "request.asked": ({ request, prompt, consequence, background, choices, accepts, risk, reversible, tool, timeoutMs, byDefault }) => ({
    icon: "question",
    tone: "warn",
    title: ASKED[request],
    ...(tool === undefined ? {} : { subject: { text: tool, as: "code" } }),
    body: [
      ...markdown(prompt),
      ...words(consequence, "What comes of it, the agent says"),
      ...words(background, "Background"),
      ...(choices === undefined ? [] : [{ show: "list", label: "Choices", items: choices } as const]),
    ],
    more: [],
    facts: facts({
      Risk: risk,
      "Can be undone": reversible === undefined ? undefined : reversible ? "yes" : "no",
      Takes: accepts?.map(spaceWords).join(", "),
      Waits: timeoutMs === undefined ? undefined : formatShortDuration(timeoutMs),
      "Without an answer": byDefault,
    }),
  }),
  "request.answered": tellAnswer,
  handoff: ({ to, targetKind, reason, priority, briefing }) => ({
    icon: "agents",
    tone: "warn",
    title: "Wants to hand over",
    ...(to === undefined ? {} : { subject: { text: to, as: "code" } }),
    body: markdown(reason),
    more: briefing === undefined ? [] : [{ show: "json", label: "What whoever takes over is given", value: briefing }],
    facts: facts({ "Kind of target": targetKind, Priority: priority }),
  }),
};

const DONE: Readonly<Record<string, readonly [words: string, tone: Tone]>> = {
  allow: ["allowed it", "good"],
  accept: ["agreed", "good"],
  continue: ["let it go on", "good"],
  deny: ["denied it", "bad"],
  reject: ["refused", "bad"],
  block: ["held it back", "bad"],
  stop: ["stopped it", "bad"],
  ask: ["left it to the agent's own prompt", "plain"],
  abstain: ["left it to the agent", "plain"],
  defer: ["put it off", "plain"],
  respond: ["answered", "plain"],
  "take-over": ["took over", "good"],
  decline: ["declined", "plain"],
};

/** Who decided what. The hub's own record of a decision is JSON; what a protocol reports is a word. */
function tellAnswer({ answer, by, reason, change, type }: OfKind<"request.answered">): Told {
  const decision = readDecision(answer);
  const who = nameOf(by);
  if (type === "decision.extended") return decided(`${who} gave it more time`, "plain", []);
  const [done, tone] = DONE[decision.word] ?? ["answered", "plain"];
  const known = DONE[decision.word] !== undefined;
  return decided(`${who} ${done}`, tone, [
    ...(known ? [] : markdown(decision.word)),
    ...words(decision.response),
    ...words(decision.message, "Told the agent"),
    ...words(reason, "Why"),
    ...(change === undefined ? [] : [{ show: "json", label: "Instead", value: change } as const]),
    ...(decision.edit === undefined ? [] : [{ show: "json", label: "Changed", value: decision.edit } as const]),
  ]);
}

function decided(title: string, tone: Tone, body: Told["body"]): Told {
  return { icon: tone === "bad" ? "cross" : "decision", tone, title, body, more: [], facts: [] };
}

function nameOf(by: string | undefined): string {
  if (by === undefined || by === "") return "Somebody";
  const rule = /^policy: (.*)$/s.exec(by)?.[1];
  if (rule !== undefined) return `The rule ${rule}`;
  return by === "hub" ? "The hub, since nobody did," : by;
}

interface Decision {
  readonly word: string;
  readonly response?: string;
  readonly message?: string;
  readonly edit?: unknown;
}

function readDecision(answer: string): Decision {
  if (!answer.startsWith("{")) return { word: answer };
  try {
    const { word, response, message, edit } = JSON.parse(answer) as Readonly<Record<string, unknown>>;
    return {
      word: typeof word === "string" ? word : answer,
      ...(response === undefined ? {} : { response: typeof response === "string" ? response : JSON.stringify(response) }),
      ...(typeof message === "string" ? { message } : {}),
      ...(edit === undefined ? {} : { edit }),
    };
  } catch {
    return { word: answer }; // no JSON after all
  }
}
