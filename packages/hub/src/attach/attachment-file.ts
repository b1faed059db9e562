import type { Resume } from "@earshot/aaep";
import { isObject, type JsonValue } from "@earshot/protocol";
import Type from "typebox";
import { Compile } from "typebox/compile";
import { writePrivately } from "../home.ts";
import { readRegularFile } from "../regular-file.ts";
import { attachBody } from "./api.ts";
import { type AttachmentRecord, readTarget, sourceOf } from "./attachment-record.ts";

const MAX_BYTES = 16 * 1024 * 1024;

/** The producers that a hub attaches itself to when it starts, in a file that only its user can read. */
export class AttachmentFile {
  readonly #path: string;
  readonly #onFailure: (error: unknown) => void;

  constructor(path: string, onFailure: (error: unknown) => void) {
    this.#path = path;
    this.#onFailure = onFailure;
  }

  /** What is there and can be understood; a file that is damaged loses no more than what is damaged in it. */
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

function readResume({ accepted, lastEventId }: { readonly accepted?: unknown; readonly lastEventId?: unknown }): Resume {
  const isAccepted = isObject(accepted) && typeof accepted["subscription_id"] === "string" && isObject(accepted["honored_capabilities"]);
  return {
    ...(isAccepted ? { accepted: accepted as unknown as NonNullable<Resume["accepted"]> } : {}),
    ...(typeof lastEventId === "string" ? { lastEventId } : {}),
  };
}
