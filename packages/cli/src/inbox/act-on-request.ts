import type { RequestView } from "@earshot/hub";
import { questionsIn } from "@earshot/hub/questions";
import { assessRequest } from "@earshot/narrate";
import { plainText } from "@earshot/terminal/plain-text";
import { changeAtHub, type HubAccess } from "../hub-client.ts";
import { cardLines } from "./card-lines.ts";
import { type AnswerResult, giveAnswer } from "./give-answer.ts";
import { verbOfAnswer } from "./inspect-request.ts";
import type { InboxLines, InboxPorts } from "./plain-inbox.ts";
import { type KeyAction, keysFor } from "./press-key.ts";
import { readReply } from "./read-reply.ts";
import { RULE_SCOPES, rememberedLines, rememberRuleAtHub, requestRuleOffer, ruleLines } from "./remember-rule.ts";
import { getRequest, type InboxReply, postMoreTime } from "./request-client.ts";
import { describeForInbox, terminalPresentation } from "./request-lines.ts";

/** The inbox functions that acting on a request needs. */
export interface RequestActions {
  readonly ports: Pick<InboxPorts, "open" | "now" | "timeZone">;
  readonly lines: InboxLines;
  /** The hub with an approver's credential; asks for the PIN if that was postponed. */
  approver(): Promise<HubAccess>;
  /** Asks for one line; undefined when the person gives up. */
  line(question: string): Promise<string | undefined>;
  /** Updates a request's state. */
  note(view: RequestView): void;
  /** Offers to keep a late allow for the next identical request. */
  offerToKeep(view: RequestView): void;
}

export type RequestAct = Exclude<KeyAction["kind"], "say" | "list" | "help" | "quit">;

/** Performs a key's action on the chosen request as it was shown. */
export function actOnRequest(desk: RequestActions, act: RequestAct, view: RequestView): Promise<void> {
  return ACTS[act](desk, view);
}

const LEFT = "Cancelled; nothing was decided.";

const ACTS: Readonly<Record<RequestAct, (desk: RequestActions, view: RequestView) => Promise<void>>> = {
  choose: async ({ lines }, view) => {
    lines.printOne(view);
    if (view.decision === null && view.waits) lines.print([keysFor(view)]);
  },
  card: async ({ lines, ports }, view) => lines.print(cardLines(view, timeOf(ports))),
  yes: (desk, view) => answer(desk, view, { answer: assessRequest(view).yes ?? "allow" }),
  defer: (desk, view) => answer(desk, view, { answer: "defer" }),
  async no(desk, view) {
    const word = assessRequest(view).no ?? "deny";
    const reason = await desk.line(`Reason, sent to the agent (Enter to ${verbOfAnswer(word)} without one, Ctrl-C to leave it): `);
    if (reason === undefined) desk.lines.print([LEFT]);
    else await answer(desk, view, { answer: word, ...(reason.trim() === "" ? {} : { reason, message: reason }) });
  },
  async reply(desk, view) {
    const isSeveral = questionsIn(view.card.asked).length > 1;
    const text = await desk.line(
      isSeveral
        ? "Your answers, with semicolons between (numbers or words; Ctrl-C to leave it): "
        : "Your answer (a number or words; Ctrl-C to leave it): ",
    );
    if (text === undefined || text.trim() === "") desk.lines.print([LEFT]);
    else await answer(desk, view, readReply(view, isSeveral ? text.split(";").map((part) => part.trim()) : [text.trim()]));
  },
  async "more-time"({ lines, ports, approver }, view) {
    const extended = await postMoreTime(await approver(), view);
    lines.book.note(extended);
    lines.printOwn("extended", extended, [describeForInbox(extended, timeOf(ports)).silence.join(" ")]);
  },
  async stop({ lines, approver }, { protocol, source, session }) {
    const query = new URLSearchParams({ protocol, source });
    await changeAtHub(await approver(), "POST", `/api/sessions/${encodeURIComponent(session)}/stop?${query}`, {});
    lines.print([`Stopped. To resume it: earshot session resume ${plainText(session)}`]);
  },
  async keep(desk, view) {
    const { lines } = await give(desk, view, { answer: assessRequest(view).yes ?? "allow", keep: true });
    desk.lines.print(lines);
  },
  async always(desk, view) {
    const { lines, ports } = desk;
    const said = await desk.line("From now on: in this session, in this project today, or always? (s, p or a; Enter to leave it): ");
    const scope = RULE_SCOPES.find((one) => one === said?.trim() || one.slice(0, 1) === said?.trim());
    const offer = scope === undefined ? undefined : await requestRuleOffer(await ports.open(), view, scope);
    if (offer?.ok === false) lines.print([`No rule is offered for this: ${plainText(offer.why)}`]);
    if (offer?.ok !== true) {
      lines.print([LEFT]);
      return;
    }
    lines.print(ruleLines(offer.proposal));
    const meant = await desk.line("Type yes to keep this rule and allow this one: ");
    if (!/^yes$/i.test(meant?.trim() ?? "")) {
      lines.print([LEFT]);
      return;
    }
    const remembered = await rememberRuleAtHub(await desk.approver(), offer.proposal);
    desk.note(remembered);
    lines.printOwn("decided", remembered, rememberedLines(remembered, terminalPresentation(timeOf(ports))));
  },
};

async function answer(desk: RequestActions, view: RequestView, reply: InboxReply): Promise<void> {
  const given = await give(desk, view, reply);
  desk.lines.printOwn("decided", given.view, given.lines);
  if (given.keepable) desk.offerToKeep(view);
}

async function give({ ports, approver, note }: RequestActions, view: RequestView, reply: InboxReply): Promise<AnswerResult> {
  const given = await giveAnswer(view, reply, { ...timeOf(ports), approver: await approver(), hub: await ports.open() });
  note(given.view);
  return given;
}

/** The request's current state. */
export async function refreshRequest({ ports, note }: RequestActions, id: string): Promise<RequestView> {
  const view = await getRequest(await ports.open(), id);
  note(view);
  return view;
}

function timeOf({ now, timeZone }: RequestActions["ports"]) {
  return { now: now(), ...(timeZone === undefined ? {} : { timeZone }) };
}
