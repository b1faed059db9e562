import { parseArgs } from "node:util";
import type { PolicyView } from "@earshot/hub";
import { askHub, tellHub } from "../hub-client.ts";
import { requireKeyboard, unlockTerminal } from "../inbox/approver.ts";
import { visibleBeginning } from "../inbox/visible-text.ts";
import { EXIT, type Io } from "../io.ts";
import { countInWords } from "../keeping/quantities.ts";
import { textDifference } from "../policy/text-difference.ts";
import { ask } from "../terminal/ask.ts";
import { plainText } from "../terminal/plain-text.ts";
import { openOwnHub } from "../unlock-hub.ts";
import { usage } from "../usage.ts";

export const POLICY_ACCEPT_HELP = `Usage: earshot policy accept

A changed file of rules that lets through what was held before waits until an approver has seen how; so does a repository's, once
it was in force. This shows what each lets through and every line that differs, and accepts exactly that text, with your PIN. What
tightens counts without this.

It needs a person at a terminal; there is no option that stands for the PIN. The exit code is 1 when nothing was accepted.
`;

export async function policyAccept(argv: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    options: { help: { type: "boolean", short: "h", default: false } },
    allowPositionals: true,
  });
  if (values.help) {
    io.out(POLICY_ACCEPT_HELP);
    return EXIT.ok;
  }
  if (positionals.length > 0) throw usage("accept takes nothing.", "earshot policy accept");
  requireKeyboard(io);
  const hub = await openOwnHub(process.env);
  const view = (await (await askHub(hub, "/api/policy")).json()) as PolicyView;
  for (const trouble of view.troubles) io.err(`The file is not used: ${visibleBeginning(trouble, 400)}\n`);
  const changes = changesIn(view);
  if (changes.length === 0) io.out("No rules wait to be accepted.\n");
  const wanted: Change[] = [];
  for (const change of changes) if (await isWanted(change, io)) wanted.push(change);
  if (wanted.length === 0) return EXIT.found;
  await using approver = await unlockTerminal(io, hub);
  if (approver === undefined) return EXIT.found;
  const access = await approver.access(hub);
  for (const { hash } of wanted) await tellHub<PolicyView>(access, "POST", "/api/policy/accept", { hash });
  io.out(`Accepted: ${countInWords(wanted.length, "file")}. ${wanted.length === 1 ? "Its" : "Their"} rules are in force.\n`);
  return EXIT.ok;
}

/** A file that would let more through. */
interface Change {
  readonly path: string;
  /** What is in force, and what is to take its place; null where there is no file. */
  readonly before: string | null;
  readonly after: string | null;
  readonly hash: string;
  readonly loosens: readonly string[];
}

function changesIn({ path, text, pending, repositories, pendingRepositories }: PolicyView): readonly Change[] {
  const own = pending === null ? [] : [{ path, before: text, after: pending.text, hash: pending.hash, loosens: pending.loosens }];
  const others = pendingRepositories.map((one) => ({
    path: one.path,
    before: repositories.find((known) => known.path === one.path)?.text ?? null,
    after: one.text,
    hash: one.hash,
    loosens: one.loosens,
  }));
  return [...own, ...others];
}

async function isWanted({ path, before, after, loosens }: Change, io: Io): Promise<boolean> {
  const what = after === null ? "is gone. Without it" : "was changed, and";
  io.out(`${plainText(path)} ${what} more would be let through than by the rules in force:\n`);
  for (const one of loosens) io.out(`  ${visibleBeginning(one, 600)}\n`);
  io.out("The lines that differ; - goes, + comes:\n");
  for (const line of textDifference(before ?? "", after ?? "")) io.out(`  ${line}\n`);
  const meant = await ask(io, "Type yes to accept these rules: ");
  if (/^yes$/i.test(meant?.trim() ?? "")) return true;
  io.out("Left as it is; nothing was accepted.\n");
  return false;
}
