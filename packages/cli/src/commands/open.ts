import type { Listed, SessionView } from "@earshot/hub";
import { EarshotError } from "@earshot/protocol/problem";
import { type CommandIo, EXIT } from "@earshot/terminal/io";
import { command } from "../command.ts";
import { canOpenBrowser, openBrowser } from "../first-approver.ts";
import { requestFromHub } from "../hub-client.ts";
import { openOwnHub } from "../own-hub.ts";

export const openCommand = command(
  {
    name: "open",
    positionals: ["[SESSION]"],
    about: `Opens the dashboard in a browser; with SESSION, an id as \`earshot sessions\` lists it, the page of that session. Without a screen it
prints the address.`,
    options: {},
    examples: ["open", "open sess_7c1e90b2a4"],
  },
  async ({ positionals: [session] }, io: CommandIo): Promise<number> => {
    const hub = await openOwnHub(process.env);
    const url = `${hub.url}/ui/${session === undefined ? "" : `session/${await findSession(hub, session)}`}`;
    io.out(`${url}\n`);
    if (canOpenBrowser() && io.terminal.out) openBrowser(url);
    return EXIT.ok;
  },
);

async function findSession(hub: Parameters<typeof requestFromHub>[0], id: string): Promise<number> {
  const { items } = (await (await requestFromHub(hub, `/api/sessions?id=${encodeURIComponent(id)}`)).json()) as Listed<SessionView>;
  const [found] = items;
  if (found !== undefined) return found.key;
  const hint = "`earshot sessions` lists the sessions that the hub knows.";
  throw new EarshotError({ code: "NOT_FOUND", message: `No session has the id ${JSON.stringify(id)}.`, hint });
}
