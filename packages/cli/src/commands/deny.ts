import { assessRequest } from "@earshot/narrate";
import { command } from "../command.ts";
import { decideAtTerminal } from "../inbox/decide-command.ts";
import type { Io } from "../io.ts";
import { usage } from "../usage.ts";

export const deny = command(
  {
    name: "deny",
    positionals: ["ID"],
    about: "Says no to a request that waits: shows what it is about, asks for your PIN, and tells what became of the answer.",
    options: {
      reason: { type: "string", value: "TEXT", about: "why; recorded, and told to the agent" },
      json: { type: "boolean", default: false, about: "print what became of it as JSON" },
    },
    notes: "The exit code is 0 when the answer counts, and 1 when it came too late or nobody waits for it.",
  },
  async ({ values, positionals }, io: Io): Promise<number> => {
    const [id = ""] = positionals;
    const { reason, json } = values;
    return decideAtTerminal(id, io, {
      json,
      replyTo: (view) => {
        const answer = assessRequest(view).no;
        if (answer === undefined)
          throw usage("Nobody can say no to this.", `It may be answered with ${view.card.terms.answers.join(", ")}.`);
        return { answer, ...(reason === undefined ? {} : { reason, message: reason }) };
      },
    });
  },
);
