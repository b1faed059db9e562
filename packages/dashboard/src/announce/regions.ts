/**
 * The two live regions, which are in the page from the beginning: one that is created when it is needed is not heard. Everything
 * that is announced goes through here and nothing else on the page is live.
 */
export type Loudness = "polite" | "assertive";

/** Words in one language; without one, in that of the page. */
export interface RegionPart {
  readonly text: string;
  readonly language?: string;
}

/** The same words twice are two announcements: a space that nobody hears makes them differ. */
const UNHEARD = "\u00a0";
/** Screen readers look at a region now and then: what stands there for less may never be read. */
const STAYS_MS = 150;
/** What was said long ago is not to be found at the end of the page as if it were news. */
const FORGET_MS = 60_000;
const MOST_WAITING = 20;

interface Region {
  last: string;
  changedAt: number;
  waiting: (readonly RegionPart[])[];
  timer: ReturnType<typeof setTimeout> | undefined;
}

const regions: Readonly<Record<Loudness, Region>> = { polite: newRegion(), assertive: newRegion() };

function newRegion(): Region {
  return { last: "", changedAt: Number.NEGATIVE_INFINITY, waiting: [], timer: undefined };
}

export function tellRegion(loudness: Loudness, text: string, language?: string): void {
  tellParts(loudness, [language === undefined ? { text } : { text, language }]);
}

/** Several languages in one announcement: each part is marked, so that a screen reader takes the voice for it. */
export function tellParts(loudness: Loudness, parts: readonly RegionPart[]): void {
  const region = regions[loudness];
  region.waiting.push(parts);
  if (region.waiting.length > MOST_WAITING) region.waiting.shift();
  pass(loudness, region);
}

function pass(loudness: Loudness, region: Region): void {
  clearTimeout(region.timer);
  const leftMs = region.changedAt + STAYS_MS - performance.now();
  const element = document.getElementById(loudness);
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
  region.changedAt = performance.now();
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
