// TEMPORARY placeholder: overwrite this file.
export type CaptureLevel = "full" | "summary" | "minimal";
export function reduce(_t: string, _v: object, _l: CaptureLevel, _p: string): { text: string } | undefined {
  return undefined;
}
