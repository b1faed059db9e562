/**
 * Error codes with one meaning everywhere: over HTTP, WebSocket and SSE, in the SDK and in the terminal. A code is public API: add
 * freely, never rename, never reuse. A message is for people and may be reworded.
 */
export interface ProblemKind {
  readonly status: number;
  readonly retryable: boolean;
  readonly title: string;
  readonly help: string;
}

export const PROBLEMS = {
  NOT_UTF8: {
    status: 400,
    retryable: false,
    title: "The bytes are not UTF-8",
    help: "All three protocols are JSON in UTF-8. Save or send the text as UTF-8, without a UTF-16 byte order mark.",
  },
  NOT_JSON: {
    status: 400,
    retryable: false,
    title: "The text is not JSON",
    help: "One JSON object per line (JSONL), one JSON array, or one JSON object. No comments, no trailing commas, no single quotes, no NaN.",
  },
  NOT_AN_OBJECT: {
    status: 400,
    retryable: false,
    title: "An event must be a JSON object",
    help: "Each event and each message is a JSON object of its own.",
  },
  JSON_TOO_DEEP: {
    status: 400,
    retryable: false,
    title: "The JSON is nested too deeply",
    help: "Flatten the payload. Deep nesting parses but often cannot be written again, so it is refused.",
  },
  JSON_DUPLICATE_KEY: {
    status: 400,
    retryable: false,
    title: "An object has the same key twice",
    help: "Readers disagree on which of two equal keys counts, so an answer could be read as yes by one and no by another. Write each key once.",
  },
  JSON_FORBIDDEN_KEY: {
    status: 400,
    retryable: false,
    title: "An object has a key that attacks the reader",
    help: "The keys __proto__ and constructor.prototype can change the behaviour of JavaScript programs. Rename the field.",
  },
  JSON_NUMBER_RANGE: {
    status: 400,
    retryable: false,
    title: "A number is too large to be represented",
    help: "Numbers past the range of a double read back as infinity. Send such values as strings.",
  },
  TOO_LARGE: {
    status: 413,
    retryable: false,
    title: "The event is too large",
    help: "Send a summary, or put the content somewhere else and link to it.",
  },
  BODY_TIMEOUT: {
    status: 408,
    retryable: true,
    title: "The rest of the body did not arrive",
    help: "The connection stayed open, but no bytes came. Send the whole body without pausing, or each event in a request of its own.",
  },
  PROTOCOL_UNKNOWN: {
    status: 422,
    retryable: false,
    title: "This is no event of a known protocol",
    help: "AAEP events carry `@context` and `event_id`, AEP events `aep_version` and `agent.slug`, AOP events `spec` and `payload`. Say which one is meant with --protocol.",
  },
  EVENT_INVALID: {
    status: 422,
    retryable: false,
    title: "The event breaks a rule of its protocol",
    help: "The rule named beside this code says what is asked for; `earshot check explain RULE` shows an example that passes.",
  },
  MESSAGE_INVALID: {
    status: 400,
    retryable: false,
    title: "The message is not one that is understood here",
    help: "Handshakes, replies and closing have the form that the protocol gives them; `earshot check explain RULE` shows one that passes. This response does not show whether a reply took effect: the next event does.",
  },
  EVENT_ID_CONFLICT: {
    status: 409,
    retryable: false,
    title: "This id was used for another event",
    help: "A redelivered event keeps its id and its content. A new event needs a new id.",
  },
  SEQUENCE_BROKEN: {
    status: 422,
    retryable: false,
    title: "The events do not fit together",
    help: "Each event is readable, but not at this place among the others. `earshot check explain RULE` shows an order that passes.",
  },
  SECRET_IN_ID: {
    status: 422,
    retryable: false,
    title: "An id has the shape of a credential",
    help: "Ids are stored as they are, so one that looks like a key or token is refused instead. Use another id; if it is a real credential, replace the credential.",
  },
  CONTENT_TYPE: {
    status: 415,
    retryable: false,
    title: "The body has a content type that is not read here",
    help: "Send application/json for one event or an array, application/x-ndjson for one event per line; UTF-8, not compressed.",
  },
  OVERLOADED: {
    status: 503,
    retryable: true,
    title: "More is being sent than can be written",
    help: "Wait as long as Retry-After says and send again: an event that was stored already is recognised. Batches are much cheaper than single events.",
  },
  STORAGE_FULL: {
    status: 507,
    retryable: true,
    title: "The disk is full",
    help: "Nothing was stored, and nothing stored before is lost. Free some space: the hub goes on by itself.",
  },
  LEDGER_UNAVAILABLE: {
    status: 503,
    retryable: true,
    title: "The ledger cannot be written right now",
    help: "Nothing was stored. Try again soon; if it stays so, look at the hub's own messages.",
  },
  VIEWS_UNAVAILABLE: {
    status: 503,
    retryable: true,
    title: "The views are not available right now",
    help: "Events are still taken and kept. The views are made from the ledger and mend themselves: try again soon.",
  },
  LEDGER_REFUSED: {
    status: 500,
    retryable: false,
    title: "The file is no ledger that this version can open",
    help: "The file was not touched. It may belong to another program or to a newer Earshot, or be a link. Choose another folder with EARSHOT_HOME, or update Earshot.",
  },
  LEDGER_IN_USE: {
    status: 409,
    retryable: true,
    title: "Another hub has this ledger open",
    help: "One hub writes one ledger. Use the hub that is running, stop it, or start this one with another EARSHOT_HOME.",
  },
  LEDGER_BROKEN: {
    status: 500,
    retryable: false,
    title: "The ledger does not verify",
    help: "Something was changed, removed or damaged since it was written. Keep the file as it is and compare it with a backup.",
  },
  PORT_TAKEN: {
    status: 409,
    retryable: true,
    title: "The port is in use",
    help: "Stop what listens there, or choose another port with --port. Earshot never stops other programs.",
  },
  HUB_NOT_FOUND: {
    status: 503,
    retryable: true,
    title: "No hub is running",
    help: "Start one with `earshot start`, or say where it is with EARSHOT_URL.",
  },
  PRODUCER_UNREACHABLE: {
    status: 502,
    retryable: true,
    title: "No producer answers there",
    help: "Check that it runs, and the address: `http://HOST:PORT/aaep/v1`, `ws://…/ws`, `unix:/PATH`, or a command after `--`.",
  },
  PRODUCER_REFUSED: {
    status: 409,
    retryable: false,
    title: "The producer refused the subscription",
    help: "The message has the producer's own reason. Where it asks for a credential, give one with --header; other terms may be acceptable to it.",
  },
  PRODUCER_ENDED: {
    status: 410,
    retryable: false,
    title: "The producer has ended",
    help: "A command that ended by itself, or that kept failing, is not run again. Attach it once more when it is to go on.",
  },
  MANIFEST_UNTRUSTED: {
    status: 409,
    retryable: false,
    title: "The producer's manifest is not signed by a key that is trusted",
    help: "Get the producer's public key from somewhere you trust, and name it. Without one, nobody can tell who the producer is.",
  },
  ATTACHED_ALREADY: {
    status: 409,
    retryable: false,
    title: "The hub is attached to this already",
    help: "`earshot source list` shows what it is attached to, `earshot source remove` ends one.",
  },
  NOT_FOUND: {
    status: 404,
    retryable: false,
    title: "There is no such thing here",
    help: "Check the address, or the id.",
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    retryable: false,
    title: "This address does not take that method",
    help: "The Allow header lists the methods that it takes.",
  },
  NOT_AUTHORISED: {
    status: 401,
    retryable: false,
    title: "Reading needs a credential",
    help: "The earshot command reads its own from a file that only you can read. Other programs send it as `Authorization: Bearer …`.",
  },
  HOST_REFUSED: {
    status: 403,
    retryable: false,
    title: "The request came by a name or from a page that is not trusted",
    help: "The hub answers to 127.0.0.1, localhost and [::1] only, or to exactly what --public-url names, and to no web page of another origin.",
  },
  NOT_PERMITTED: {
    status: 403,
    retryable: false,
    title: "The credential does not permit this",
    help: "Producers send events, viewers read, approvers decide, admins manage access. An admin creates other credentials: `earshot token create`.",
  },
  CODE_REFUSED: {
    status: 403,
    retryable: false,
    title: "The code is wrong, used up or too old",
    help: "Codes work once and for a short time. `earshot start` in a terminal gives a new start link, `earshot device add` a new code for a further device.",
  },
  APPROVER_EXISTS: {
    status: 409,
    retryable: false,
    title: "An approver is already set up",
    help: "An approver admits further devices: `earshot device add`. When every approver and the PIN are lost: `earshot device reset`.",
  },
  NO_APPROVER: {
    status: 409,
    retryable: false,
    title: "No approver is set up yet",
    help: "Run `earshot start` in a terminal: it opens the start link, or lets you set a PIN there.",
  },
  PIN_WRONG: {
    status: 403,
    retryable: false,
    title: "That is not the PIN",
    help: "After five wrong ones there is a pause. A browser that is approver needs no PIN; when it is lost: `earshot device reset`.",
  },
  PIN_LOCKED: {
    status: 429,
    retryable: true,
    title: "The PIN was wrong too often",
    help: "Wait as long as the message says; each further wrong PIN doubles the pause, up to an hour. A browser that is approver goes on working.",
  },
  PIN_UNSUITABLE: {
    status: 400,
    retryable: false,
    title: "The PIN is too short or too simple",
    help: "At least six characters, of any kind, that are neither all the same nor in a row. Longer is better: it also protects the file it is kept in.",
  },
  NAME_TAKEN: {
    status: 409,
    retryable: false,
    title: "The name is taken",
    help: "Names stay with what was said under them, also after their credential is gone. Choose another one.",
  },
  TOO_MANY_CREDENTIALS: {
    status: 409,
    retryable: false,
    title: "There are too many credentials",
    help: "Revoke those that nobody uses: `earshot token list`, `earshot token revoke`.",
  },
  ACCESS_UNREADABLE: {
    status: 500,
    retryable: false,
    title: "The list of credentials cannot be read",
    help: "The hub does not start, because it could not tell who may do what. Bring back access.json from a backup. Without one, move it away: then nobody is admitted any more, and the next start link makes the first approver.",
  },
  TOO_MANY_LISTENERS: {
    status: 503,
    retryable: true,
    title: "Too many listeners are connected",
    help: "Close some of them, or let several readers share one connection.",
  },
  ANSWER_INVALID: {
    status: 422,
    retryable: false,
    title: "This is not an answer to that question",
    help: "The request's card lists what may be answered. Words are spelt exactly as there; nothing was decided.",
  },
  DIGEST_DIFFERS: {
    status: 409,
    retryable: false,
    title: "The answer is about something else than was shown",
    help: "Fetch the request again, look at it, and answer with the digest that it has. The attempt was recorded; nothing was decided.",
  },
  DECIDED_ALREADY: {
    status: 409,
    retryable: false,
    title: "The request has ended",
    help: "The first valid answer counts. Yours was recorded as late and changed nothing.",
  },
  NOBODY_WAITS: {
    status: 409,
    retryable: false,
    title: "The agent no longer waits for this answer",
    help: "The agent no longer waits. If it comes back, the request can be answered again.",
  },
  NOT_EXTENDABLE: {
    status: 409,
    retryable: false,
    title: "This request cannot get more time",
    help: "The agent keeps its own deadline. Answer before the deadline, or have the agent ask again.",
  },
  TOO_MANY_OPEN: {
    status: 429,
    retryable: true,
    title: "This session has too many open questions",
    help: "At most 50 questions of one session wait at a time. Answer or withdraw some; what was refused may be asked again.",
  },
  RULE_NOT_OFFERED: {
    status: 409,
    retryable: false,
    title: "No rule is offered for this",
    help: "What does harm, is of high risk, cannot be looked into or holds a credential is allowed one at a time. The message says which it is; a rule can still be written by hand.",
  },
  RULE_NOT_KEPT: {
    status: 409,
    retryable: false,
    title: "The rule could not be written, or taken out",
    help: "The message says whether something was decided. Look at the file of rules, put right what is wrong with it, and change the rule there by hand.",
  },
  RULES_INVALID: {
    status: 422,
    retryable: false,
    title: "The rules have errors",
    help: "Rules with errors are not saved and not used. `earshot policy check` lists every error with line and column.",
  },
  PAYLOAD_UNUSABLE: {
    status: 400,
    retryable: false,
    title: "Nothing in this payload could be put to the rules",
    help: "Give an AEP or AAEP event that asks something, what a coding agent gives its hook, or `tool`, `command` and `cwd`.",
  },
  CONFIRMATION_NEEDED: {
    status: 403,
    retryable: false,
    title: "This tool call was not approved",
    help: "What cannot be undone, or is of high risk, runs only after a person accepted it: ask with `session.confirm`, and hand the permit that comes of it to `session.tool`. A permit is good for one call, of what was asked about, in the session that asked.",
  },
  QUESTION_INVALID: {
    status: 400,
    retryable: false,
    title: "This cannot be asked",
    help: "A person must be able to answer it: choices are 2 to 32, each with a value of its own of at most 128 characters, and what counts without an answer is one of the answers.",
  },
  DEFAULT_UNSAFE: {
    status: 400,
    retryable: false,
    title: "The default must not allow this",
    help: "Where nobody answers, what is irreversible or of high risk is refused. Leave the default out, or make it a refusal.",
  },
  SESSION_ENDED: {
    status: 409,
    retryable: false,
    title: "The session has ended",
    help: "An ended session accepts no more tool calls, because they would not be recorded. Open another session.",
  },
  WRONG_QUERY: {
    status: 400,
    retryable: false,
    title: "A parameter of the address was not understood",
    help: "The message names the parameter and what it takes.",
  },
  FILE_UNREADABLE: {
    status: 400,
    retryable: false,
    title: "The file cannot be read",
    help: "Check the path, the permissions and, for .gz files, that the archive is complete.",
  },
  CASE_DIFFERS: {
    status: 422,
    retryable: false,
    title: "A conformance case is not judged as it expects",
    help: "Either the checker or the case is wrong: compare the recording with the rule that the case names.",
  },
  FILE_EMPTY: {
    status: 400,
    retryable: false,
    title: "There is no event to check",
    help: "An empty recording proves nothing. Check that the capture ran while the agent was working.",
  },
  PEER_UNREACHABLE: {
    status: 502,
    retryable: true,
    title: "The program to be driven cannot be reached",
    help: "Check that it runs, and that the address or the command is right. `earshot check producer --help` shows both.",
  },
  WRONG_USAGE: {
    status: 400,
    retryable: false,
    title: "The command was not understood",
    help: "`earshot --help` lists the commands, `earshot COMMAND --help` its options.",
  },
  INTERNAL: {
    status: 500,
    retryable: true,
    title: "Earshot failed",
    help: "This is a defect of Earshot, not of what you sent. Please report it with the command you ran.",
  },
} as const satisfies Record<string, ProblemKind>;

