import type { RequestNews, RequestView } from "@earshot/hub";
import { describeDecision, formatCount, formatDuration } from "@earshot/narrate";
import type { CommandIo } from "@earshot/terminal/io";
import { reportAbsence } from "../tail/follow.ts";
import { type FollowRequestsOptions, followRequests, type RequestListEvent } from "./follow-requests.ts";
import { RequestBook } from "./press-key.ts";
import {
  aftermathLine,
  describeClosedRequest,
  describeForInbox,
  describeWantedBriefly,
  type RequestLinesOptions,
  requestLines,
  terminalPresentation,
} from "./request-lines.ts";
import { visibleBeginning } from "./visible-text.ts";

export interface InboxPorts {
  readonly io: CommandIo;
  readonly open: FollowRequestsOptions["open"];
  readonly signal: AbortSignal;
  readonly wait?: FollowRequestsOptions["wait"];
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly timeZone?: string;
}

/** Open requests and their news as append-only lines. */
export class InboxLines {
  readonly book = new RequestBook();
  readonly #ports: Pick<InboxPorts, "io" | "now" | "timeZone">;
  /** News that this process caused and has already printed. */
  readonly #printed = new Set<string>();
  #isFirst = true;

  constructor(ports: Pick<InboxPorts, "io" | "now" | "timeZone">) {
    this.#ports = ports;
  }

  handle(happening: RequestListEvent): void {
    if (happening.kind === "list") {
      this.#list(happening.requests);
      return;
    }
    const { news, request } = happening;
    const noted = request === null ? undefined : this.book.note(request);
    // The first news of an open request prints the whole request, once.
    const isTold = (news.what === "asked" && noted?.isNew === false) || this.#printed.delete(`${news.what} ${news.request}`);
    if (isTold) return;
    const told = noted?.isNew === true ? { ...news, what: "asked" as const } : news;
    this.print(newsLines(told, noted?.number, request, this.#options()));
  }

  /** Prints an action of this process, which is not repeated when the hub reports it. */
  printOwn(what: "decided" | "extended", view: RequestView, lines: readonly string[]): void {
    if (what === "extended" || view.decision !== null) this.#printed.add(`${what} ${view.id}`);
    this.print(lines);
  }

  print(lines: readonly string[]): void {
    for (const line of lines) this.#ports.io.out(`${line}\n`);
  }

  /** Prints all open requests with their numbers. */
  printList(): void {
    const open = [...this.book.byNumber];
    this.print([
      open.length === 0 ? "Nothing waits for an answer." : `${formatCount(open.length, "request waits", "requests wait")} for an answer.`,
    ]);
    for (const [number, view] of open) this.print(numberedLines(number, view, this.#options()));
  }

  printOne(view: RequestView): void {
    const number = this.book.numberOf(view.id);
    if (number !== undefined) this.print(numberedLines(number, view, this.#options()));
  }

  #list(requests: readonly RequestView[]): void {
    const gone = this.book.retain(requests);
    const fresh = requests.filter((view) => this.book.note(view)?.isNew === true);
    if (this.#isFirst) this.printList();
    else {
      for (const { id } of gone) this.print([`${this.book.numberOf(id)}. It does not wait any more.`]);
      for (const view of fresh) this.printOne(view);
    }
    this.#isFirst = false;
  }

  #options() {
    const { now, timeZone } = this.#ports;
    return { now: now(), ...(timeZone === undefined ? {} : { timeZone }) };
  }
}

/** Follows requests without a keyboard, as lines or JSON, until the signal. */
export async function followPlainly(ports: InboxPorts, json: boolean): Promise<void> {
  const lines = new InboxLines(ports);
  for await (const happening of followRequests({ ...ports, ...reportAbsence(ports.io) })) {
    if (json) ports.io.out(toJsonLines(happening));
    else lines.handle(happening);
  }
}

function toJsonLines(happening: RequestListEvent): string {
  if (happening.kind === "news")
    return `${JSON.stringify({ ...happening.news, request: happening.request, requestId: happening.news.request })}\n`;
  return happening.requests.map((request) => `${JSON.stringify({ what: "open", request, requestId: request.id })}\n`).join("");
}

/** A request with its number: the sentence first, the details below. */
function numberedLines(number: number, view: RequestView, options: RequestLinesOptions): readonly string[] {
  const [first = "", ...rest] = requestLines(view, options);
  return [`${number}. ${first}`, ...rest.map((line) => `   ${line}`)];
}

/**
 * A self-contained line of news that names its request. `number` is undefined for a request that was never open here, such as one
 * answered by a rule; only alarms about those are printed.
 */
export function newsLines(
  news: RequestNews,
  number: number | undefined,
  view: RequestView | null,
  options: RequestLinesOptions,
): readonly string[] {
  const { what, text } = news;
  if (what === "alarm") return [`Alarm: ${visibleBeginning(text, 400)}`];
  if (news.request === null) return [visibleBeginning(text, 400)];
  if (number === undefined || view === null) return [];
  const which = describeWantedBriefly(view.card.asked, view.inspection);
  const left = view.leftMs === null ? "" : formatDuration(view.leftMs);
  switch (what) {
    case "asked":
      return numberedLines(number, view, options);
    case "half-time":
      return view.decision === null ? [`${number}. Half of the time has passed, ${left} left: ${which}`] : [];
    case "last-call":
      return view.decision === null ? [`${number}. Only ${left} left, then ${describeForInbox(view, options).afterSilence}: ${which}`] : [];
    case "extended":
      return [`${number}. More time was given. ${describeForInbox(view, options).silence.join(" ")}`];
    case "unattended":
      return view.decision === null ? [`${number}. ${describeClosedRequest(view)} It was: ${which}`] : [];
    case "attended":
      return [`${number}. The agent is back and waits again: ${which}`];
    case "decided":
      return view.decision === null
        ? []
        : [`${number}. ${describeDecision(view.decision, view.card, terminalPresentation(options))} It was: ${which}`];
    case "taken":
      return [`${number}. The agent took the answer.`];
    case "outcome":
      return [`${number}. ${aftermathLine({ ...view, takenAt: null, alarm: null }, options) ?? visibleBeginning(text, 200)}`];
    default:
      return [`${number}. ${visibleBeginning(text, 400)}`];
  }
}
