/**
 * The two live regions, present in the page from the start: screen readers do not announce a region created on demand. Every announcement
 * passes through this module, and nothing else on the page is live. A dialog that makes the rest of the page inert has two regions of its
 * own.
 */
export type Loudness = "polite" | "assertive";

const LOUDNESSES = ["polite", "assertive"] as const satisfies readonly Loudness[];

/** Text in one language; without one, in the language of the page. */
export interface RegionPart {
  readonly text: string;
  readonly language?: string;
}

/** Repeating the same text is a new announcement: an inaudible space makes the content differ. */
const UNHEARD = "\u00a0";
/** Screen readers poll a region: text shown for less time may never be read. */
const STAYS_MS = 150;
/** Time screen readers need to find the regions of an opened dialog, or the regions of the page after it closes. */
const FOUND_MS = 500;
/** Old announcements are removed: at the end of the page they would read like news. */
const FORGET_MS = 60_000;
const MAX_WAITING = 20;

interface Region {
  /** The current content. */
  said: readonly RegionPart[];
  last: string;
  /** Time at which the content may be replaced. */
  freeAt: number;
  waiting: (readonly RegionPart[])[];
  timer: ReturnType<typeof setTimeout> | undefined;
}

const regions: Readonly<Record<Loudness, Region>> = { polite: newRegion(), assertive: newRegion() };

function newRegion(): Region {
  return { said: [], last: "", freeAt: Number.NEGATIVE_INFINITY, waiting: [], timer: undefined };
}

export function announceInRegion(loudness: Loudness, text: string, language?: string): void {
  announceParts(loudness, [language === undefined ? { text } : { text, language }]);
}

/** Marks each part of a multilingual announcement with its language, which lets a screen reader select the voice. */
export function announceParts(loudness: Loudness, parts: readonly RegionPart[]): void {
  const region = regions[loudness];
  region.waiting.push(parts);
  if (region.waiting.length > MAX_WAITING) region.waiting.shift();
  pass(loudness, region);
}

/** Opens a dialog with its own regions, present when it appears: the page's regions are not announced until the dialog closes. */
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

/**
 * Moves pending texts to the regions that are now active. A text shown too recently to have been read is announced again; older texts are
 * removed.
 */
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

/** Returns the region of the open dialog, or of the page if none is open. */
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
