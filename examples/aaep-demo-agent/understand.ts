/** The scripts the agent can play. */
export type Part =
  | "handoff"
  | "clarify-yes-no"
  | "clarify-choice"
  | "clarify-number"
  | "clarify"
  | "irreversible"
  | "confirm"
  | "failing-tool"
  | "error"
  | "secret"
  | "busy"
  | "long"
  | "tool"
  | "chat";

/** The first match counts: dangerous before harmless, specific before general. */
const WORDS: readonly (readonly [Part, RegExp])[] = [
  [
    "handoff",
    words(
      "humans?",
      "person",
      "operator",
      "supervisor",
      "manager",
      "colleague",
      "specialist",
      "escalat\\w*",
      "hand(?:ing|ed)?[ -]?(?:off|over)",
      "transfer me",
      "support (?:agent|team|staff)",
    ),
  ],
  ["clarify-yes-no", words("yes[ -]?(?:or|/)[ -]?no")],
  ["clarify-choice", words("let me choose", "choose (?:one|between|from)", "pick (?:one|from)", "multiple[ -]choice", "options")],
  ["clarify-number", words("how many", "how much", "a number")],
  [
    "clarify",
    words(
      "clarif\\w*",
      "ambiguous\\w*",
      "ambiguity",
      "unclear",
      "vague\\w*",
      "which one",
      "not sure",
      "more information",
      "ask me (?:a question|what|which|where|when|who)",
    ),
  ],
  [
    "irreversible",
    words(
      "delet\\w*",
      "eras\\w*",
      "destr(?:oy|uct)\\w*",
      "drop",
      "purg\\w*",
      "wip(?:e|ing)",
      "remov\\w*",
      "irreversibl\\w*",
      "cannot be undone",
      "for good",
      "permanently",
      "format",
      "high[ -]risk",
      "dangerous",
    ),
  ],
  [
    "failing-tool",
    words(
      "not exist",
      "non-?existent",
      "no such",
      "(?:unknown|missing|invalid|fake|undefined|broken|failing|unavailable|imaginary) (?:\\w+ )?tools?",
      "tools?[^.!?]*(?:unknown|unavailable)",
    ),
  ],
  ["error", words("fail\\w*", "errors?", "crash\\w*", "exceptions?", "go(?:es)? wrong", "break")],
  ["secret", words("api[ -]?keys?", "passwords?", "secrets?", "credentials?", "access tokens?", "sk-\\w+")],
  [
    "confirm",
    words(
      "confirm\\w*",
      "approv\\w*",
      "permission",
      "ask me (?:first|before)",
      "send",
      "e-?mail",
      "pay",
      "buy",
      "purchase",
      "transfer",
      "deploy",
      "publish",
      "archive",
      "book",
      "order",
      "cancel",
      "restart",
    ),
  ],
  ["busy", words("one (?:tool )?call after the other", "all (?:ten|services)", "(?:many|several|multiple) tools?")],
  [
    "long",
    words(
      "explain",
      "explanation",
      "in (?:great )?detail",
      "detailed",
      "at length",
      "long",
      "essay",
      "describe",
      "story",
      "summari[sz]e",
      "paragraphs?",
      "tell me (?:all )?about",
      "write",
    ),
  ],
  [
    "tool",
    words("tools?", "look up", "search", "fetch", "weather", "calculat\\w*", "comput\\w*", "check", "read", "find", "list", "query", "get"),
  ],
];

/** Matches any of these as whole words. */
function words(...alternatives: readonly string[]): RegExp {
  return new RegExp(`\\b(?:${alternatives.join("|")})\\b`, "i");
}

export interface Understood {
  readonly part: Part;
  /** The time to wait for an answer, if the text states one. */
  readonly seconds: number | undefined;
}

/** Finds the wanted script in plain text; otherwise a chat. */
export function understand(text: string): Understood {
  const plain = text.replaceAll("_", " "); // names of tools are words, too
  const part = WORDS.find(([, any]) => any.test(plain))?.[0] ?? "chat";
  const [, digits] = /\b(\d{1,4})[ -]?(?:s|sec|secs|seconds?)\b/i.exec(text) ?? [];
  return { part, seconds: digits === undefined ? undefined : Math.max(1, Number(digits)) };
}
