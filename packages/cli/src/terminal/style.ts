/** How a word may be set apart. Colour only ever repeats what the word says; it never carries meaning alone. */
export interface Style {
  readonly bold: (text: string) => string;
  readonly red: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly green: (text: string) => string;
  readonly cyan: (text: string) => string;
}

const same = (text: string): string => text;
const PLAIN: Style = { bold: same, red: same, yellow: same, green: same, cyan: same };

/** Each ends what it began and nothing else, so that styles can be nested. */
const between = (begin: number, end: number) => (text: string) => `\u001b[${begin}m${text}\u001b[${end}m`;

/** Only the terminal's own sixteen colours: they follow the contrast that its user has chosen. */
const COLOURED: Style = {
  bold: between(1, 22),
  red: between(31, 39),
  yellow: between(33, 39),
  green: between(32, 39),
  cyan: between(36, 39),
};

export function createStyle(colour: boolean): Style {
  return colour ? COLOURED : PLAIN;
}
