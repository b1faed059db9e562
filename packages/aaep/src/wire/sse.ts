/** One frame of an event stream: LF line ends, `data: ` with one space, all data on one line. */
export interface SseFrame {
  /** Undefined: an unnamed frame, which a browser treats as `message`. */
  readonly event?: string | undefined;
  readonly id?: string | undefined;
  readonly data: string;
}

/** The name of frames with protocol events. Messages are unnamed. */
export const SSE_EVENT = "aaep.event";

export function sseFrame({ event, id, data }: SseFrame): string {
  const name = event === undefined ? "" : `event: ${event}\n`;
  const place = id === undefined ? "" : `id: ${id}\n`;
  // JSON has no line ends; other data is encoded so that it is decoded unchanged.
  return `${name}${place}data: ${data.includes("\n") ? data.replaceAll("\n", "\ndata: ") : data}\n\n`;
}

/** A frame without data is no event but sets the id from which a peer resumes. */
export function sseMark(id: string): string {
  return `id: ${id}\n\n`;
}

/** A comment that keeps proxies from closing an idle stream. */
export const SSE_COMMENT = ":\n\n";
