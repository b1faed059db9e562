/** One JSON text per line. Compact JSON has no line ends of its own. */
export function encodeLine(text: string): string {
  return `${text}\n`;
}

/** Puts lines together from pieces cut anywhere between characters; empty lines are nothing. Throws a `RangeError` for a line too long. */
export class LineParser {
  readonly #longest: number;
  #pieces: string[] = [];
  #size = 0;

  constructor(longestCharacters = 1 << 20) {
    this.#longest = longestCharacters;
  }

  read(piece: string): readonly string[] {
    const lines: string[] = [];
    let start = 0;
    for (let end = piece.indexOf("\n"); end >= 0; end = piece.indexOf("\n", start)) {
      this.#add(piece.slice(start, end));
      const line = this.#pieces.join("");
      this.#pieces = [];
      this.#size = 0;
      const text = line.endsWith("\r") ? line.slice(0, -1) : line;
      if (text.trim() !== "") lines.push(text);
      start = end + 1;
    }
    this.#add(piece.slice(start));
    return lines;
  }

  #add(piece: string): void {
    if (piece === "") return;
    this.#pieces.push(piece);
    this.#size += piece.length;
    if (this.#size > this.#longest) throw new RangeError("A line is longer than what is read.");
  }
}
