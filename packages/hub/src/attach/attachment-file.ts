import { hash } from "node:crypto";
import { displayNameOf, type ResumeState, readProducerAddress } from "@earshot/aaep";
import { EarshotError, isObject, type JsonValue, type SubscriptionRequest } from "@earshot/protocol";
import Type from "typebox";
import { Compile } from "typebox/compile";
import { writePrivately } from "../home.ts";
import { redactText } from "../intake/redact-text.ts";
import { readRegularFile } from "../regular-file.ts";
import { type AttachBody, attachBody } from "./api.ts";

const MAX_BYTES = 16 * 1024 * 1024;

/** The producers a hub attaches to at its start, in a private file. */
export class AttachmentFile {
  readonly #path: string;
  readonly #onFailure: (error: unknown) => void;

  constructor(path: string, onFailure: (error: unknown) => void) {
    this.#path = path;
    this.#onFailure = onFailure;
  }

  /** The readable records; damage loses no more than the damaged ones. */
  read(): readonly AttachmentRecord[] {
    let text: string;
    try {
      text = readRegularFile(this.#path, { maxBytes: MAX_BYTES });
    } catch {
      return []; // nothing was ever attached
    }
    try {
      const value = JSON.parse(text) as JsonValue;
      const list = isObject(value) && Array.isArray(value["attachments"]) ? (value["attachments"] as readonly JsonValue[]) : [];
      return list.flatMap((one) => this.#readRecord(one));
    } catch (error) {
      this.#onFailure(error);
      return [];
    }
  }

  write(records: readonly AttachmentRecord[]): void {
    const attachments = records.map(({ to: { kind: _kind, ...to }, ...record }) => ({ ...record, ...to }));
    writePrivately(this.#path, `${JSON.stringify({ version: 1, attachments }, null, 2)}\n`);
  }

  #readRecord(value: unknown): readonly AttachmentRecord[] {
    try {
      if (!recordReader.Check(value)) throw new TypeError("An attachment is incomplete.");
      const { id, by, at, resume = {}, ...target } = value;
      const to = readTarget(target);
      return [{ id, source: sourceOf(to), to, by, at, resume: readResume(resume) }];
    } catch (error) {
      this.#onFailure(error);
      return [];
    }
  }
}

const recordReader = Compile(
  Type.Object({
    id: Type.String(),
    by: Type.String(),
    at: Type.Number(),
    resume: Type.Optional(Type.Object({ accepted: Type.Optional(Type.Unknown()), lastEventId: Type.Optional(Type.Unknown()) })),
    ...attachBody.properties,
  }),
);

function readResume({ accepted, lastEventId }: { readonly accepted?: unknown; readonly lastEventId?: unknown }): ResumeState {
  const isAccepted = isObject(accepted) && typeof accepted["subscription_id"] === "string" && isObject(accepted["honored_capabilities"]);
  return {
    ...(isAccepted ? { accepted: accepted as unknown as NonNullable<ResumeState["accepted"]> } : {}),
    ...(typeof lastEventId === "string" ? { lastEventId } : {}),
  };
}

/** A stored attachment: a plain value. */
export interface AttachmentRecord {
  readonly id: string;
  /** The source's name. */
  readonly source: string;
  readonly to: AttachmentTarget;
  readonly by: string;
  readonly at: number;
  /** Where to resume after a lost connection or a restart. */
  readonly resume: ResumeState;
}

export type AttachmentTarget =
  | {
      readonly kind: "address";
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly keys: readonly object[];
    }
  | { readonly kind: "command"; readonly command: readonly string[]; readonly cwd: string };

const MAX_NAME_CHARACTERS = 200;
const HEADER = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
const HEADER_VALUE = /^[\t\x20-\x7e]{1,8192}$/;
/** Headers that determine the destination or the format of a request. */
const OWN_HEADERS: ReadonlySet<string> = new Set(["host", "content-length", "content-type", "transfer-encoding", "connection", "accept"]);

/** Parses a requested attachment. */
export function readTarget({ url, headers = {}, keys = [], command, cwd }: AttachBody): AttachmentTarget {
  if (url !== undefined && command === undefined) {
    const address = readProducerAddress(url);
    if (address.kind !== "socket") checkEncrypted(address.kind === "http" ? address.base : address.url);
    return { kind: "address", url, headers: readHeaders(headers), keys };
  }
  if (url === undefined && command !== undefined && cwd !== undefined && command[0] !== "") return { kind: "command", command, cwd };
  throw wrong("Either `url`, or `command` and the folder to run it in, `cwd`.");
}

/** The source's name, without query, headers and other possible secrets. No credential can have such a name. */
export function sourceOf(target: AttachmentTarget): string {
  const name = target.kind === "address" ? displayNameOf(readProducerAddress(target.url)) : `run: ${target.command.join(" ")}`;
  const visible = [...redactText(name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ")).text];
  if (visible.length <= MAX_NAME_CHARACTERS) return visible.join("");
  // Long names that begin alike stay distinct.
  return `${visible.slice(0, MAX_NAME_CHARACTERS).join("")}… ${hash("sha256", name, "hex").slice(0, 8)}`;
}

function readHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const entries = Object.entries(headers).map(([name, value]) => {
    const isUsable = HEADER.test(name) && !OWN_HEADERS.has(name.toLowerCase());
    if (!isUsable || !HEADER_VALUE.test(value)) throw wrong(`The header ${name.slice(0, 60)} cannot be sent.`);
    return [name.toLowerCase(), value];
  });
  return Object.fromEntries(entries);
}

/** Connections to other machines must be encrypted. */
function checkEncrypted(url: string): void {
  const { protocol, hostname } = new URL(url);
  const isHere = hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
  if (isHere || protocol === "https:" || protocol === "wss:") return;
  const hint = "Use https or wss, or a tunnel that ends on this machine.";
  throw new EarshotError({ code: "WRONG_QUERY", message: "A producer on another machine is reached with TLS only.", hint });
}

function wrong(message: string): EarshotError {
  return new EarshotError({ code: "WRONG_QUERY", message });
}

/** The hub requests everything, unshaped, because it records the original events. */
export function toHubRequest(to: AttachmentTarget, version: string): SubscriptionRequest {
  const isSigned = to.kind === "address" && to.keys.length > 0;
  return {
    type: "subscription.request",
    aaep_version: "1.0.0",
    subscriber_id: "earshot-hub",
    subscriber_name: "Earshot",
    subscriber_version: version,
    capabilities: {
      supports_confirmation_reply: true,
      supports_clarification_reply: true,
      supported_conformance_levels: [1, 2, 3],
      coalesce_boundaries: ["none", "word", "sentence", "paragraph", "completion"],
      preferred_verbosity: "detailed",
      cognitive_load: "high",
      event_filters: { include: ["*"] },
      ...(isSigned ? { accept_signed_manifests_only: true } : {}),
    },
  };
}
