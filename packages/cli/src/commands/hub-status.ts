import type { HubsView } from "@earshot/hub";
import { formatAgo, formatCount } from "@earshot/narrate";
import { type CommandIo, EXIT } from "@earshot/terminal/io";
import { plainText } from "@earshot/terminal/plain-text";
import { command } from "../command.ts";
import { findHub, requestFromHub } from "../hub-client.ts";

export const hubStatusCommand = command(
  {
    name: "hub status",
    positionals: [],
    about: `Lists the hubs that use the same PostgreSQL database: which are alive, how far their views are behind the ledger, and which one holds
the lease to apply deadlines and retention. The exit code is 1 when no hub runs here or one of the hubs is not alive.`,
    options: {
      json: { type: "boolean", default: false, about: "print as JSON" },
    },
  },
  async ({ values }, io: CommandIo, env: NodeJS.ProcessEnv = process.env): Promise<number> => {
    const hub = await findHub(env);
    if (hub === undefined) {
      io.out(values.json ? `${JSON.stringify({ running: false })}\n` : "No hub runs here. Start it: earshot start\n");
      return EXIT.found;
    }
    const { hubs } = (await (await requestFromHub(hub, "/api/hubs")).json()) as HubsView;
    if (values.json) io.out(`${JSON.stringify({ running: true, url: hub.url, hubs }, null, 2)}\n`);
    else if (hubs.length === 0) io.out(`One hub, at ${hub.url}. Its ledger is a file, which no other hub can use.\n`);
    else for (const one of hubs) io.out(`${describe(one, Date.now())}\n`);
    return hubs.every(({ isAlive }) => isAlive) ? EXIT.ok : EXIT.found;
  },
);

function describe({ url, version, isAlive, seenAgoMs, lag, fence }: HubsView["hubs"][number], now: number): string {
  const state = isAlive ? "alive" : `NOT ALIVE, last seen ${formatAgo(now - seenAgoMs, now)}`;
  const behind = lag === 0 ? "up to date" : `${formatCount(lag, "position")} behind`;
  const lease = fence === null ? "" : `, holds lease ${fence}`;
  return `${plainText(url)}, Earshot ${plainText(version)}: ${state}, ${behind}${lease}`;
}
