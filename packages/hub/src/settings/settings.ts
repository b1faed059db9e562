import Type, { type Static } from "typebox";
import { orZero } from "../api-schema.ts";
import { CAPTURE_LEVELS } from "../intake/capture.ts";
import { alertThresholdsSchema } from "../views/alerts/detector.ts";

const MEBIBYTE = 1024 * 1024;
/** A source as in the flags: `all`, a protocol, or a protocol and a name. */
const SOURCE = "^(?:all|(?:aaep|aep|aop)(?:/[^\\s/]{1,128})?)$";
const maybe = Type.Optional;
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
    alerts: maybe(Type.Partial(alertThresholdsSchema, closed)),
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
export type HubSettings = Static<typeof settingsSchema>;

/** A problem of a file; lines and columns start at 1. */
export interface SettingsProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly hint?: string;
}

export type SettingsReading<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly troubles: readonly SettingsProblem[] };
