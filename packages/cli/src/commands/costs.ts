import { parseArgs } from "node:util";
import type { CostTable } from "@earshot/hub";
import { EXIT, type Io } from "../io.ts";
import { findSession } from "../story/find-session.ts";
import { readDay, readLimit } from "../story/options.ts";
import { layOut } from "../story/saying.ts";
import { tellCost, tellTotal } from "../story/tell-others.ts";
import { OF_THIS_PROCESS, type ViewPorts, ViewReader } from "../story/view-reader.ts";
import { createStyle } from "../terminal/style.ts";
import { oneOf } from "../usage.ts";

export const COSTS_HELP = `Usage: earshot costs [--by session|tool|model|agent|day] [options]

Adds up what agents said they spent: US dollars and tokens. Nothing is computed that nobody supplied: an agent that does not say
what it spends does not appear.

Options:
  --by WHAT        session (default), tool, model, agent or day
  --from DAY       from this day on, in UTC: 2026-11-15
  --to DAY         up to and including this day
  --session S      only of this session: an id, its beginning, or a key
  --limit N        how many lines, up to 200 (default: 20)
  --json           print them as JSON
  --help

Examples:
  earshot costs --by day
  earshot costs --by model --from 2026-11-01
`;

export async function costs(argv: readonly string[], io: Io, ports: ViewPorts = OF_THIS_PROCESS): Promise<number> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      by: { type: "string", default: "session" },
      from: { type: "string" },
      to: { type: "string" },
      session: { type: "string" },
      limit: { type: "string" },
      json: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) {
    io.out(COSTS_HELP);
    return EXIT.ok;
  }
  const by = oneOf("--by", values.by, ["session", "tool", "model", "agent", "day"] as const);
  const limit = readLimit(values.limit, 20, 200);
  const [from, to] = [readDay(values.from, "--from"), readDay(values.to, "--to")];
  const views = new ViewReader(await ports.open(), io);
  const session = values.session === undefined ? undefined : await findSession(views, values.session);
  const table = await views.read<CostTable>("/api/costs", { by, from, to, session: session?.key, limit });
  if (values.json) {
    io.out(`${JSON.stringify(table, null, 2)}\n`);
    return EXIT.ok;
  }
  const layout = { width: io.terminal.width, style: createStyle(io.terminal.colour), full: false };
  const lines = [
    tellTotal(table, by),
    ...table.lines.flatMap((line) => layOut(tellCost(line, by), undefined, layout)),
    ...(table.more ? ["There are more: --limit N shows up to 200."] : []),
  ];
  io.out(`${lines.join("\n")}\n`);
  return EXIT.ok;
}
