import type { RequestView } from "@earshot/hub";
import { whyRisky } from "@earshot/narrate";
import { EXIT, type Io } from "../io.ts";
import { openOwnHub } from "../own-hub.ts";
import { ask } from "../terminal/ask.ts";
import { requireKeyboard, unlockTerminal } from "./approver.ts";
import { giveAnswer } from "./give-answer.ts";
import { findRequest, type Reply } from "./request-client.ts";
import { requestLines } from "./request-lines.ts";

export interface DecideOptions {
  readonly json: boolean;
  /** What is answered to the request as it stands; throws where that is no answer to it. */
  readonly replyTo: (view: RequestView) => Reply;
}

const CONSENTING: ReadonlySet<string> = new Set(["allow", "accept"]);

/**
 * One decision from a terminal: shows what it is about, asks for the PIN, answers, and tells what became of it. What cannot be
 * undone is asked twice. The exit code says whether the answer counts.
 */
export async function decideAtTerminal(id: string, io: Io, { json, replyTo }: DecideOptions): Promise<number> {
  requireKeyboard(io);
  const hub = await openOwnHub(process.env);
  const view = await findRequest(hub, id);
  const reply = replyTo(view);
  for (const line of requestLines(view, { now: Date.now() })) io.err(`${line}\n`);
  const why = whyRisky(view);
  if (CONSENTING.has(reply.answer) && why !== undefined && !(await isMeant(why, io))) {
    io.err("Left as it is; nothing was decided.\n");
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

async function isMeant(why: string, io: Io): Promise<boolean> {
  return /^yes$/i.test((await ask(io, `${why} Type yes to allow it: `))?.trim() ?? "");
}
