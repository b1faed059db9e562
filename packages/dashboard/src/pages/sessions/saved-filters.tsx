import { type FormEvent, type ReactNode, useId, useRef, useState } from "react";
import { announceInRegion, openModal } from "../../announce/regions.ts";
import { hrefOf, navigate, usePageLocation } from "../../route.ts";

interface SavedFilter {
  readonly name: string;
  /** The query as in the address. */
  readonly query: string;
}

const KEY = "earshot-session-filters";
const MAX_SAVED = 20;

/** Filters for daily use: predefined ones, and those saved in this browser. */
const READY: readonly SavedFilter[] = [
  { name: "Waiting for you", query: "status=waiting" },
  { name: "Failed", query: "status=failed" },
];

/** The predefined and saved filters. Choosing one changes the address. */
export function SavedFilters(): ReactNode {
  const { query } = usePageLocation();
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [saved, setSaved] = useState(readSaved);
  const keep = (filters: readonly SavedFilter[]) => {
    setSaved(filters);
    localStorage.setItem(KEY, JSON.stringify(filters));
  };
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get("name") ?? "").trim();
    if (name === "") return;
    keep([...saved.filter((one) => one.name !== name), { name, query: query.toString() }].slice(-MAX_SAVED));
    announceInRegion("polite", `Saved the filter ${name}.`);
    dialog.current?.close();
  };
  const forget = (name: string) => {
    keep(saved.filter((one) => one.name !== name));
    announceInRegion("polite", `Removed the filter ${name}.`);
  };
  const all = [...READY, ...saved];
  const chosen = all.find((one) => one.query === query.toString());
  const isOwn = saved.some((one) => one === chosen);
  return (
    <>
      <label htmlFor={`${id}-saved`}>Saved</label>
      <select
        id={`${id}-saved`}
        value={chosen?.query ?? ""}
        onChange={({ currentTarget }) => navigate(`${hrefOf("sessions")}${currentTarget.value === "" ? "" : `?${currentTarget.value}`}`)}
      >
        <option value="">none</option>
        {all.map((one) => (
          <option key={`${one.name} ${one.query}`} value={one.query}>
            {one.name}
          </option>
        ))}
      </select>
      {chosen !== undefined && isOwn ? (
        <button type="button" className="button small" onClick={() => forget(chosen.name)}>
          Remove this filter
        </button>
      ) : chosen === undefined && query.toString() !== "" ? (
        <button type="button" className="button small" onClick={() => dialog.current !== null && openModal(dialog.current)}>
          Save these filters …
        </button>
      ) : null}
      <dialog ref={dialog} className="stop-dialog" aria-labelledby={id}>
        <h2 id={id}>Save these filters</h2>
        <form onSubmit={save}>
          <p className="field">
            <label htmlFor={`${id}-name`}>Name</label>
            <input id={`${id}-name`} name="name" required maxLength={60} />
          </p>
          <div className="action-row">
            <button type="submit" className="button primary">
              Save
            </button>
            <button type="button" className="button" onClick={() => dialog.current?.close()}>
              Cancel
            </button>
          </div>
        </form>
      </dialog>
    </>
  );
}

function readSaved(): readonly SavedFilter[] {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    if (!Array.isArray(read)) return [];
    return read.filter((one): one is SavedFilter => typeof one?.name === "string" && typeof one?.query === "string");
  } catch {
    return []; // nothing that this page wrote
  }
}
