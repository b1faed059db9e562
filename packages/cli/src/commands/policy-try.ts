import { basename } from "node:path";
import { readPastAsks, type Trial, TrialCounter } from "@earshot/hub";
import { compilePolicy } from "@earshot/policy";
import { command } from "../command.ts";
import { ownPlaces } from "../inbox/inspect-request.ts";
import { whatItWantsInShort } from "../inbox/request-lines.ts";
import { EXIT, type Io } from "../io.ts";
import { gateReservations } from "../policy/gate-reservations.ts";
import { openHistory, readSince, slowProgress } from "../policy/open-history.ts";
import { policyOf, readPolicyFile } from "../policy/policy-file.ts";
import { trialLines } from "../policy/trial-lines.ts";
import { plainText } from "../terminal/plain-text.ts";

export const policyTry = command(
  {
    name: "policy try",
    positionals: ["[FILE]"],
    about: `Runs rules over what is recorded, and shows what would have gone another way: what would now be asked, pass or be refused, with
examples, and above all what you had decided differently. Nothing is changed, and no hub needs to run.`,
    options: {
      since: { type: "string", value: "TIME", about: "only what was recorded since then: 30d, 12h, or a date such as 2026-05-01" },
      session: { type: "string", value: "ID", about: "only this session" },
      json: { type: "boolean", default: false, about: "print it as JSON" },
    },
    notes: `Without FILE it tries ~/.earshot/policy.yaml as it stands, also when it waits to be accepted. The exit code is 1 when something
that you refused would pass.`,
  },
  async ({ values, positionals }, io: Io): Promise<number> => {
    const [given] = positionals;
    const file = readPolicyFile(given);
    const counter = new TrialCounter(compilePolicy(policyOf(file), { places: ownPlaces() }));
    const { since, session } = values;
    using history = openHistory();
    const past = readPastAsks(history, {
      onProgress: slowProgress(io, "Trying"),
      ...(since === undefined ? {} : { since: readSince(since, Date.now()) }),
      ...(session === undefined ? {} : { session }),
    });
    for await (const ask of past) counter.count(ask);
    const trial = counter.result();
    if (values.json) io.out(`${JSON.stringify(withWords(trial), null, 2)}\n`);
    else for (const line of trialLines(trial, { file: basename(file.path), now: Date.now() })) io.out(`${line}\n`);
    if (!values.json) for (const line of await gateReservations(undefined)) io.out(`${plainText(line)}\n`);
    return trial.passesRefused === 0 ? EXIT.ok : EXIT.found;
  },
);

/** What each example was about in a sentence, instead of the whole of it. */
function withWords({ moves, ...trial }: Trial): object {
  const told = moves.map(({ examples, ...move }) => ({
    ...move,
    examples: examples.map(({ asked, ...example }) => ({ ...example, what: whatItWantsInShort(asked) })),
  }));
  return { ...trial, moves: told };
}
