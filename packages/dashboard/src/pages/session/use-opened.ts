import { useCallback, useState } from "react";

export type Opened = "no" | "details" | "raw";

/** The rows that are expanded, and how far. The state survives scrolling. */
export function useOpened(): { readonly of: (key: string) => Opened; readonly open: (key: string, opened: Opened) => void } {
  const [rows, setRows] = useState<ReadonlyMap<string, Opened>>(new Map());
  const open = useCallback((key: string, opened: Opened) => setRows((old) => new Map(old).set(key, opened)), []);
  return { of: (key) => rows.get(key) ?? "no", open };
}
