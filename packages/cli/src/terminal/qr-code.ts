/**
 * QR codes (ISO/IEC 18004): bytes, versions 1 to 10, error correction M. Enough for a link, small enough to write here: bits →
 * codewords → Reed–Solomon → modules in a zigzag → the mask with the fewest confusing patterns.
 */
const ERROR_CODEWORDS = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26] as const;
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5] as const;
const QUIET = 2;

/** The code as text, two rows of modules in a line. Black on white whatever the terminal's colours are, if it takes colours. */
export function drawQrCode(text: string, { colour = true } = {}): string {
  const modules = createQrCode(text);
  const size = modules.length;
  const isDark = (x: number, y: number) => modules[y]?.[x] === true;
  const lines: string[] = [];
  for (let y = -QUIET; y < size + QUIET; y += 2) {
    let line = "";
    for (let x = -QUIET; x < size + QUIET; x++) line += BLOCKS_OF_TWO[(isDark(x, y) ? 2 : 0) + (isDark(x, y + 1) ? 1 : 0)];
    lines.push(colour ? `\u001b[30;107m${line}\u001b[0m` : line);
  }
  return `${lines.join("\n")}\n`;
}

const BLOCKS_OF_TWO = [" ", "▄", "▀", "█"] as const;

/** Rows of modules; true is dark. */
export function createQrCode(text: string): readonly (readonly boolean[])[] {
  const bytes = new TextEncoder().encode(text);
  const version = ERROR_CODEWORDS.findIndex((_, index) => bytes.length + (index + 1 < 10 ? 2 : 3) <= dataCodewords(index + 1)) + 1;
  if (version === 0) throw new RangeError("The text is too long for a QR code of this kind.");
  const codewords = withErrorCorrection(toCodewords(bytes, version), version);
  const masked = Array.from({ length: 8 }, (_, mask) => draw(codewords, version, mask));
  const [first = []] = masked;
  return masked.reduce((best, one) => (penaltyOf(one) < penaltyOf(best) ? one : best), first);
}

/** Modules that are left for data and its correction, in bytes. */
function allCodewords(version: number): number {
  const alignments = version === 1 ? 0 : Math.floor(version / 7) + 2;
  const timing = version === 1 ? 0 : (25 * alignments - 10) * alignments - 55;
  return Math.floor(((16 * version + 128) * version + 64 - timing - (version >= 7 ? 36 : 0)) / 8);
}

function dataCodewords(version: number): number {
  return allCodewords(version) - at(ERROR_CODEWORDS, version - 1) * at(BLOCKS, version - 1);
}

function toCodewords(bytes: Uint8Array, version: number): readonly number[] {
  let bits = `0100${bytes.length.toString(2).padStart(version < 10 ? 8 : 16, "0")}`;
  for (const byte of bytes) bits += byte.toString(2).padStart(8, "0");
  const capacity = dataCodewords(version);
  bits += "0".repeat(Math.min(4, capacity * 8 - bits.length));
  bits = bits.padEnd(Math.ceil(bits.length / 8) * 8, "0");
  const words = (bits.match(/.{8}/g) ?? []).map((word) => Number.parseInt(word, 2));
  for (let pad = 0xec; words.length < capacity; pad ^= 0xec ^ 0x11) words.push(pad);
  return words;
}

/** Cut into blocks, each with its own correction, then woven together so that a scratch hurts each a little. */
function withErrorCorrection(data: readonly number[], version: number): readonly number[] {
  const blocks = at(BLOCKS, version - 1);
  const corrections = at(ERROR_CODEWORDS, version - 1);
  const short = Math.floor(data.length / blocks);
  const longOnes = data.length % blocks;
  const divisor = divisorOf(corrections);
  const parts: { readonly words: readonly number[]; readonly check: readonly number[] }[] = [];
  for (let block = 0, from = 0; block < blocks; block++) {
    const length = short + (block < blocks - longOnes ? 0 : 1);
    const words = data.slice(from, from + length);
    parts.push({ words, check: remainderOf(words, divisor) });
    from += length;
  }
  const woven: number[] = [];
  for (let index = 0; index <= short; index++) for (const { words } of parts) if (index < words.length) woven.push(at(words, index));
  for (let index = 0; index < corrections; index++) for (const { check } of parts) woven.push(at(check, index));
  return woven;
}

/** In the field of 256 elements, modulo x⁸ + x⁴ + x³ + x² + 1. */
function multiply(a: number, b: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >>> 7) * 0x11d);
    product ^= ((b >>> bit) & 1) * a;
  }
  return product;
}

function divisorOf(degree: number): readonly number[] {
  let divisor = [...Array.from({ length: degree - 1 }, () => 0), 1];
  for (let step = 0, root = 1; step < degree; step++, root = multiply(root, 2)) {
    const factor = root;
    divisor = divisor.map((term, index) => multiply(term, factor) ^ (divisor[index + 1] ?? 0));
  }
  return divisor;
}

function remainderOf(words: readonly number[], divisor: readonly number[]): readonly number[] {
  let rest = divisor.map(() => 0);
  for (const word of words) {
    const factor = word ^ at(rest, 0);
    rest = [...rest.slice(1), 0].map((term, index) => term ^ multiply(at(divisor, index), factor));
  }
  return rest;
}

