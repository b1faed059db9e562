const KEY = "earshot-reloaded";

/** Identifies the build of this page: the file name changes with all its contents. */
const BUILD = import.meta.url;

/**
 * Reloads the page if no input would be lost, and at most once per build: if that does not help, the user decides. Returns whether it
 * reloads.
 */
export function reloadOnce(): boolean {
  if (isWriting() || !mark()) return false;
  location.reload();
  return true;
}

/** Whether a reload would discard unsaved input. Search text is kept in the address. */
function isWriting(): boolean {
  const fields = [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("textarea, form input")];
  const isWritten = fields.some((field) => field.closest("search") === null && !field.readOnly && field.value !== "" && isText(field));
  return isWritten || document.querySelector("dialog[open]") !== null;
}

function isText({ type }: HTMLInputElement | HTMLTextAreaElement): boolean {
  return ["textarea", "text", "password", "number"].includes(type);
}

function mark(): boolean {
  try {
    if (sessionStorage.getItem(KEY) === BUILD) return false;
    sessionStorage.setItem(KEY, BUILD);
    return true;
  } catch {
    return false; // without a memory it might never end
  }
}
