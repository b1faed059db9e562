const UNITS = ["bytes", "kB", "MB", "GB"] as const;

/** "12 bytes", "3.4 kB", "120 MB". */
export function sizeInWords(bytes: number): string {
  let [size, unit] = [bytes, 0];
  while (size >= 999.5 && unit < UNITS.length - 1) {
    size /= 1000;
    unit++;
  }
  return `${size.toLocaleString(undefined, { maximumFractionDigits: unit > 0 && size < 10 ? 1 : 0 })} ${UNITS[unit]}`;
}
