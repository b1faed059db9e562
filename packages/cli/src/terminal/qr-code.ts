import { encode } from "uqr";

const QUIET_MODULES = 2;
/** Two rows of modules in a line, by which of them is dark. */
const BLOCKS = [" ", "▄", "▀", "█"] as const;

/** A QR code of error correction M as text. Black on white whatever the terminal's colors are, if it takes colors. */
export function drawQrCode(text: string, { colour = true } = {}): string {
  const { data } = encode(text, { ecc: "M", boostEcc: false, border: QUIET_MODULES });
  const isDark = (x: number, y: number) => data[y]?.[x] === true;
  const lines = Array.from({ length: Math.ceil(data.length / 2) }, (_line, index) => {
    const y = 2 * index;
    const line = data.map((_column, x) => BLOCKS[(isDark(x, y) ? 2 : 0) + (isDark(x, y + 1) ? 1 : 0)]).join("");
    return colour ? `\u001b[30;107m${line}\u001b[0m` : line;
  });
  return `${lines.join("\n")}\n`;
}
