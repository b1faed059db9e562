import type { TokenView } from "@earshot/hub";
import { type CommandIo, EXIT } from "@earshot/terminal/io";
import { plainText } from "@earshot/terminal/plain-text";
import { createUsageError } from "@earshot/terminal/usage";
import { command } from "../command.ts";
import { changeAtHub, type HubAccess, requestFromHub } from "../hub-client.ts";
import { openOwnHub, unlockHub } from "../own-hub.ts";
import { listLines, PLAIN_OPTION, shortenId } from "../terminal/table.ts";

const PIN = { "pin-stdin": { type: "boolean", default: false, about: "read the PIN from standard input" } } as const;
const JSON_OPTION = { json: { type: "boolean", default: false, about: "print as JSON" } } as const;

export const createTokenCommand = command(
  {
    name: "token create",
    positionals: ["NAME"],
    about: "Makes a credential for another program. It asks for your PIN.",
    options: {
      role: {
        type: "string",
        choices: ["producer", "viewer", "approver", "admin"],
        about: "a producer sends events, a viewer reads, an approver decides, an admin manages; required",
      },
      owner: { type: "string", value: "WHO", about: "the person responsible for it (default: your user name)" },
      expires: { type: "string", value: "TIME", about: "30m, 12h, 90d; without it, it does not expire" },
      url: {
        type: "boolean",
        default: false,
        about:
          "for a program that can only be given an address, such as an AOP dashboard: prints a base URL that contains the token. With it, a viewer reads, and an admin can also delete AOP sessions",
      },
      origin: {
        type: "string",
        value: "ORIGIN",
        about: "for a web application: in browsers, the token works only on pages of this origin (https://app.example)",
      },
      ...PIN,
      ...JSON_OPTION,
    },
    notes: "The token is printed once. The hub stores only its hash.",
    examples: ["token create ci --role producer --expires 90d"],
  },
  async ({ values, positionals: [name] }, io: CommandIo): Promise<number> => {
    const { role, origin, url: inAddress } = values;
    if (role === undefined) throw createUsageError("--role is missing.", "--role producer, viewer, approver or admin");
    const expiresInMs = values.expires === undefined ? undefined : readTime(values.expires);
    const admin = await unlockHub(io, await openOwnHub(process.env), { pinStdin: values["pin-stdin"] });
    const owner = values.owner ?? process.env["USER"] ?? process.env["USERNAME"] ?? "me";
    const body = { name, role, owner, inAddress, expiresInMs, origin };
    const created = await changeAtHub<TokenView & { readonly token: string }>(admin, "POST", "/api/tokens", body);
    const secret = created.inAddress ? `${admin.url}/k/${created.token}/` : created.token;
    if (values.json) io.out(`${JSON.stringify(created.inAddress ? { ...created, url: secret } : created)}\n`);
    else {
      io.err(`${describe(created)}\nIt is shown this once:\n`);
      io.out(`${secret}\n`);
    }
    return EXIT.ok;
  },
);

export const listTokensCommand = command(
  {
    name: "token list",
    positionals: [],
    about: "Lists the credentials of other programs. It asks for your PIN.",
    options: { ...PIN, ...PLAIN_OPTION, ...JSON_OPTION },
  },
  async ({ values }, io: CommandIo): Promise<number> => {
    const { tokens } = await readTokens(io, values["pin-stdin"]);
    const lines = values.json
      ? [JSON.stringify({ tokens }, null, 2)]
      : await listLines(io, values.plain, {
          items: tokens,
          columns: ["Token", "Role", "Owner", "Made", "Expires", "Revoked", "Id"],
          cut: 0,
          rowOf: ({ id, name, role, owner, createdAt, expiresAt, revokedAt }) =>
            [name, role, owner, createdAt.slice(0, 10), expiresAt?.slice(0, 10) ?? "", revokedAt?.slice(0, 10) ?? "", shortenId(id)].map(
              plainText,
            ),
          sentencesOf: (token) => [describe(token)],
        });
    io.out(`${lines.join("\n") || "There are no tokens."}\n`);
    return EXIT.ok;
  },
);

export const revokeTokenCommand = command(
  {
    name: "token revoke",
    positionals: ["NAME-or-ID"],
    about: "Revokes a credential and closes its connections. It asks for your PIN.",
    options: PIN,
  },
  async ({ values, positionals: [name] }, io: CommandIo): Promise<number> => {
    const { admin, tokens } = await readTokens(io, values["pin-stdin"]);
    const found = tokens.find((one) => one.revokedAt === null && (one.id === name || one.name === name || shortenId(one.id) === name));
    if (found === undefined)
      throw createUsageError(`There is no token ${JSON.stringify(name)}.`, "`earshot token list` shows which there are.");
    await changeAtHub(admin, "DELETE", `/api/tokens/${encodeURIComponent(found.id)}`);
    io.out(`Revoked: ${plainText(found.name)}. What was open with it is closed.\n`);
    return EXIT.ok;
  },
);

async function readTokens(io: CommandIo, pinStdin: boolean): Promise<{ readonly admin: HubAccess; readonly tokens: readonly TokenView[] }> {
  const admin = await unlockHub(io, await openOwnHub(process.env), { pinStdin });
  const { tokens } = (await (await requestFromHub(admin, "/api/tokens")).json()) as { readonly tokens: readonly TokenView[] };
  return { admin, tokens };
}

function describe({ id, name, role, owner, createdAt, expiresAt, revokedAt, inAddress, origin }: TokenView): string {
  const facts = [
    `${role}, owner ${plainText(owner)}, made ${createdAt}`,
    ...(inAddress ? ["in addresses only"] : []),
    ...(origin === null ? [] : [`from ${plainText(origin)}`]),
    ...(expiresAt === null ? [] : [`expires ${expiresAt}`]),
    ...(revokedAt === null ? [] : [`revoked ${revokedAt}`]),
  ];
  return `${plainText(name)} (${shortenId(id)}): ${facts.join(", ")}`;
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

function readTime(text: string): number {
  const [, count, unit = ""] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  const ms = Number(count) * (UNITS[unit] ?? Number.NaN);
  if (!(ms > 0)) throw createUsageError(`--expires cannot be ${JSON.stringify(text)}.`, "Give minutes, hours or days: 30m, 12h, 90d.");
  return ms;
}