function draw(codewords: readonly number[], version: number, mask: number): readonly (readonly boolean[])[] {
  const size = version * 4 + 17;
  const grid: (boolean | undefined)[][] = Array.from({ length: size }, () => Array.from({ length: size }, () => undefined));
  const set = (x: number, y: number, dark: boolean) => {
    const row = grid[y];
    if (row !== undefined && x >= 0 && x < size) row[x] = dark;
  };
  for (let index = 0; index < size; index++) {
    set(6, index, index % 2 === 0);
    set(index, 6, index % 2 === 0);
  }
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const)
    ring(x, y, 4, (distance) => distance !== 2 && distance !== 4);
  const places = alignmentPlaces(version, size);
  const last = places.length - 1;
  places.forEach((x, column) => {
    places.forEach((y, row) => {
      const isCorner = (column === 0 && row === 0) || (column === 0 && row === last) || (column === last && row === 0);
      if (!isCorner) ring(x, y, 2, (distance) => distance !== 1);
    });
  });
  drawFormat();
  if (version >= 7) drawVersion();
  fill();
  return grid.map((row) => row.map((dark) => dark === true));

  function ring(x: number, y: number, radius: number, isDark: (distance: number) => boolean): void {
    for (let dy = -radius; dy <= radius; dy++)
      for (let dx = -radius; dx <= radius; dx++) set(x + dx, y + dy, isDark(Math.max(Math.abs(dx), Math.abs(dy))));
  }

  function drawFormat(): void {
    let rest = mask; // level M is 00
    for (let step = 0; step < 10; step++) rest = (rest << 1) ^ ((rest >>> 9) * 0x537);
    const bits = ((mask << 10) | rest) ^ 0x5412;
    const bit = (index: number) => ((bits >>> index) & 1) === 1;
    for (let index = 0; index <= 5; index++) set(8, index, bit(index));
    set(8, 7, bit(6));
    set(8, 8, bit(7));
    set(7, 8, bit(8));
    for (let index = 9; index < 15; index++) set(14 - index, 8, bit(index));
    for (let index = 0; index < 8; index++) set(size - 1 - index, 8, bit(index));
    for (let index = 8; index < 15; index++) set(8, size - 15 + index, bit(index));
    set(8, size - 8, true);
  }

  function drawVersion(): void {
    let rest = version;
    for (let step = 0; step < 12; step++) rest = (rest << 1) ^ ((rest >>> 11) * 0x1f25);
    const bits = (version << 12) | rest;
    for (let index = 0; index < 18; index++) {
      const [a, b] = [size - 11 + (index % 3), Math.floor(index / 3)];
      set(a, b, ((bits >>> index) & 1) === 1);
      set(b, a, ((bits >>> index) & 1) === 1);
    }
  }

  /** Two columns at a time, up and down, from the right; the timing column is stepped over. */
  function fill(): void {
    let index = 0;
    for (let right = size - 1; right >= 1; right -= 2) {
      if (right === 6) right = 5;
      for (let step = 0; step < size; step++) {
        const y = ((right + 1) & 2) === 0 ? size - 1 - step : step;
        for (const x of [right, right - 1]) {
          if (grid[y]?.[x] !== undefined) continue;
          const isDark = index < codewords.length * 8 && ((at(codewords, index >>> 3) >>> (7 - (index & 7))) & 1) === 1;
          set(x, y, isDark !== isMasked(mask, x, y));
          index++;
        }
      }
    }
  }
}

function isMasked(mask: number, x: number, y: number): boolean {
  const rules = [
    (x + y) % 2,
    y % 2,
    x % 3,
    (x + y) % 3,
    (Math.floor(x / 3) + Math.floor(y / 2)) % 2,
    ((x * y) % 2) + ((x * y) % 3),
    (((x * y) % 2) + ((x * y) % 3)) % 2,
    (((x + y) % 2) + ((x * y) % 3)) % 2,
  ];
  return rules[mask] === 0;
}

function alignmentPlaces(version: number, size: number): readonly number[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = Math.ceil((size - 13) / (2 * count - 2)) * 2;
  return [6, ...Array.from({ length: count - 1 }, (_, index) => size - 7 - (count - 2 - index) * step)];
}

/** Long runs, squares of one colour, what looks like a finder, and more of one colour than of the other. */
function penaltyOf(grid: readonly (readonly boolean[])[]): number {
  const columns = grid.map((_, x) => grid.map((row) => row[x] === true));
  let penalty = 0;
  for (const line of [...grid, ...columns]) {
    const text = line.map((dark) => (dark ? "1" : "0")).join("");
    for (const [run] of text.matchAll(/0{5,}|1{5,}/g)) penalty += run.length - 2;
    penalty += 40 * (text.match(/(?=10111010000|00001011101)/g)?.length ?? 0);
  }
  for (let y = 1; y < grid.length; y++) {
    for (let x = 1; x < grid.length; x++) {
      const dark = grid[y]?.[x];
      if (dark === grid[y - 1]?.[x] && dark === grid[y]?.[x - 1] && dark === grid[y - 1]?.[x - 1]) penalty += 3;
    }
  }
  const dark = grid.flat().filter(Boolean).length / grid.length ** 2;
  return penalty + 10 * Math.floor(Math.abs(dark - 0.5) * 20);
}

function at(list: readonly number[], index: number): number {
  return list[index] ?? 0;
}
