import type { PolicyView } from "@earshot/hub";
import { formatCount } from "@earshot/narrate";
import { command } from "../command.ts";
import { askHub, tellHub } from "../hub-client.ts";
import { requireKeyboard, unlockTerminal } from "../inbox/approver.ts";
import { visibleBeginning } from "../inbox/visible-text.ts";
import { EXIT, type Io } from "../io.ts";
import { openOwnHub } from "../own-hub.ts";
import { textDifference } from "../policy/text-difference.ts";
import { ask } from "../terminal/ask.ts";
import { plainText } from "../terminal/plain-text.ts";

export const policyAccept = command(
  {
    name: "policy accept",
    positionals: [],
    about: `A changed file of rules that lets through what was held before waits until an approver has seen how; so does a repository's, once
it was in force, and so do files of your own that take the place of those Earshot has about an agent. This shows what each lets through and every line that differs, and accepts exactly that text, with your PIN. What
tightens counts without this.

It needs a person at a terminal; there is no option that stands for the PIN. The exit code is 1 when nothing was accepted.`,
    options: {},
  },
  async (_, io: Io): Promise<number> => {
    requireKeyboard(io);
    const hub = await openOwnHub(process.env);
    const view = (await (await askHub(hub, "/api/policy")).json()) as PolicyView;
    for (const trouble of view.troubles) io.err(`The file is not used: ${visibleBeginning(trouble, 400)}\n`);
    const changes = changesIn(view);
    if (changes.length === 0) io.out("Nothing waits to be accepted.\n");
    const wanted: Change[] = [];
    for (const change of changes) if (await isWanted(change, io)) wanted.push(change);
    if (wanted.length === 0) return EXIT.found;
    await using approver = await unlockTerminal(io, hub);
    if (approver === undefined) return EXIT.found;
    const access = await approver.access(hub);
    for (const { hash } of wanted) await tellHub<PolicyView>(access, "POST", "/api/policy/accept", { hash });
    io.out(`Accepted: ${formatCount(wanted.length, "change")}. What was shown is in force.\n`);
    return EXIT.ok;
  },
);

/** A file that would let more through. */
interface Change {
  readonly path: string;
  /** What is in force, and what is to take its place; null where there is no file. */
  readonly before: string | null;
  readonly after: string | null;
  readonly hash: string;
  readonly loosens: readonly string[];
  /** The text before `loosens`. */
  readonly what: string;
}

function changesIn({ path, text, pending, repositories, pendingRepositories, pendingAgents }: PolicyView): readonly Change[] {
  const own =
    pending === null
      ? []
      : [{ path, before: text, after: pending.text, hash: pending.hash, loosens: pending.loosens, what: whatOf(pending.text) }];
  const others = pendingRepositories.map((one) => ({
    path: one.path,
    before: repositories.find((known) => known.path === one.path)?.text ?? null,
    after: one.text,
    hash: one.hash,
    loosens: one.loosens,
    what: whatOf(one.text),
  }));
  const agents = pendingAgents.map(({ agent, path: folder, text: after, hash, changes }) => ({
    path: folder,
    before: null,
    after,
    hash,
    loosens: changes,
    what: `would take the place of what Earshot knows about ${agent}: how it is heard, and what its answers mean`,
  }));
  return [...own, ...others, ...agents];
}

function whatOf(after: string | null): string {
  return `${after === null ? "is gone. Without it" : "was changed, and"} more would be let through than by the rules in force`;
}

async function isWanted({ path, before, after, loosens, what }: Change, io: Io): Promise<boolean> {
  io.out(`${plainText(path)} ${plainText(what)}:\n`);
  for (const one of loosens) io.out(`  ${visibleBeginning(one, 600)}\n`);
  io.out("The lines that differ; - goes, + comes:\n");
  for (const line of textDifference(before ?? "", after ?? "")) io.out(`  ${line}\n`);
  const meant = await ask(io, "Type yes to accept this: ");
  if (/^yes$/i.test(meant?.trim() ?? "")) return true;
  io.out("Left as it is; nothing was accepted.\n");
  return false;
}
