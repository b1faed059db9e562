/** What the hub tells about the producers that it is attached to, and what it is told: the contract of `/api/attachments`. */

/**
 * `connecting`: for the first time, or again. `open`: it hears what the producer says. `cut`: it tries again by itself. `ended`: a
 * command has ended, and is not run again. `failed`: the producer refuses, or cannot be trusted.
 */
export type AttachmentState = "connecting" | "open" | "cut" | "ended" | "failed";

export interface AttachmentView {
  readonly id: string;
  /** The source of what it says: the address, or the command. */
  readonly source: string;
  readonly transport: "sse" | "websocket" | "socket" | "stdio";
  readonly state: AttachmentState;
  /** What went wrong last, or why it ended. */
  readonly trouble: string | null;
  /** As the producer calls itself; null before it has answered. */
  readonly agent: string | null;
  readonly by: string;
  readonly at: string;
  /** Events that came since the hub was started. */
  readonly events: number;
  readonly lastEventAt: string | null;
  /** What the producer would not do as it was asked to, in its own words. */
  readonly notes: string | null;
}

export interface AttachmentList {
  readonly attachments: readonly AttachmentView[];
}

/** The body of `POST /api/attachments`: an address, or a command. */
export type AttachBody =
  | {
      readonly url: string;
      /** Sent with every request to it; kept, and never shown again. */
      readonly headers?: Readonly<Record<string, string>>;
      /** Public keys as JWK: only a producer whose manifest one of them has signed is listened to. */
      readonly keys?: readonly object[];
    }
  | { readonly command: readonly string[]; readonly cwd: string };
