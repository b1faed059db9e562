/** One frame of an event stream: LF line ends, `data: ` with one space, all data on one line. */
export interface SseFrame {
  /** Undefined: the frame is not named, and a browser calls it `message`. */
  readonly event?: string | undefined;
  readonly id?: string | undefined;
  readonly data: string;
}

/** The name of a frame that holds an event of the protocol. Messages go unnamed. */
export const SSE_EVENT = "aaep.event";

export function sseFrame({ event, id, data }: SseFrame): string {
  const name = event === undefined ? "" : `event: ${event}\n`;
  const place = id === undefined ? "" : `id: ${id}\n`;
  // JSON on one line has no line ends; anything else is written so that it comes out as it went in.
  return `${name}${place}data: ${data.includes("\n") ? data.replaceAll("\n", "\ndata: ") : data}\n\n`;
}

/** A frame without data is no event, and still moves the id that a peer resumes from. */
export function sseMark(id: string): string {
  return `id: ${id}\n\n`;
}

/** Says nothing, and keeps whatever stands between from closing a silent stream. */
export const SSE_COMMENT = ":\n\n";
