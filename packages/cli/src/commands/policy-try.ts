import { basename } from "node:path";
import { parseArgs } from "node:util";
import { readPastAsks, type Trial, TrialCounter } from "@earshot/hub";
import { compilePolicy } from "@earshot/policy";
import { ownPlaces } from "../inbox/inspect-request.ts";
import { whatItWantsInShort } from "../inbox/what-it-wants.ts";
import { EXIT, type Io } from "../io.ts";
import { openHistory, readSince } from "../policy/open-history.ts";
import { policyOf, readPolicyFile } from "../policy/policy-file.ts";
import { slowProgress } from "../policy/slow-progress.ts";
import { trialLines } from "../policy/trial-lines.ts";
import { usage } from "../usage.ts";

export const POLICY_TRY_HELP = `Usage: earshot policy try [FILE] [--since TIME] [--session ID] [--json]

Runs rules over what is recorded, and shows what would have gone another way: what would now be asked, pass or be refused, with
examples, and above all what you had decided differently. Nothing is changed, and no hub needs to run.

  --since TIME   only what was recorded since then: 30d, 12h, or a date such as 2026-05-01
  --session ID   only this session
  --json         print it as JSON

Without FILE it tries ~/.earshot/policy.yaml as it stands, also when it waits to be accepted. The exit code is 1 when something
that you refused would pass.
`;

export async function policyTry(argv: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    options: {
      since: { type: "string" },
      session: { type: "string" },
      json: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
    allowPositionals: true,
  });
  if (values.help) {
    io.out(POLICY_TRY_HELP);
    return EXIT.ok;
  }
  const [given, ...rest] = positionals;
  if (rest.length > 0) throw usage("Name one file.", "earshot policy try FILE");
  const file = readPolicyFile(given);
  const counter = new TrialCounter(compilePolicy(policyOf(file), { places: ownPlaces() }));
  const { since, session } = values;
  using history = openHistory();
  const past = readPastAsks(history, {
    onProgress: slowProgress(io, "Trying"),
    ...(since === undefined ? {} : { since: readSince(since, Date.now()) }),
    ...(session === undefined ? {} : { session }),
  });
  for await (const ask of past) counter.hear(ask);
  const trial = counter.result();
  if (values.json) io.out(`${JSON.stringify(withWords(trial), null, 2)}\n`);
  else for (const line of trialLines(trial, { file: basename(file.path), now: Date.now() })) io.out(`${line}\n`);
  return trial.passesRefused === 0 ? EXIT.ok : EXIT.found;
}

/** What each example was about in a sentence, instead of the whole of it. */
function withWords({ moves, ...trial }: Trial): object {
  const told = moves.map(({ examples, ...move }) => ({
    ...move,
    examples: examples.map(({ asked, ...example }) => ({ ...example, what: whatItWantsInShort(asked) })),
  }));
  return { ...trial, moves: told };
}
