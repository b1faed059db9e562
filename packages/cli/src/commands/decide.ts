import type { RequestView } from "@earshot/hub";
import { assessRequest, whyRisky } from "@earshot/narrate";
import { type CommandIo, EXIT } from "@earshot/terminal/io";
import { createUsageError, requireOneOf } from "@earshot/terminal/usage";
import { command } from "../command.ts";
import { requireKeyboard, unlockTerminal } from "../inbox/approver.ts";
import { giveAnswer } from "../inbox/give-answer.ts";
import { parseEdit, readReply } from "../inbox/read-reply.ts";
import { RULE_SCOPES, rememberAtTerminal } from "../inbox/remember-rule.ts";
import { findRequest, type InboxReply } from "../inbox/request-client.ts";
import { requestLines } from "../inbox/request-lines.ts";
import { openOwnHub } from "../own-hub.ts";
import { askLine } from "../terminal/ask.ts";

export const allowCommand = command(
  {
    name: "allow",
    positionals: ["ID"],
    about: `Allows a pending request: shows what it would do, asks for your PIN, and prints the result. Irreversible actions need a second
confirmation. If another approver answered first, prints who did and when.`,
    options: {
      reason: { type: "string", value: "TEXT", about: "why; recorded" },
      edit: {
        type: "string",
        multiple: true,
        default: [],
        value: "POINTER=JSON",
        about: "allows it with a change, such as --edit '/command=\"ls\"'; may be given several times",
      },
      keep: {
        type: "boolean",
        default: false,
        about: "if the answer is too late: allow the same request once if the session repeats it within 30 minutes",
      },
      remember: {
        type: "string",
        value: "SCOPE",
        about:
          "also allow this kind from now on: session (until it ends), project (today, in this project) or always; the rule is shown before you agree to it",
      },
      json: { type: "boolean", default: false, about: "print the result as JSON" },
    },
    notes: `The exit code is 0 when the answer counts, and 1 when it came too late or the agent no longer waits. This command needs a person at a
terminal; no option replaces the PIN.`,
  },
  async ({ values, positionals }, io: CommandIo): Promise<number> => {
    const [id = ""] = positionals;
    const { reason, keep, json } = values;
    const edit = values.edit.map(parseEdit);
    if (values.remember !== undefined) {
      if (edit.length > 0 || keep) throw createUsageError("--remember goes with neither --edit nor --keep.", "earshot allow --help");
      return rememberAtTerminal(id, io, {
        json,
        scope: requireOneOf("--remember", values.remember, RULE_SCOPES),
        ...(reason === undefined ? {} : { reason }),
      });
    }
    return decideAtTerminal(id, io, {
      json,
      replyTo: (view) => {
        const answer = assessRequest(view).yes;
        if (answer === undefined) throw createUsageError("This request is a question and needs an answer.", `earshot answer ${id} VALUE`);
        return { answer, keep, ...(reason === undefined ? {} : { reason }), ...(edit.length === 0 ? {} : { edit }) };
      },
    });
  },
);

export const denyCommand = command(
  {
    name: "deny",
    positionals: ["ID"],
    about: "Denies a pending request: shows what it would do, asks for your PIN, and prints the result.",
    options: {
      reason: { type: "string", value: "TEXT", about: "why; recorded, and sent to the agent" },
      json: { type: "boolean", default: false, about: "print the result as JSON" },
    },
    notes: "The exit code is 0 when the answer counts, and 1 when it came too late or the agent no longer waits.",
  },
  async ({ values, positionals }, io: CommandIo): Promise<number> => {
    const [id = ""] = positionals;
    const { reason, json } = values;
    return decideAtTerminal(id, io, {
      json,
      replyTo: (view) => {
        const answer = assessRequest(view).no;
        if (answer === undefined)
          throw createUsageError("This request cannot be denied.", `It may be answered with ${view.card.terms.answers.join(", ")}.`);
        return { answer, ...(reason === undefined ? {} : { reason, message: reason }) };
      },
    });
  },
);

export const answerCommand = command(
  {
    name: "answer",
    positionals: ["ID", "VALUE…"],
    about: `Answers a pending question. Name a choice by its number or its words; use yes, no, a number or free text if the question accepts them.
If there are several questions, give one value for each, in their order.

  earshot answer 3fa2c1 2
  earshot answer 3fa2c1 "Use the staging database"

Other answers that the card lists work as well: earshot answer ID take-over, stop, defer.`,
    options: {
      reason: { type: "string", value: "TEXT", about: "why; recorded" },
      json: { type: "boolean", default: false, about: "print the result as JSON" },
    },
    notes: "It asks for your PIN. The exit code is 0 when the answer counts, and 1 when it came too late or the agent no longer waits.",
  },
  async ({ values, positionals }, io: CommandIo): Promise<number> => {
    const [id, ...said] = positionals;
    if (id === undefined || said.length === 0) throw createUsageError("Name one request, and what to answer.", "earshot answer ID VALUE");
    const { reason, json } = values;
    const why = reason === undefined ? {} : { reason };
    return decideAtTerminal(id, io, { json, replyTo: (view) => ({ ...readReply(view, said), ...why }) });
  },
);

interface DecideOptions {
  readonly json: boolean;
  /** The answer to the request in its current state; throws if it does not fit. */
  readonly replyTo: (view: RequestView) => InboxReply;
}

const CONSENTING: ReadonlySet<string> = new Set(["allow", "accept"]);

/**
 * One decision from a terminal: shows the request, asks for the PIN, answers, and reports the result. A risky allow is confirmed. The
 * exit code says whether the answer took effect.
 */
async function decideAtTerminal(id: string, io: CommandIo, { json, replyTo }: DecideOptions): Promise<number> {
  requireKeyboard(io);
  const hub = await openOwnHub(process.env);
  const view = await findRequest(hub, id);
  const reply = replyTo(view);
  for (const line of requestLines(view, { now: Date.now() })) io.err(`${line}\n`);
  const why = whyRisky(view);
  if (CONSENTING.has(reply.answer) && why !== undefined && !(await isMeant(why, io))) {
    io.err("Cancelled; nothing was decided.\n");
    return EXIT.found;
  }
  await using approver = await unlockTerminal(io, hub);
  if (approver === undefined) return EXIT.found;
  const given = await giveAnswer(view, reply, { hub, approver: await approver.access(hub), now: Date.now() });
  if (json) io.out(`${JSON.stringify({ counts: given.counts, request: given.view }, null, 2)}\n`);
  else for (const line of given.lines) io.out(`${line}\n`);
  if (given.keepable && reply.keep !== true)
    io.err("With --keep it is allowed if the same is asked again in this session within 30 minutes, once.\n");
  return given.counts ? EXIT.ok : EXIT.found;
}

async function isMeant(why: string, io: CommandIo): Promise<boolean> {
  return /^yes$/i.test((await askLine(io, `${why} Type yes to allow it: `))?.trim() ?? "");
}
