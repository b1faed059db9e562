import { command } from "../command.ts";
import { decideAtTerminal } from "../inbox/decide-command.ts";
import { readReply } from "../inbox/read-reply.ts";
import type { Io } from "../io.ts";
import { usage } from "../usage.ts";

export const answer = command(
  {
    name: "answer",
    positionals: ["ID", "VALUE…"],
    about: `Answers a question that waits. A choice is named by its number or its words; yes, no, numbers and free text are taken where the
question takes them. Where there are several questions, give one value for each, in their order.

  earshot answer 3fa2c1 2
  earshot answer 3fa2c1 "Use the staging database"

Also for what is more than a yes or no, in the words that the card lists: earshot answer ID take-over, stop, defer.`,
    options: {
      reason: { type: "string", value: "TEXT", about: "why; recorded" },
      json: { type: "boolean", default: false, about: "print what became of it as JSON" },
    },
    notes: "It asks for your PIN. The exit code is 0 when the answer counts, and 1 when it came too late or nobody waits for it.",
  },
  async ({ values, positionals }, io: Io): Promise<number> => {
    const [id, ...said] = positionals;
    if (id === undefined || said.length === 0) throw usage("Name one request, and what to answer.", "earshot answer ID VALUE");
    const { reason, json } = values;
    const why = reason === undefined ? {} : { reason };
    return decideAtTerminal(id, io, { json, replyTo: (view) => ({ ...readReply(view, said), ...why }) });
  },
);
