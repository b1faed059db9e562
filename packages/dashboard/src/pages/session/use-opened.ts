import { useCallback, useState } from "react";

export type OpenedDetail = "no" | "details" | "raw";

/** The rows that are expanded, and how far. The state survives scrolling. */
export function useOpened(): { readonly of: (key: string) => OpenedDetail; readonly open: (key: string, opened: OpenedDetail) => void } {
  const [rows, setRows] = useState<ReadonlyMap<string, OpenedDetail>>(new Map());
  const open = useCallback((key: string, opened: OpenedDetail) => setRows((old) => new Map(old).set(key, opened)), []);
  return { of: (key) => rows.get(key) ?? "no", open };
}
