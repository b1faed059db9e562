import { parseArgs } from "node:util";
import { yesWord } from "../inbox/answer-words.ts";
import { decideAtTerminal } from "../inbox/decide-command.ts";
import { parseEdit } from "../inbox/parse-edit.ts";
import { rememberAtTerminal } from "../inbox/remember-command.ts";
import { SCOPES } from "../inbox/remember-rule.ts";
import { EXIT, type Io } from "../io.ts";
import { oneOf, usage } from "../usage.ts";

export const ALLOW_HELP = `Usage: earshot allow ID [options]

Says yes to a request that waits: shows what it is about, asks for your PIN, and tells what became of the answer. What cannot be
undone is asked twice. Somebody else may have been first: then that is told, with who and when.

  --reason TEXT          why; recorded
  --edit POINTER=JSON    allows it with a change, such as --edit '/command="ls"'; may be given several times
  --keep                 if it comes too late: allow it when the same is asked again in this session, once, within 30 minutes
  --remember SCOPE       also allow this kind from now on: session (until it ends), project (today, in this project) or always;
                         the rule is shown before you agree to it
  --json                 print what became of it as JSON

The exit code is 0 when the answer counts, and 1 when it came too late or nobody waits for it. It needs a person at a terminal;
there is no option that stands for the PIN.
`;

export async function allow(argv: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    options: {
      reason: { type: "string" },
      edit: { type: "string", multiple: true, default: [] },
      keep: { type: "boolean", default: false },
      remember: { type: "string" },
      json: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
    allowPositionals: true,
  });
  if (values.help) {
    io.out(ALLOW_HELP);
    return EXIT.ok;
  }
  const [id, ...rest] = positionals;
  if (id === undefined || rest.length > 0) throw usage("Name one request.", "earshot allow ID");
  const { reason, keep, json } = values;
  const edit = values.edit.map(parseEdit);
  if (values.remember !== undefined) {
    if (edit.length > 0 || keep) throw usage("--remember goes with neither --edit nor --keep.", "earshot allow --help");
    return rememberAtTerminal(id, io, {
      json,
      scope: oneOf("--remember", values.remember, SCOPES),
      ...(reason === undefined ? {} : { reason }),
    });
  }
  return decideAtTerminal(id, io, {
    json,
    replyTo: (view) => {
      const answer = yesWord(view);
      if (answer === undefined) throw usage("This is a question, and takes more than a yes.", `earshot answer ${id} VALUE`);
      return { answer, keep, ...(reason === undefined ? {} : { reason }), ...(edit.length === 0 ? {} : { edit }) };
    },
  });
}
