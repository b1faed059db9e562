import Type, { type Static } from "typebox";
import { isoTime, listOf, naturalNumber, orNull } from "../api-schema.ts";

/** Response and request types of `/api/attachments`. */
export const attachmentViewSchema = Type.Object(
  {
    id: Type.String(),
    source: Type.String({ description: "of what it says: the address, or the command" }),
    transport: Type.Enum(["sse", "websocket", "socket", "stdio"]),
    state: Type.Enum(["connecting", "open", "cut", "ended", "failed"], {
      description:
        "`connecting`: for the first time, or again; `open`: events are received; `cut`: the hub reconnects by itself; `ended`: a command has ended and is not run again; `failed`: the producer refuses, or cannot be trusted",
    }),
    trouble: orNull(Type.String(), { description: "what went wrong last, or why it ended" }),
    agent: orNull(Type.String(), { description: "as the producer calls itself; null before it has answered" }),
    by: Type.String(),
    at: isoTime(),
    events: naturalNumber({ description: "since the hub was started" }),
    lastEventAt: orNull(isoTime()),
    notes: orNull(Type.String(), { description: "what the producer would not do as it was asked to, in its own words" }),
  },
  { title: "Attachment" },
);
export type AttachmentView = Static<typeof attachmentViewSchema>;
export type AttachmentState = AttachmentView["state"];

export const attachmentListSchema = Type.Object({ attachments: listOf(attachmentViewSchema) });
export type AttachmentList = Static<typeof attachmentListSchema>;

const maybe = Type.Optional;
const MAX_WORD_CHARACTERS = 8192;
const word = Type.String({ maxLength: MAX_WORD_CHARACTERS, pattern: "^[^\\u0000]*$" });

/** The attached producer: a URL or a command. Both are stored in a file with the same members. */
export const attachBody = Type.Object({
  url: maybe(Type.String({ maxLength: 2048, description: "the address of a producer" })),
  headers: maybe(
    Type.Record(Type.String(), Type.String(), {
      maxProperties: 20,
      description: "an object of texts, sent with every request to the producer; kept, and never shown again",
    }),
  ),
  keys: maybe(
    listOf(
      Type.Unsafe<object>({
        type: "object",
        properties: { kty: { enum: ["EC", "RSA"] } },
        required: ["kty"],
        not: { required: ["d"] },
      }),
      {
        maxItems: 10,
        description: "public keys as JWK: only a producer whose manifest one of them has signed is followed",
      },
    ),
  ),
  command: maybe(listOf(word, { minItems: 1, maxItems: 200, description: "a program and its arguments" })),
  cwd: maybe(
    Type.String({
      minLength: 1,
      maxLength: MAX_WORD_CHARACTERS,
      pattern: "^[^\\u0000]*$",
      description: "the folder to run the command in",
    }),
  ),
});
export type AttachBody = Static<typeof attachBody>;
