import type { CostTable } from "@earshot/hub";
import { capitalize } from "@earshot/narrate";
import { type CommandIo, EXIT } from "@earshot/terminal/io";
import { layOutItem } from "@earshot/terminal/saying";
import { createStyle } from "@earshot/terminal/style";
import { listLines } from "../terminal/table.ts";
import { costRow, costSaying, totalLine } from "./list-lines.ts";
import { readDay, readLimit } from "./options.ts";
import { findSessionByName, type ViewPorts, ViewReader } from "./view-reader.ts";

export interface CostOptions {
  readonly by: "session" | "tool" | "model" | "agent" | "day";
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly session: string | undefined;
  readonly limit: string | undefined;
  readonly plain: boolean;
  readonly json: boolean;
}

/** `earshot sessions --costs`: the agents' reported costs. Nothing is computed that was not reported. */
export async function printCosts({ by, plain, json, ...values }: CostOptions, io: CommandIo, ports: ViewPorts): Promise<number> {
  const limit = readLimit(values.limit, 20, 200);
  const [from, to] = [readDay(values.from, "--from"), readDay(values.to, "--to")];
  const views = new ViewReader(await ports.open(), io);
  const session = values.session === undefined ? undefined : await findSessionByName(views, values.session);
  const table = await views.read<CostTable>("/api/costs", { by, from, to, session: session?.key, limit });
  if (json) {
    io.out(`${JSON.stringify(table, null, 2)}\n`);
    return EXIT.ok;
  }
  const layout = { width: io.terminal.width, style: createStyle(io.terminal.colour), full: false };
  const lines = [
    totalLine(table, by),
    ...(await listLines(io, plain, {
      items: table.lines,
      columns: [capitalize(by), "Cost", "Tokens", "Events", by === "session" ? "Key" : ""],
      cut: 0,
      rowOf: (line) => costRow(line, by),
      sentencesOf: (line) => layOutItem(costSaying(line, by), undefined, layout),
    })),
    ...(table.more ? ["There are more: --limit N shows up to 200."] : []),
  ];
  io.out(`${lines.join("\n")}\n`);
  return EXIT.ok;
}
