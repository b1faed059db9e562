import { capitalize, formatNumber } from "@earshot/narrate";
import { askHub, type HubAccess } from "../hub-client.ts";
import { EXIT, type Io } from "../io.ts";
import { readLimit } from "../story/options.ts";
import { plainText } from "../terminal/plain-text.ts";

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

/** `earshot tail --refused`: what the hub refused, newest first. */
export async function listRefused(limit: string | undefined, json: boolean, io: Io, open: () => Promise<HubAccess>): Promise<number> {
  const response = await askHub(await open(), `/api/refused?limit=${readLimit(limit, 20, 1000)}`);
  const answer = (await response.json()) as Refused;
  io.out(
    json
      ? `${JSON.stringify(answer, null, 2)}
`
      : describe(answer),
  );
  return EXIT.ok;
}

function describe({ refused: list, counts }: Refused): string {
  const lines: string[] = [];
  for (const { number, receivedAt, source, problem, text, sizeBytes } of list) {
    const place = [problem.rule, problem.pointer].filter((one) => one !== undefined && one !== "").join(" at ");
    lines.push(
      `${number}. ${new Date(receivedAt).toISOString()}, from ${plainText(source)}, ${formatNumber(sizeBytes)} bytes: ${problem.code}${place === "" ? "" : ` (${plainText(place)})`}`,
    );
    lines.push(`   ${plainText(problem.message)}`);
    if (problem.hint !== undefined) lines.push(`   To do: ${plainText(problem.hint)}`);
    if (text !== "") lines.push(`   Sent: ${plainText(text.slice(0, SHOWN))}${text.length > SHOWN ? "…" : ""}`);
  }
  if (list.length === 0) lines.push("Nothing was refused.");
  for (const { what, source, howMany, lastAt } of counts) {
    lines.push(`${capitalize(what)}: ${formatNumber(howMany)} from ${plainText(source)}, last at ${new Date(lastAt).toISOString()}.`);
  }
  return `${lines.join("\n")}\n`;
}
