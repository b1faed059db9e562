import { parseArgs } from "node:util";
import { noWord } from "../inbox/answer-words.ts";
import { decideAtTerminal } from "../inbox/decide-command.ts";
import { EXIT, type Io } from "../io.ts";
import { usage } from "../usage.ts";

export const DENY_HELP = `Usage: earshot deny ID [--reason TEXT] [--json]

Says no to a request that waits: shows what it is about, asks for your PIN, and tells what became of the answer.

  --reason TEXT   why; recorded, and told to the agent
  --json          print what became of it as JSON

The exit code is 0 when the answer counts, and 1 when it came too late or nobody waits for it.
`;

export async function deny(argv: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    options: {
      reason: { type: "string" },
      json: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
    allowPositionals: true,
  });
  if (values.help) {
    io.out(DENY_HELP);
    return EXIT.ok;
  }
  const [id, ...rest] = positionals;
  if (id === undefined || rest.length > 0) throw usage("Name one request.", "earshot deny ID");
  const { reason, json } = values;
  return decideAtTerminal(id, io, {
    json,
    replyTo: (view) => {
      const answer = noWord(view);
      if (answer === undefined) throw usage("Nobody can say no to this.", `It may be answered with ${view.card.terms.answers.join(", ")}.`);
      return { answer, ...(reason === undefined ? {} : { reason, message: reason }) };
    },
  });
}
