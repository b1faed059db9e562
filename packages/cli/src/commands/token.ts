import { parseArgs } from "node:util";
import { askHub, tellHub } from "../hub-client.ts";
import { EXIT, type Io } from "../io.ts";
import { plainText } from "../terminal/plain-text.ts";
import { openOwnHub, unlockHub } from "../unlock-hub.ts";
import { usage } from "../usage.ts";

export const TOKEN_HELP = `Usage: earshot token create NAME --role ROLE [--owner WHO] [--expires 30d] [--url] [--origin ORIGIN]
       earshot token list [--json]
       earshot token revoke NAME-or-ID

Credentials for other programs. Each command asks for your PIN.

  --role ROLE        producer (speaks), viewer (reads), approver (decides) or admin
  --owner WHO        who answers for it (default: your user name)
  --expires TIME     30m, 12h, 90d; without it, it does not expire
  --url              for a program that knows an address and nothing else, such as an AOP dashboard: prints a base URL with
                     the token in it. A viewer reads through it; an admin may also delete AOP sessions through it
  --origin ORIGIN    for a web application: works from its pages (https://app.example) and from nowhere else in a browser
  --pin-stdin        read the PIN from standard input
  --json             print as JSON

The token is printed once, by create, and kept nowhere.
`;

interface Token {
  readonly id: string;
  readonly name: string;
  readonly role: string;
  readonly owner: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly inAddress: boolean;
  readonly origin: string | null;
}

export async function token(argv: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      role: { type: "string" },
      owner: { type: "string" },
      expires: { type: "string" },
      url: { type: "boolean", default: false },
      origin: { type: "string" },
      "pin-stdin": { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      help: { type: "boolean", short: "h" },
    },
  });
  const [action, name, ...rest] = positionals;
  if (values.help === true) {
    io.out(TOKEN_HELP);
    return EXIT.ok;
  }
  const isKnown = action === "list" ? name === undefined : (action === "create" || action === "revoke") && name !== undefined;
  if (!isKnown || rest.length > 0) throw usage("token takes create NAME, list, or revoke NAME.", "earshot token --help");
  if (action === "create" && values.role === undefined) throw usage("--role is missing.", "--role producer, viewer, approver or admin");
  const expiresInMs = values.expires === undefined ? undefined : readTime(values.expires);
  const admin = await unlockHub(io, await openOwnHub(process.env), { pinStdin: values["pin-stdin"] });
  if (action === "create") {
    const { role, origin, url: inAddress } = values;
    const owner = values.owner ?? process.env["USER"] ?? process.env["USERNAME"] ?? "me";
    const created = await tellHub<Token & { readonly token: string }>(admin, "POST", "/api/tokens", {
      name,
      role,
      owner,
      inAddress,
      expiresInMs,
      origin,
    });
    const secret = created.inAddress ? `${admin.url}/k/${created.token}/` : created.token;
    if (values.json) io.out(`${JSON.stringify(created.inAddress ? { ...created, url: secret } : created)}\n`);
    else {
      io.err(`${describe(created)}\nIt is shown this once:\n`);
      io.out(`${secret}\n`);
    }
    return EXIT.ok;
  }
  const { tokens } = (await (await askHub(admin, "/api/tokens")).json()) as { readonly tokens: readonly Token[] };
  if (action === "list") {
    io.out(values.json ? `${JSON.stringify({ tokens }, null, 2)}\n` : `${tokens.map(describe).join("\n") || "There are no tokens."}\n`);
    return EXIT.ok;
  }
  const found = tokens.find((one) => one.revokedAt === null && (one.id === name || one.name === name));
  if (found === undefined) throw usage(`There is no token ${JSON.stringify(name)}.`, "`earshot token list` shows which there are.");
  await tellHub(admin, "DELETE", `/api/tokens/${encodeURIComponent(found.id)}`);
  io.out(`Revoked: ${plainText(found.name)}. What was open with it is closed.\n`);
  return EXIT.ok;
}

function describe({ id, name, role, owner, createdAt, expiresAt, revokedAt, inAddress, origin }: Token): string {
  const facts = [
    `${role}, owner ${plainText(owner)}, made ${createdAt}`,
    ...(inAddress ? ["in addresses only"] : []),
    ...(origin === null ? [] : [`from ${plainText(origin)}`]),
    ...(expiresAt === null ? [] : [`expires ${expiresAt}`]),
    ...(revokedAt === null ? [] : [`revoked ${revokedAt}`]),
  ];
  return `${plainText(name)} (${id}): ${facts.join(", ")}`;
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

function readTime(text: string): number {
  const [, count, unit = ""] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  const ms = Number(count) * (UNITS[unit] ?? Number.NaN);
  if (!(ms > 0)) throw usage(`--expires cannot be ${JSON.stringify(text)}.`, "Give minutes, hours or days: 30m, 12h, 90d.");
  return ms;
}
