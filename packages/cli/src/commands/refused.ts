import { parseArgs } from "node:util";
import { askHub, openHub } from "../hub-client.ts";
import { EXIT, type Io } from "../io.ts";
import { plainText } from "../terminal/plain-text.ts";
import { usage } from "../usage.ts";

export const REFUSED_HELP = `Usage: earshot refused [--limit N] [--json]

Lists what the hub refused, newest first, with the reason and the beginning of what was sent (secrets masked), and counts
what it could not even keep.
`;

interface Refused {
  readonly refused: readonly {
    readonly number: number;
    readonly receivedAt: number;
    readonly source: string;
    readonly problem: {
      readonly code: string;
      readonly message: string;
      readonly rule?: string;
      readonly pointer?: string;
      readonly hint?: string;
    };
    readonly text: string;
    readonly sizeBytes: number;
  }[];
  readonly counts: readonly { readonly what: string; readonly source: string; readonly howMany: number; readonly lastAt: number }[];
}

const SHOWN = 200;

export async function refused(argv: readonly string[], io: Io): Promise<number> {
  const { values } = parseArgs({
    args: [...argv],
    options: { limit: { type: "string" }, json: { type: "boolean" }, help: { type: "boolean", short: "h" } },
  });
  if (values.help === true) {
    io.out(REFUSED_HELP);
    return EXIT.ok;
  }
  const limit = values.limit ?? "20";
  if (!/^[1-9]\d{0,3}$/.test(limit))
    throw usage(`--limit takes a number from 1 to 1000; found ${JSON.stringify(limit)}.`, "earshot refused --help");
  const response = await askHub(await openHub(process.env), `/api/refused?limit=${limit}`);
  const answer = (await response.json()) as Refused;
  io.out(values.json === true ? `${JSON.stringify(answer, null, 2)}\n` : describe(answer));
  return EXIT.ok;
}

function describe({ refused: list, counts }: Refused): string {
  const lines: string[] = [];
  for (const { number, receivedAt, source, problem, text, sizeBytes } of list) {
    const place = [problem.rule, problem.pointer].filter((one) => one !== undefined && one !== "").join(" at ");
    lines.push(
      `${number}. ${new Date(receivedAt).toISOString()}, from ${plainText(source)}, ${sizeBytes.toLocaleString("en")} bytes: ${problem.code}${place === "" ? "" : ` (${plainText(place)})`}`,
    );
    lines.push(`   ${plainText(problem.message)}`);
    if (problem.hint !== undefined) lines.push(`   To do: ${plainText(problem.hint)}`);
    if (text !== "") lines.push(`   Sent: ${plainText(text.slice(0, SHOWN))}${text.length > SHOWN ? "…" : ""}`);
  }
  if (list.length === 0) lines.push("Nothing was refused.");
  for (const { what, source, howMany, lastAt } of counts) {
    lines.push(`${capital(what)}: ${howMany.toLocaleString("en")} from ${plainText(source)}, last at ${new Date(lastAt).toISOString()}.`);
  }
  return `${lines.join("\n")}\n`;
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
