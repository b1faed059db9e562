import type { HubOptions } from "../hub-options.ts";
import type { HubLog, LogLevel } from "../log.ts";

/** What every part of a starting hub stands on. */
export interface Ground {
  readonly options: HubOptions;
  /** Whatever is opened goes in here, and is closed in the opposite order. */
  readonly open: AsyncDisposableStack;
  /** Where it listens, on loopback. */
  readonly url: string;
  readonly startedAt: string;
  readonly logFile: HubLog;
  readonly tell: (level: LogLevel, message: string) => void;
  /** A bug, or something that broke: nobody is waiting to hear of it. */
  readonly onFailure: (error: unknown) => void;
}
