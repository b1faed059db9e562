/** Names as programs write them, with spaces between their words. */
export function spaced(name: string): string {
  return name
    .replaceAll(/[_-]+/g, " ")
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ")
    .trim();
}
