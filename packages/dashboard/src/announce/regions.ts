/**
 * The two live regions, which are in the page from the beginning: one that is created when it is needed is not heard. Everything
 * that is announced goes through here and nothing else on the page is live. A dialog that makes the rest of the page inert has two of
 * its own.
 */
export type Loudness = "polite" | "assertive";

const LOUDNESSES = ["polite", "assertive"] as const satisfies readonly Loudness[];

/** Words in one language; without one, in that of the page. */
export interface RegionPart {
  readonly text: string;
  readonly language?: string;
}

/** The same words twice are two announcements: a space that nobody hears makes them differ. */
const UNHEARD = "\u00a0";
/** Screen readers look at a region now and then: what stands there for less may never be read. */
const STAYS_MS = 150;
/** And so long they take to find the regions of a dialog that was opened, or those of the page again. */
const FOUND_MS = 500;
/** What was said long ago is not to be found at the end of the page as if it were news. */
const FORGET_MS = 60_000;
const MAX_WAITING = 20;

interface Region {
  /** What stands there. */
  said: readonly RegionPart[];
  last: string;
  /** When something else may stand there. */
  freeAt: number;
  waiting: (readonly RegionPart[])[];
  timer: ReturnType<typeof setTimeout> | undefined;
}

const regions: Readonly<Record<Loudness, Region>> = { polite: newRegion(), assertive: newRegion() };

function newRegion(): Region {
  return { said: [], last: "", freeAt: Number.NEGATIVE_INFINITY, waiting: [], timer: undefined };
}

export function tellRegion(loudness: Loudness, text: string, language?: string): void {
  tellParts(loudness, [language === undefined ? { text } : { text, language }]);
}

/** Several languages in one announcement: each part is marked, so that a screen reader takes the voice for it. */
export function tellParts(loudness: Loudness, parts: readonly RegionPart[]): void {
  const region = regions[loudness];
  region.waiting.push(parts);
  if (region.waiting.length > MAX_WAITING) region.waiting.shift();
  pass(loudness, region);
}

/** Opens a dialog with regions of its own, which are there when it appears: those of the page are not heard until it is closed. */
export function openModal(dialog: HTMLDialogElement): void {
  if (dialog.open) return;
  const own = LOUDNESSES.map(newElement);
  dialog.append(...own);
  move();
  dialog.showModal();
  const close = () => {
    if (dialog.open) return; // and opened again
    dialog.removeEventListener("close", close);
    for (const element of own) element.remove();
    move();
  };
  dialog.addEventListener("close", close);
}

function newElement(loudness: Loudness): HTMLElement {
  const element = document.createElement("div");
  element.className = "told";
  element.dataset["loudness"] = loudness;
  element.ariaLive = loudness;
  element.ariaAtomic = "true";
  return element;
}

/** Words that stay behind are said once more when they are found again. Those that nobody can have heard yet go along. */
function move(): void {
  const at = performance.now();
  for (const loudness of LOUDNESSES) {
    const region = regions[loudness];
    if (region.last !== "" && region.freeAt > at) region.waiting.unshift(region.said);
    document.getElementById(loudness)?.replaceChildren();
    region.said = [];
    region.last = "";
    region.freeAt = at + FOUND_MS;
    pass(loudness, region);
  }
}

/** That of the dialog, while one is open. */
function elementOf(loudness: Loudness): HTMLElement | null {
  return document.querySelector<HTMLElement>(`dialog:modal > [data-loudness="${loudness}"]`) ?? document.getElementById(loudness);
}

function pass(loudness: Loudness, region: Region): void {
  clearTimeout(region.timer);
  const leftMs = region.freeAt - performance.now();
  const element = elementOf(loudness);
  if (element === null) return;
  if (leftMs <= 0) {
    const parts = region.waiting.shift() ?? [];
    write(element, region, parts);
  }
  const nextMs = region.waiting.length > 0 ? Math.max(leftMs, STAYS_MS) : FORGET_MS;
  if (region.waiting.length > 0 || region.last !== "") region.timer = setTimeout(() => pass(loudness, region), nextMs);
}

function write(element: HTMLElement, region: Region, parts: readonly RegionPart[]): void {
  const words = parts.map(({ text }) => text).join(" ");
  const isAgain = words !== "" && words === region.last;
  region.last = isAgain ? `${words}${UNHEARD}` : words;
  region.said = parts;
  region.freeAt = performance.now() + STAYS_MS;
  const nodes = parts.flatMap((part, index) => [...(index === 0 ? [] : [" "]), nodeOf(part)]);
  element.replaceChildren(...nodes, ...(isAgain ? [UNHEARD] : []));
}

function nodeOf({ text, language }: RegionPart): Node {
  if (language === undefined) return document.createTextNode(text);
  const span = document.createElement("span");
  span.lang = language;
  span.textContent = text;
  return span;
}
