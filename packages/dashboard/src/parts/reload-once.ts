const KEY = "earshot-reloaded";

/** Which build this page is of: the name of its file changes with everything that it loads. */
const BUILD = import.meta.url;

/**
 * Loads the page again where nothing would be lost, and once only for each build: where that did not help, a person decides.
 * Returns whether it does.
 */
export function reloadOnce(): boolean {
  if (isWriting() || !mark()) return false;
  location.reload();
  return true;
}

/** Whether somebody is in the middle of something that a reload would throw away. What one searches for stands in the address. */
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
