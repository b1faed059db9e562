/** The number of Unicode code points in a text or a range of it; a lone surrogate counts as one. */
export function countCodePoints(text: string, start = 0, end = text.length): number {
  let count = end - start;
  for (let index = start + 1; index < end; index++) {
    const isSecondHalf = (text.charCodeAt(index) & 0xfc00) === 0xdc00;
    if (isSecondHalf && (text.charCodeAt(index - 1) & 0xfc00) === 0xd800) count--;
  }
  return count;
}