export type ProblemCode = keyof typeof PROBLEMS;

export interface Problem {
  readonly code: ProblemCode;
  readonly message: string;
  /** The broken clause, for example `aaep/tool-completed-needs-invoked`. */
  readonly rule?: string;
  /** RFC 6901 pointer into the event; the empty string is the event itself. */
  readonly pointer?: string;
  /** The next step to try. */
  readonly hint?: string;
}

const BRAND = Symbol.for("earshot.error");

/** The only error class, for failures that stop the operation. Expected refusals are returned as data instead. */
export class EarshotError extends Error {
  readonly [BRAND] = true;
  readonly problem: Problem;

  constructor(problem: Problem, options?: ErrorOptions) {
    super(problem.message, options);
    this.name = "EarshotError";
    this.problem = problem;
  }

  /** Works across two installed copies of this package, where `instanceof` fails. */
  static is(value: unknown): value is EarshotError {
    return typeof value === "object" && value !== null && BRAND in value;
  }
}

/** Builds the RFC 6901 pointer part of a problem in a document; escapes `~` and `/`. */
export function pointerTo(...segments: readonly (string | number)[]): string {
  let pointer = "";
  for (const segment of segments) pointer += `/${typeof segment === "number" ? segment : escapeSegment(segment)}`;
  return pointer;
}

function escapeSegment(segment: string): string {
  // Almost no name contains either, and a replacement without matches costs more than this check.
  if (!segment.includes("~") && !segment.includes("/")) return segment;
  return segment.replaceAll("~", "~0").replaceAll("/", "~1");
}
