import { parseArgs } from "node:util";
import { tellHub } from "../hub-client.ts";
import { EXIT, type Io } from "../io.ts";
import { openOwnHub, unlockHub } from "../unlock-hub.ts";

export const RESET_APPROVER_HELP = `Usage: earshot reset-approver [--cancel]

For when every approver's browser and the PIN are lost. Anybody at this account can run it, an agent too: so it takes ten
minutes, during which every approver is shown that it was asked for and can cancel it, and it leaves an alarm that stays.
Afterwards nobody is approver, and \`earshot start\` makes the first one again. What agents said is not touched.

  --cancel       stops it; asks for the PIN (an approver's browser can stop it too)
  --pin-stdin    read the PIN from standard input
`;

export async function resetApprover(argv: readonly string[], io: Io): Promise<number> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      cancel: { type: "boolean", default: false },
      "pin-stdin": { type: "boolean", default: false },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help === true) {
    io.out(RESET_APPROVER_HELP);
    return EXIT.ok;
  }
  const hub = await openOwnHub(process.env);
  if (values.cancel) {
    await tellHub(await unlockHub(io, hub, { pinStdin: values["pin-stdin"] }), "DELETE", "/api/reset-approver");
    io.out("Cancelled. Every approver stays.\n");
    return EXIT.ok;
  }
  const { dueAt } = await tellHub<{ readonly dueAt: string }>(hub, "POST", "/api/reset-approver", {});
  io.out(
    [
      `At ${dueAt} every approver is removed, if the hub runs until then and no approver cancels it.`,
      "Approvers are shown this now. To cancel it: earshot reset-approver --cancel",
      "Afterwards: earshot start",
      "",
    ].join("\n"),
  );
  return EXIT.ok;
}
