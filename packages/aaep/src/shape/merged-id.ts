import type { Lane, ResumePoint } from "./resume-point.ts";

/** What the id of an event that was made here says. */
interface MergedId {
  /** The positions that it was made from lie between these two. */
  readonly first: number;
  readonly last: number;
  /** A short hash of the key of the terms that it was made by. */
  readonly terms: string;
  readonly resume: ResumePoint;
}

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const HALF = 31;
const MARK = "evt_M";
const CHECK = 4;
const TERMS = 6;
/** What the pattern of event ids leaves: 64 characters after the prefix, less the mark and the sum. */
const LONGEST = 64 - 1 - CHECK;

/**
 * The id of an event made from others: positions, terms, and what still waited when it went out, so that whoever has it can go
 * on after it with no memory on this side. It is a name and no proof: it holds a sum against accidents, not against forgery.
 *
 * When too much waits for all of it to be named, the point to go on from lies earlier: some of what follows comes twice, and
 * nothing is left out.
 */
export function writeMergedId(first: number, last: number, skip: number, termsKey: string, resume: ResumePoint): string {
  const head = hash(termsKey, TERMS) + number(last) + number(last - first) + number(skip);
  const lanes = [...resume.lanes].sort((a, b) => a.position - b.position);
  const named = lanes.map((lane, index) => writeLane(lane, last, lanes[index - 1]));
  for (let count = lanes.length; ; count--) {
    const next = lanes[count];
    const upTo = next === undefined ? resume.upTo : Math.min(resume.upTo, next.position - 1);
    const body = head + signed(upTo - last) + named.slice(0, count).join("");
    if (body.length <= LONGEST || count === 0) return MARK + hash(body, CHECK) + body;
  }
}

/** The first by how far it is from the event, the others by how far from the one before; then how much of it is gone, if any. */
function writeLane({ position, skip }: Lane, last: number, former: Lane | undefined): string {
  const distance = former === undefined ? toNatural(position - last) : position - former.position;
  return skip === 0 ? number(distance * 2) : number(distance * 2 + 1) + number(skip);
}

/** Undefined for an id that was not made here. */
export function readMergedId(id: string): MergedId | undefined {
  const body = id.slice(MARK.length + CHECK);
  if (!id.startsWith(MARK) || id !== MARK + hash(body, CHECK) + body) return undefined;
  const numbers = readNumbers(body.slice(TERMS));
  const [last, before, skip, offset, ...rest] = numbers ?? [];
  if (last === undefined || before === undefined || skip === undefined || offset === undefined) return undefined;
  const lanes: Lane[] = [];
  for (let index = 0, position = last; index < rest.length; index++) {
    const coded = rest[index] ?? 0;
    const distance = Math.floor(coded / 2);
    position += index === 0 ? fromNatural(distance) : distance;
    lanes.push({ position, skip: coded % 2 === 0 ? 0 : (rest[++index] ?? 0) });
  }
  return { first: last - before, last, terms: body.slice(0, TERMS), resume: { upTo: last + fromNatural(offset), lanes } };
}

/** Digits of base 31, the least first; all but the last come from the upper half of the alphabet. */
function number(value: number): string {
  let text = "";
  let rest = value;
  while (rest >= HALF) {
    text += DIGITS.charAt((rest % HALF) + HALF);
    rest = Math.floor(rest / HALF);
  }
  return text + DIGITS.charAt(rest);
}

function signed(value: number): string {
  return number(toNatural(value));
}

function toNatural(value: number): number {
  return value >= 0 ? value * 2 : -value * 2 - 1;
}

function fromNatural(value: number): number {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}

function readNumbers(text: string): number[] | undefined {
  const numbers: number[] = [];
  let value = 0;
  let weight = 1;
  for (const character of text) {
    const digit = DIGITS.indexOf(character);
    if (digit < 0) return undefined;
    value += (digit % HALF) * weight;
    weight *= HALF;
    if (!Number.isSafeInteger(value)) return undefined;
    if (digit >= HALF) continue;
    numbers.push(value);
    value = 0;
    weight = 1;
  }
  return weight === 1 ? numbers : undefined;
}

/** FNV-1a, twice, in letters and digits. */
function hash(text: string, length: number): string {
  let a = 0x811c9dc5;
  let b = 0x1000193;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x85ebca6b) ^ (b >>> 13);
  }
  let rest = (a >>> 0) * 0x100000 + ((b >>> 0) & 0xfffff);
  let hashed = "";
  for (let index = 0; index < length; index++) {
    hashed += DIGITS.charAt(rest % 62);
    rest = Math.floor(rest / 62);
  }
  return hashed;
}
