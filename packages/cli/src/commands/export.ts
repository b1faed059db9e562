import { parseArgs } from "node:util";
import { askHub, openHub } from "../hub-client.ts";
import { EXIT, type Io } from "../io.ts";
import { usage } from "../usage.ts";

export const EXPORT_HELP = `Usage: earshot export SESSION [options]

Prints the events of a session as JSON lines, in the order in which they were said.

  --protocol aaep|aep|aop   which session is meant, when several protocols use the same id
  --source NAME             which session is meant, when several sources use the same id
`;

export async function exportSession(argv: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    options: { protocol: { type: "string" }, source: { type: "string" }, help: { type: "boolean", short: "h" } },
    allowPositionals: true,
  });
  if (values.help === true) {
    io.out(EXPORT_HELP);
    return EXIT.ok;
  }
  const [session, ...more] = positionals;
  if (session === undefined || more.length > 0) throw usage("Name one session.", "earshot export SESSION");
  const query = new URLSearchParams({
    session,
    ...(values.protocol && { protocol: values.protocol }),
    ...(values.source && { source: values.source }),
  });
  const response = await askHub(await openHub(process.env), `/api/export?${query}`);
  const decoder = new TextDecoder();
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) io.out(decoder.decode(chunk, { stream: true }));
  return EXIT.ok;
}
