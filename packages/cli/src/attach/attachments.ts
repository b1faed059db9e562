import { createPublicKey } from "node:crypto";
import { readFileSync } from "node:fs";
import type { AttachBody, AttachmentState, AttachmentView } from "@earshot/hub";
import { formatCount, formatNumber, formatTime } from "@earshot/narrate";
import { EarshotError } from "@earshot/protocol/problem";
import { visibleBeginning } from "../inbox/visible-text.ts";

/** Options of every command that subscribes to a producer. */
export const PRODUCER_OPTIONS = {
  header: {
    type: "string",
    multiple: true,
    default: [],
    value: "TEXT",
    about: 'sent with every request: "Authorization: Bearer …". @FILE reads such lines from a file. May be repeated',
  },
  "signed-by": {
    type: "string",
    multiple: true,
    default: [],
    value: "FILE",
    about: "accept only an AAEP producer whose manifest this public key has signed: PEM or JWK. May be repeated",
  },
} as const;

export interface AttachWords {
  readonly url?: string | undefined;
  readonly command: readonly string[];
  /** `Name: value`, or `@FILE` with such lines. */
  readonly headers: readonly string[];
  /** Files with public keys: PEM, a JWK, or a set of them. */
  readonly keyFiles: readonly string[];
  readonly cwd: string;
}

/** The request body for the hub. */
export function toAttachBody({ url, command, headers, keyFiles, cwd }: AttachWords): AttachBody {
  if (url === undefined) {
    if (headers.length > 0 || keyFiles.length > 0) throw wrong("--header and --signed-by go with an address, not with a command.");
    return { command, cwd };
  }
  const lines = headers.flatMap((text) => (text.startsWith("@") ? readText(text.slice(1)).split(/\r?\n/) : [text]));
  return {
    url,
    headers: Object.fromEntries(lines.filter((line) => line.trim() !== "").map(readHeader)),
    keys: keyFiles.flatMap((path) => readKeys(path)),
  };
}

function readHeader(line: string): readonly [string, string] {
  const [, name, rest = ""] = /^([^\s:]+):(.*)$/.exec(line) ?? [];
  const value = rest.trim();
  // Not repeated, because the line may hold a secret.
  if (name === undefined || value === "") throw wrong("A header looks like this: Name: value");
  return [name, value];
}

function readKeys(path: string): readonly object[] {
  const text = readText(path);
  try {
    if (text.trimStart().startsWith("{")) {
      const value = JSON.parse(text) as { readonly keys?: unknown };
      return (Array.isArray(value.keys) ? value.keys : [value]).map((key: unknown) => publicHalf(key));
    }
    return [createPublicKey(text).export({ format: "jwk" })];
  } catch (error) {
    throw new EarshotError(
      { code: "FILE_UNREADABLE", message: `${path} contains no public key: a PEM file, a JWK, or a set of them.` },
      { cause: error },
    );
  }
}

/** Only the public half of a key is sent. */
function publicHalf(key: unknown): object {
  const { kty, crv, x, y, n, e, kid, alg } = key as Readonly<Record<string, unknown>>;
  if (kty !== "EC" && kty !== "RSA") throw new TypeError("Neither an EC nor an RSA key.");
  return JSON.parse(JSON.stringify({ kty, crv, x, y, n, e, kid, alg })) as object;
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new EarshotError({ code: "FILE_UNREADABLE", message: `${path} cannot be read.` }, { cause: error });
  }
}

function wrong(message: string): EarshotError {
  return new EarshotError({ code: "WRONG_USAGE", message, hint: "earshot source add --help" });
}

const STATES: Readonly<Record<AttachmentState, string>> = {
  connecting: "connecting",
  open: "attached",
  cut: "cut off; the hub tries again by itself",
  ended: "ended",
  failed: "failed",
};

/** One attached producer in words. Its own statements are shown as plain text. */
export function attachmentLines(view: AttachmentView, now: number, timeZone?: string): readonly string[] {
  const { id, source, state, agent, by, at, events, lastEventAt, trouble, notes } = view;
  const when = (iso: string) => formatTime(Date.parse(iso), now, timeZone);
  const last = lastEventAt === null ? "" : `, the last at ${when(lastEventAt)}`;
  return [
    `${shown(source)} (${id}): ${STATES[state]}${agent === null ? "" : `, ${shown(agent)}`}`,
    `  ${formatCount(events, "event")} since the hub was started${last}; attached by ${shown(by)} at ${when(at)}`,
    ...(trouble === null ? [] : [`  ${shown(trouble)}`]),
    ...(notes === null ? [] : [`  The producer says: ${shown(notes)}`]),
  ];
}

export const ATTACHMENT_COLUMNS = ["Source", "State", "Agent", "Events", "Last event", "Id"];

export function attachmentRow({ id, source, state, agent, events, lastEventAt }: AttachmentView, now: number): readonly string[] {
  const last = lastEventAt === null ? "" : formatTime(Date.parse(lastEventAt), now);
  return [shown(source), state === "open" ? "attached" : state, shown(agent ?? ""), formatNumber(events), last, id];
}

function shown(text: string): string {
  return visibleBeginning(text, 300);
}
