import { assessRequest } from "@earshot/narrate";
import { command } from "../command.ts";
import { decideAtTerminal } from "../inbox/decide-command.ts";
import { parseEdit } from "../inbox/read-reply.ts";
import { rememberAtTerminal, SCOPES } from "../inbox/remember-rule.ts";
import type { Io } from "../io.ts";
import { oneOf, usage } from "../usage.ts";

export const allow = command(
  {
    name: "allow",
    positionals: ["ID"],
    about: `Says yes to a request that waits: shows what it is about, asks for your PIN, and tells what became of the answer. What cannot be
undone is asked twice. Somebody else may have been first: then that is told, with who and when.`,
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
        about: "if it comes too late: allow it when the same is asked again in this session, once, within 30 minutes",
      },
      remember: {
        type: "string",
        value: "SCOPE",
        about:
          "also allow this kind from now on: session (until it ends), project (today, in this project) or always; the rule is shown before you agree to it",
      },
      json: { type: "boolean", default: false, about: "print what became of it as JSON" },
    },
    notes: `The exit code is 0 when the answer counts, and 1 when it came too late or nobody waits for it. It needs a person at a terminal;
there is no option that stands for the PIN.`,
  },
  async ({ values, positionals }, io: Io): Promise<number> => {
    const [id = ""] = positionals;
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
        const answer = assessRequest(view).yes;
        if (answer === undefined) throw usage("This is a question, and takes more than a yes.", `earshot answer ${id} VALUE`);
        return { answer, keep, ...(reason === undefined ? {} : { reason }), ...(edit.length === 0 ? {} : { edit }) };
      },
    });
  },
);
