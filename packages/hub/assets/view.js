// @ts-check
/** @param {string} id */
export function find(id) {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`There is no ${id}.`);
  return element;
}

const SECTIONS = ["first", "claim", "waiting", "admitted"];

/** One thing at a time, and the reader is told: the focus goes to the heading.
 * @param {string} shown */
export function showOnly(shown) {
  const isNew = find(shown).hidden;
  for (const id of SECTIONS) find(id).hidden = id !== shown;
  if (isNew) document.querySelector("h1")?.focus();
}

/** @param {string} text */
export function say(text) {
  find("status").textContent = text;
}

/** @param {unknown} error */
export function tell(error) {
  find("problem").textContent = error === undefined ? "" : error instanceof Error ? error.message : String(error);
}

/**
 * @param {HTMLFormElement} form
 * @param {string} name
 */
export function fieldOf(form, name) {
  const value = new FormData(form).get(name);
  return typeof value === "string" ? value : "";
}

export function suggestName() {
  const browser = /Firefox|Edg|Chrome|Safari/.exec(navigator.userAgent)?.[0].replace("Edg", "Edge") ?? "Browser";
  const system = /Android|iPhone|iPad|Windows|Mac|Linux/.exec(navigator.userAgent)?.[0] ?? "";
  for (const input of document.querySelectorAll("input[name=name]")) {
    if (input instanceof HTMLInputElement && input.value === "") input.value = system === "" ? browser : `${browser}, ${system}`;
  }
}

/**
 * An element with text in it; markup is never made from text.
 * @param {string} tag
 * @param {...(Node | string)} children
 */
export function element(tag, ...children) {
  const made = document.createElement(tag);
  made.append(...children);
  return made;
}

/**
 * @param {string} text
 * @param {string} label what a screen reader says, with what it is about
 * @param {() => Promise<unknown>} act
 */
export function button(text, label, act) {
  const made = document.createElement("button");
  made.textContent = text;
  made.type = "button";
  made.setAttribute("aria-label", label);
  made.onclick = () => {
    tell(undefined);
    made.disabled = true;
    act()
      .catch(tell)
      .finally(() => {
        made.disabled = false;
      });
  };
  return made;
}
