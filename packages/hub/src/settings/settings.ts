import Type, { type Static, type TInteger } from "typebox";
import { CAPTURE_LEVELS } from "../intake/capture.ts";
import { LOOP_RULES } from "../views/alerts/detector.ts";

const MEBIBYTE = 1024 * 1024;
/** A source as in the flags: `all`, a protocol, or a protocol and a name. */
const SOURCE = "^(?:all|(?:aaep|aep|aop)(?:/[^\\s/]{1,128})?)$";
const maybe = Type.Optional;
/** A small number would remove nearly everything and is probably a forgotten unit. */
const orZero = (schema: TInteger) => Type.Union([Type.Literal(0), schema]);
/** A count or duration before an alert is raised; 0: never. */
const fromOn = (minimum: number, maximum: number, description: string) => maybe(orZero(Type.Integer({ minimum, maximum, description })));
const DAY_SECONDS = 86_400;
const closed = { additionalProperties: false } as const;

/** The schema of `config.yaml`. Everything is optional; unknown members are errors, because they are probably mistyped. */
export const settingsSchema = Type.Object(
  {
    port: maybe(Type.Integer({ minimum: 0, maximum: 65_535, description: "listen on this port, and on no other; 0 is any free one" })),
    aop: maybe(Type.Boolean({ description: "listen on port 4317 as well, the default of AOP clients" })),
    store: maybe(
      Type.String({
        pattern: "^postgres(?:ql)?://(?:[^\\s/:@]+@)?[^\\s/@]+/[^\\s/@]+$",
        maxLength: 500,
        description: "keep the ledger in this PostgreSQL database: postgres://user@host:5432/database",
      }),
    ),
    strict: maybe(Type.Boolean({ description: "refuse events that break a sequence" })),
    open: maybe(Type.Boolean({ description: "open a browser at start" })),
    notify: maybe(Type.Boolean({ description: "tell requests on the desktop too" })),
    capture: maybe(
      Type.Record(Type.String({ pattern: SOURCE }), Type.Enum([...CAPTURE_LEVELS]), {
        ...closed,
        description: "how much is kept of what a source says",
      }),
    ),
    keepSecrets: maybe(
      Type.Array(Type.String({ pattern: SOURCE }), { maxItems: 1000, description: "sources in which credentials are not masked" }),
    ),
    retention: maybe(
      Type.Object(
        {
          days: maybe(Type.Integer({ minimum: 0, maximum: 36_500, description: "keep what is not older than so many days; 0: no limit" })),
          bytes: maybe(orZero(Type.Integer({ minimum: MEBIBYTE, maximum: 2 ** 50, description: "keep the newest that fit; 0: no limit" }))),
        },
        closed,
      ),
    ),
    limits: maybe(
      Type.Object(
        {
          eventBytes: maybe(Type.Integer({ minimum: 1024, maximum: 64 * MEBIBYTE, description: "the longest event" })),
          queueBytes: maybe(Type.Integer({ minimum: MEBIBYTE, maximum: 4096 * MEBIBYTE, description: "what may wait for the disk" })),
          listeners: maybe(Type.Integer({ minimum: 1, maximum: 100_000, description: "how many may listen at once" })),
        },
        closed,
      ),
    ),
    alerts: maybe(
      Type.Object(
        {
          loopRule: maybe(Type.Enum([...LOOP_RULES], { description: "what a loop is" })),
          loopCalls: fromOn(2, 1000, "calls with similar input and the same result"),
          loopSeconds: maybe(Type.Integer({ minimum: 1, maximum: DAY_SECONDS, description: "how far apart they may be" })),
          failures: fromOn(1, 1000, "failed calls and errors in a row"),
          lowThoughts: fromOn(1, 1000, "thoughts of low confidence in a row"),
          stallSeconds: fromOn(5, DAY_SECONDS, "silence of an agent that sends heartbeats"),
          silenceSeconds: fromOn(5, DAY_SECONDS, "silence of an agent that sends none"),
          spikeFactor: fromOn(2, 1000, "how many times as much as usual a step costs"),
          spikeCents: maybe(Type.Integer({ minimum: 0, maximum: 1_000_000, description: "what costs less is no spike" })),
          spikeTokens: maybe(Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: "the same, where only tokens are told" })),
          requestSeconds: fromOn(1, 7 * DAY_SECONDS, "how long a question waits"),
          violations: maybe(Type.Boolean({ description: "the first time that a rule of the protocol is broken" })),
        },
        closed,
      ),
    ),
    allowOrigins: maybe(
      Type.Array(Type.String({ pattern: "^https?://[^\\s/?#@*]+$", format: "uri", maxLength: 300 }), {
        maxItems: 100,
        description: "web applications of other origins that may call for a paired person",
      }),
    ),
    publicUrl: maybe(
      Type.String({
        pattern: "^https://[^\\s/?#@]+/?$",
        format: "uri",
        maxLength: 300,
        description: "where other devices reach the hub, through a proxy of yours",
      }),
    ),
  },
  closed,
);
export type Settings = Static<typeof settingsSchema>;

/** A problem of a file; lines and columns start at 1. */
export interface Trouble {
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly hint?: string;
}

export type Read<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly troubles: readonly Trouble[] };
